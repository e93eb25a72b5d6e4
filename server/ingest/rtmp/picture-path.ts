import type { AddedTracks, SourceFrame } from '../../media/engine/media-track.js';
import { withoutAuxiliaryUnits } from '../../rtmp/avc.js';
import { B_FRAMES, type PublicationFault } from './publication-fault.js';
import { videoTrackOf, type SourceFrames, type VideoConfig, type VideoFrame } from './source-frames.js';
import { RestartBudget } from './transcoders/restart-budget.js';
import type { OpenPictureTranscoder, PictureTranscoder } from './transcoders/x264-transcoder.js';

export interface PicturePathOptions {
  readonly frames: SourceFrames;
  /** Undefined: video with B-frames is refused. */
  readonly openTranscoder: OpenPictureTranscoder | undefined;
  readonly onFrame: (frame: SourceFrame) => void;
  /** The video has B-frames, and is encoded again from now on. */
  readonly onTranscoded: () => void;
  /** A transcoder ended. Another is started at the next keyframe. @param reason for the operator */
  readonly onTranscoderEnd: (reason: string) => void;
  /** Called at most once. */
  readonly onFault: (fault: PublicationFault) => void;
}

interface Held {
  readonly frame: VideoFrame;
  readonly ready: SourceFrame;
}

type State =
  /** Frames are held until it is known whether there are B-frames. The first one is a keyframe that is shown later. */
  | { readonly name: 'undecided'; readonly held: Held[] }
  | { readonly name: 'direct' }
  /** Undefined: the next keyframe starts one. */
  | { readonly name: 'transcoded'; readonly transcoder: PictureTranscoder | undefined }
  | { readonly name: 'closed' };

/** Encoders use up to 16 B-frames in a row. */
const MAX_HELD_FRAMES = 20;

/** The video of one encoder on its way to the media engine: as it came, or encoded again because it has B-frames. */
export class PicturePath {
  readonly #options: PicturePathOptions;
  readonly #starts = new RestartBudget();
  #state: State = { name: 'undecided', held: [] };
  #track: AddedTracks['video'];
  #config: VideoConfig | undefined;
  /** Whether a transcoder ever gave a frame. */
  #isTranscoderProven = false;

  constructor(options: PicturePathOptions) {
    this.#options = options;
  }

  /** Undefined: no configuration came yet. */
  get track(): AddedTracks['video'] {
    return this.#track;
  }

  configure(config: VideoConfig): void {
    this.#track ??= videoTrackOf(config);
    this.#options.frames.configure(config);
    const isOther = !isSame(this.#config, config);
    this.#config = config;
    // The decoder of a transcoder keeps the size of the picture that it began with.
    if (isOther && this.#state.name === 'transcoded') this.#closeTranscoder();
  }

  write(frame: VideoFrame): void {
    const { frames } = this.#options;
    const ready = frames.ofVideo(frame);
    if (!ready) return;
    switch (this.#state.name) {
      case 'direct':
        if (!frames.hasBFrames) return this.#options.onFrame(ready);
        return this.#transcode([{ frame, ready }]);
      case 'undecided':
        return this.#hold({ frame, ready }, this.#state.held);
      case 'transcoded':
        return this.#writeToTranscoder({ frame, ready });
      case 'closed':
    }
  }

  close(): void {
    this.#closeTranscoder();
    this.#state = { name: 'closed' };
  }

  /** Encoders with B-frames show already the first keyframe later than they decode it. */
  #hold(next: Held, held: Held[]): void {
    held.push(next);
    if (this.#options.frames.hasBFrames) return this.#transcode(held);
    const [first] = held;
    const mayHaveBFrames = first!.frame.isKeyframe && first!.frame.compositionTime > 0;
    if (mayHaveBFrames && held.length < MAX_HELD_FRAMES) return;
    this.#state = { name: 'direct' };
    for (const { ready } of held) this.#options.onFrame(ready);
  }

  #transcode(held: readonly Held[]): void {
    const { openTranscoder, onTranscoded, onFault } = this.#options;
    if (!openTranscoder) {
      this.close();
      return onFault(B_FRAMES);
    }
    this.#state = { name: 'transcoded', transcoder: undefined };
    onTranscoded();
    for (const each of held) this.#writeToTranscoder(each);
  }

  #writeToTranscoder({ frame, ready }: Held): void {
    if (this.#state.name !== 'transcoded' || frame.codec !== 'h264') return;
    const timestampMs = ready.timestampMs - frame.compositionTime;
    if (!this.#state.transcoder && frame.isKeyframe) this.#startTranscoder(timestampMs);
    if (this.#state.name !== 'transcoded') return;
    const { isKeyframe, compositionTime } = frame;
    const units = withoutAuxiliaryUnits(frame.data);
    this.#state.transcoder?.write({ units, isKeyframe, compositionTime, timestampMs });
  }

  #startTranscoder(timestampMs: number): void {
    const { openTranscoder, onFrame, onTranscoderEnd, onFault } = this.#options;
    if (this.#config?.codec !== 'h264' || !openTranscoder) return;
    if (!this.#starts.take(timestampMs)) {
      if (this.#isTranscoderProven) return;
      this.close();
      return onFault(B_FRAMES);
    }
    const transcoder = openTranscoder(this.#config.config, timestampMs, {
      onFrame: (made) => {
        this.#isTranscoderProven = true;
        if (this.#isCurrent(transcoder)) onFrame(made);
      },
      onEnd: (reason) => {
        if (this.#isCurrent(transcoder)) this.#state = { name: 'transcoded', transcoder: undefined };
        onTranscoderEnd(reason);
      },
    });
    this.#state = { name: 'transcoded', transcoder };
  }

  #isCurrent(transcoder: PictureTranscoder): boolean {
    return this.#state.name === 'transcoded' && this.#state.transcoder === transcoder;
  }

  #closeTranscoder(): void {
    if (this.#state.name !== 'transcoded') return;
    this.#state.transcoder?.close();
    this.#state = { name: 'transcoded', transcoder: undefined };
  }
}

/** Some encoders repeat their configuration before each keyframe. */
function isSame(known: VideoConfig | undefined, config: VideoConfig): boolean {
  if (known?.codec !== 'h264' || config.codec !== 'h264') return false;
  const [[a], [b]] = [known.config.sequenceParameterSets, config.config.sequenceParameterSets];
  return a !== undefined && b !== undefined && a.equals(b);
}
