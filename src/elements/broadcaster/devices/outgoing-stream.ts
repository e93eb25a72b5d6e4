import type { TrackKind } from '../../../client/viewer/sources.js';
import { AudioMixer } from './audio-mixer.js';

export interface OutgoingStreamConfig {
  /** The camera or the microphone that was opened, working or not. */
  readonly device: (kind: TrackKind) => MediaStreamTrack | undefined;
  /** A screen, or media of the page: seen in the place of the camera, and heard beside the microphone. */
  readonly shared: () => MediaStream | undefined;
  /** This track is about to take the place of another of its kind in `media`. */
  readonly onReplace: (track: MediaStreamTrack) => Promise<void>;
  /** `media` has picture or sound that it had not, or lacks it: what sends it must begin anew. */
  readonly onKinds: () => void;
}

/** The one picture and the one sound that go out, or would, of all that there is to see and hear. */
export class OutgoingStream {
  readonly #config: OutgoingStreamConfig;
  #mix: AudioMixer | undefined;
  #settling: Promise<void> = Promise.resolve();

  /** The same object for as long as there is anything. */
  media: MediaStream | undefined;

  constructor(config: OutgoingStreamConfig) {
    this.#config = config;
  }

  track(kind: TrackKind): MediaStreamTrack | undefined {
    return trackOf(this.media, kind);
  }

  /** Brings `media` to what should go out now. One at a time: two who replace the same track would leave both in. */
  apply(): Promise<void> {
    return (this.#settling = this.#settling.then(() => this.#put()));
  }

  close(): void {
    this.#mixed([]);
    this.media = undefined;
  }

  async #put(): Promise<void> {
    const wanted = { video: this.#wanted('video'), audio: this.#wanted('audio') };
    // The last picture stands until there is another.
    if (!wanted.video && !wanted.audio) return;
    const media = (this.media ??= new MediaStream());
    let areOther = false;
    for (const kind of ['video', 'audio'] as const) {
      const now = this.track(kind);
      const next = wanted[kind];
      if (now === next) continue;
      if (now && next) await this.#config.onReplace(next).catch(() => (areOther = true));
      else areOther = true;
      if (now) media.removeTrack(now);
      if (next) media.addTrack(next);
    }
    if (areOther) this.#config.onKinds();
  }

  #wanted(kind: TrackKind): MediaStreamTrack | undefined {
    const device = this.#config.device(kind);
    const shared = trackOf(this.#config.shared(), kind);
    const both = device && shared?.readyState === 'live' ? [device, shared] : [];
    return (kind === 'video' ? both[1] : this.#mixed(both)) ?? device ?? shared;
  }

  /** Of none: nothing, and the last mix is over. */
  #mixed(parts: readonly MediaStreamTrack[]): MediaStreamTrack | undefined {
    if (!this.#mix?.mixes(parts)) {
      this.#mix?.close();
      this.#mix = parts.length > 0 ? new AudioMixer(parts) : undefined;
    }
    return this.#mix?.track;
  }
}

export function trackOf(media: MediaStream | undefined, kind: TrackKind): MediaStreamTrack | undefined {
  return media?.getTracks().find((track) => track.kind === kind);
}
