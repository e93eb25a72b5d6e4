import type { Logger } from 'pino';
import { findFfmpeg } from '../../../find-ffmpeg.js';
import { preparedNodeAv, importNodeAv } from './node-av.js';
import { NodeAvOpusTranscoder } from './node-av-opus-transcoder.js';
import { FfmpegOpusTranscoder, type OpenOpusTranscoder } from './opus-transcoder.js';
import { X264Transcoder, type OpenPictureTranscoder } from './x264-transcoder.js';

export interface Transcoders {
  /** Undefined: AAC cannot be turned into Opus. */
  readonly openOpusTranscoder: OpenOpusTranscoder | undefined;
  /** Undefined: video with B-frames is refused. */
  readonly openPictureTranscoder: OpenPictureTranscoder | undefined;
}

export interface TranscoderConfig {
  /** Undefined: the first `ffmpeg` in the PATH. */
  readonly ffmpegPath: string | undefined;
  /** Whether video with B-frames is encoded again. */
  readonly rtmpTranscode: 'off' | 'x264';
}

interface Services {
  readonly log: Logger;
  /** Undefined: it is not installed. */
  readonly loadNodeAv?: () => Promise<unknown>;
}

/** What of the media of encoders can be transcoded on this machine, and by what. */
export async function findTranscoders(
  { ffmpegPath, rtmpTranscode }: TranscoderConfig,
  { log, loadNodeAv = importNodeAv }: Services,
): Promise<Transcoders> {
  const ffmpeg = findFfmpeg(ffmpegPath);
  const isTranscoding = rtmpTranscode === 'x264';
  if (isTranscoding && ffmpeg === undefined) {
    log.warn('encoders with B-frames are refused: install ffmpeg, or set FFMPEG_PATH');
  }
  const openOpusTranscoder = (await nodeAvTranscoder(log, loadNodeAv)) ?? ffmpegTranscoder(ffmpeg);
  if (!openOpusTranscoder) log.warn('encoders with AAC are live without sound: install ffmpeg, or set FFMPEG_PATH');
  return {
    openOpusTranscoder,
    openPictureTranscoder:
      isTranscoding && ffmpeg !== undefined
        ? (config, startMs, listener) => new X264Transcoder(ffmpeg, config, startMs, listener)
        : undefined,
  };
}

async function nodeAvTranscoder(log: Logger, load: () => Promise<unknown>): Promise<OpenOpusTranscoder | undefined> {
  try {
    const found = await load();
    if (found === undefined) return undefined;
    const av = preparedNodeAv(found);
    log.info('node-av turns the AAC of encoders into Opus');
    return (config, listener) => new NodeAvOpusTranscoder(av, config, listener);
  } catch (err) {
    log.warn({ err }, 'node-av is installed and cannot be used: ffmpeg is used for the sound of encoders');
    return undefined;
  }
}

const ffmpegTranscoder = (ffmpeg: string | undefined): OpenOpusTranscoder | undefined =>
  ffmpeg === undefined ? undefined : (config, listener) => new FfmpegOpusTranscoder(ffmpeg, config, listener);
