import type { SourceNotice } from '../../../src/wire/management/live-stream.js';
import { attempt } from '../../faults/contain.js';
import type { AddedSource } from '../../media/engine/media-session.js';
import type { AddedTracks, SourceFrame, TrackKind } from '../../media/engine/media-track.js';
import { FlvMedia, type MediaConfig, type MediaEvent, type MediaFrame } from '../../rtmp/flv-media.js';
import type { MediaMessage } from '../../rtmp/rtmp-message.js';
import { PicturePath } from './picture-path.js';
import { NOTHING_TO_PUBLISH, type PublicationFault } from './publication-fault.js';
import { SoundPath } from './sound-path.js';
import { isVideo, SourceFrames } from './source-frames.js';
import type { OpenOpusTranscoder } from './transcoders/opus-transcoder.js';
import type { OpenPictureTranscoder } from './transcoders/x264-transcoder.js';

export interface RtmpPublicationOptions {
  /** Adds the source to the stream, once, with the tracks that are known then. */
  readonly addSource: (tracks: AddedTracks) => Promise<AddedSource>;
  /** Undefined: there is no program for it, and AAC is left out. */
  readonly openOpusTranscoder: OpenOpusTranscoder | undefined;
  /** Undefined: video with B-frames is refused. */
  readonly openPictureTranscoder: OpenPictureTranscoder | undefined;
  /** The publication cannot go on. Called at most once. */
  readonly onFault: (fault: PublicationFault) => void;
  /** Something is left out or changed, and the rest goes on. Called when it begins to hold, or no longer holds. */
  readonly onNotice: (notice: SourceNotice, holds: boolean, detail?: string) => void;
  /** A transcoder of this track ended. @param reason for the operator */
  readonly onTranscoderEnd: (track: TrackKind, reason: string) => void;
}

/** The second track comes within this time of the encoder, or it is added later. */
const TRACKS_WITHIN_MS = 1_000;
/** The first track that can be published comes within this time of the encoder, or there is none. */
const ANY_TRACK_WITHIN_MS = 10_000;
/** Of frames that wait for the tracks and for the media engine. */
const MAX_WAITING_FRAMES = 600;

type State =
  /** Which tracks there are, is not known. */
  | { readonly name: 'collecting'; readonly since: number | undefined }
  | { readonly name: 'adding' }
  | { readonly name: 'live'; readonly source: AddedSource; readonly tracks: AddedTracks }
  | { readonly name: 'ended' };

/** What one encoder sends over RTMP, as a source of a stream. */
export class RtmpPublication {
  readonly #options: RtmpPublicationOptions;
  readonly #media = new FlvMedia();
  readonly #frames = new SourceFrames();
  readonly #picture: PicturePath;
  readonly #sound: SoundPath;
  #state: State = { name: 'collecting', since: undefined };
  #waiting: SourceFrame[] = [];

  constructor(options: RtmpPublicationOptions) {
    this.#options = options;
    const { onNotice, onTranscoderEnd } = options;
    const onFrame = (frame: SourceFrame): void => this.#send(frame);
    this.#picture = new PicturePath({
      frames: this.#frames,
      openTranscoder: options.openPictureTranscoder,
      onFrame,
      onTranscoded: () => onNotice('picture_transcoded', true),
      onTranscoderEnd: (reason) => onTranscoderEnd('video', reason),
      onFault: (fault) => this.#fail(fault),
    });
    this.#sound = new SoundPath({
      openTranscoder: options.openOpusTranscoder,
      onFrame,
      onFailing: (isFailing) => onNotice('sound_failed', isFailing),
      onTranscoderEnd: (reason) => onTranscoderEnd('audio', reason),
    });
  }

  write(message: MediaMessage): void {
    const event = this.#state.name === 'ended' ? undefined : this.#media.read(message);
    if (event) this.#handle(event);
  }

  end(): void {
    if (this.#state.name === 'live') this.#state.source.close();
    this.#state = { name: 'ended' };
    this.#picture.close();
    this.#sound.close();
    this.#waiting = [];
  }

  #handle(event: MediaEvent): void {
    switch (event.kind) {
      case 'config':
        this.#configure(event);
        return this.#addWhenKnown(event.timestamp);
      case 'frame':
        this.#frame(event);
        return this.#addWhenKnown(event.timestamp);
      case 'unsupported':
        if (event.track === 'video') return this.#fail({ code: 'codec_unsupported', message: event.message });
        return this.#options.onNotice('sound_codec_unsupported', true, event.message);
    }
  }

  #configure(event: MediaConfig): void {
    switch (event.codec) {
      case 'aac':
        return this.#configureAac(event);
      case 'opus':
        return this.#sound.configure({ codec: 'opus' });
      case 'h264':
        return this.#picture.configure(event);
      default: {
        const { codec, config } = event;
        return this.#picture.configure({ codec, config });
      }
    }
  }

  #configureAac(sound: MediaConfig & { readonly codec: 'aac' }): void {
    const isFirst = !this.#sound.isKnown;
    this.#sound.configure(sound);
    if (isFirst && this.#sound.needsTranscoder) this.#options.onNotice('sound_needs_ffmpeg', true);
  }

  #frame(frame: MediaFrame): void {
    if (isVideo(frame)) return this.#picture.write(frame);
    this.#sound.write(frame.codec, frame.data, this.#frames.timeOf('audio', frame.timestamp));
  }

  #send(frame: SourceFrame): void {
    if (this.#state.name === 'live') return this.#write(frame, this.#state);
    if (this.#state.name !== 'ended' && this.#waiting.length < MAX_WAITING_FRAMES) this.#waiting.push(frame);
  }

  /** A track that came late begins with a keyframe, because the picture of a source with other tracks begins anew. */
  #write(frame: SourceFrame, { source, tracks: before }: State & { readonly name: 'live' }): void {
    const tracks = this.#tracks;
    const isMissing = (!before.audio && tracks.audio) || (!before.video && tracks.video);
    if (isMissing && frame.kind === 'video' && frame.isKeyframe) {
      source.setTracks(tracks);
      this.#state = { name: 'live', source, tracks };
    }
    source.write(frame);
  }

  get #tracks(): AddedTracks {
    return { audio: this.#sound.track, video: this.#picture.track };
  }

  /** @param timestamp of the encoder, in ms */
  #addWhenKnown(timestamp: number): void {
    if (this.#state.name !== 'collecting') return;
    const { since = timestamp } = this.#state;
    this.#state = { name: 'collecting', since };
    const elapsed = Math.abs(timestamp - since);
    const tracks = this.#tracks;
    if (!tracks.audio && !tracks.video) {
      if (elapsed >= ANY_TRACK_WITHIN_MS) this.#fail(NOTHING_TO_PUBLISH);
      return;
    }
    if (elapsed < TRACKS_WITHIN_MS && !(tracks.video && this.#sound.isKnown)) return;
    this.#state = { name: 'adding' };
    attempt('ingest', () => this.#add(tracks));
  }

  async #add(tracks: AddedTracks): Promise<void> {
    // Whoever adds the source ends the connection if that fails.
    const source = await this.#options.addSource(tracks).catch(() => undefined);
    if (!source) return this.end();
    if (this.#state.name !== 'adding') return source.close();
    this.#state = { name: 'live', source, tracks };
    for (const frame of this.#waiting.splice(0)) this.#send(frame);
  }

  #fail(fault: PublicationFault): void {
    if (this.#state.name === 'ended') return;
    this.end();
    this.#options.onFault(fault);
  }
}
