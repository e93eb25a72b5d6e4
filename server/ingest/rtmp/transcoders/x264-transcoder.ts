import { FlvMedia } from '../../../rtmp/flv-media.js';
import { avcConfigTag, avcFrameTag, FLV_VIDEO_HEADER, FlvReader, type AvcFrame } from '../../../rtmp/flv-stream.js';
import type { AvcConfig } from '../../../rtmp/avc.js';
import type { SourceFrame } from '../../../media/engine/media-track.js';
import { isVideo, SourceFrames } from '../source-frames.js';
import { FfmpegProcess } from './ffmpeg-process.js';

/** Encodes the pictures of one encoder again, without B-frames. */
export interface PictureTranscoder {
  write(frame: AvcFrame): void;
  close(): void;
}

export interface PictureTranscoderListener {
  onFrame(frame: SourceFrame): void;
  /** It makes no more frames. Called once, and never after `close()`. @param reason for the operator */
  onEnd(reason: string): void;
}

/** @param startMs of the first frame: output has the same clock */
export type OpenPictureTranscoder = (
  config: AvcConfig,
  startMs: number,
  listener: PictureTranscoderListener,
) => PictureTranscoder;

/**
 * One thread to decode: more would hold a frame each. `nobuffer` would drop the first keyframe, and with 0 for
 * `analyzeduration` ffmpeg reads FLV for 90 s before it begins.
 */
const INPUT = '-probesize 32 -analyzeduration 1 -fpsprobesize 0 -threads 1 -f flv -i pipe:0';
/** A keyframe every two seconds, for viewers who join. */
const ENCODING = [
  '-an -copyts -fps_mode passthrough -c:v libx264 -preset veryfast -tune zerolatency -bf 0 -pix_fmt yuv420p',
  '-crf 23 -maxrate 6M -bufsize 3M -g 600 -force_key_frames expr:gte(t,n_forced*2)',
].join(' ');
const OUTPUT = '-f flv -flvflags no_duration_filesize+no_metadata -flush_packets 1 pipe:1';
/** Two seconds of 16 Mbit/s. */
const MAX_WAITING_BYTES = 1 << 22;
/** The timestamps of FLV have 32 bits. ffmpeg reads them as signed. The next transcoder begins at 0 again. */
const MAX_AGE_MS = 2 ** 30;
const PROFILES: Readonly<Record<number, string>> = { 66: 'baseline', 77: 'main' };

/** A `PictureTranscoder` that is an ffmpeg process with x264. */
export class X264Transcoder implements PictureTranscoder {
  readonly #process: FfmpegProcess;
  readonly #startMs: number;
  readonly #onEnd: (reason: string) => void;

  /** @param ffmpeg path of the program */
  constructor(ffmpeg: string, config: AvcConfig, startMs: number, { onFrame, onEnd }: PictureTranscoderListener) {
    this.#startMs = startMs;
    this.#onEnd = onEnd;
    const reader = new FlvReader();
    const media = new FlvMedia();
    const frames = new SourceFrames();
    // The profile stays the one that viewers were told.
    const profile = PROFILES[config.sequenceParameterSets[0]?.[1] ?? 0] ?? 'high';
    this.#process = new FfmpegProcess({
      ffmpeg,
      args: [INPUT, ENCODING, `-profile:v ${profile}`, OUTPUT].flatMap((part) => part.split(' ')),
      maxWaitingBytes: MAX_WAITING_BYTES,
      onOutput: (chunk) => {
        for (const message of reader.read(chunk)) {
          const event = media.read(message);
          if (event?.kind === 'config' && event.codec === 'h264') frames.configure(event);
          if (event?.kind !== 'frame' || !isVideo(event)) continue;
          const frame = frames.ofVideo(event);
          if (frame) onFrame({ ...frame, timestampMs: frame.timestampMs + startMs });
        }
      },
      onEnd,
    });
    this.#process.write(Buffer.concat([FLV_VIDEO_HEADER, avcConfigTag(config, 0)]));
  }

  write(frame: AvcFrame): void {
    const timestampMs = frame.timestampMs - this.#startMs;
    if (timestampMs > MAX_AGE_MS) {
      this.close();
      return this.#onEnd('its timestamps are at their end');
    }
    this.#process.write(avcFrameTag({ ...frame, timestampMs: Math.max(0, timestampMs) }));
  }

  close(): void {
    this.#process.close();
  }
}
