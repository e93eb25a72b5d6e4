import type { TrackKind } from '../../../client/viewer/sources.js';
import { AudioMixer } from './audio-mixer.js';

export interface OutgoingStreamConfig {
  /** The track of the camera or the microphone, working or not. */
  readonly device: (kind: TrackKind) => MediaStreamTrack | undefined;
  /** The tracks of a screen, or of media of the page. Their video replaces that of the camera. */
  readonly shared: () => readonly MediaStreamTrack[];
  /** Called before a track replaces another one of its kind in `media`. Rejects if that needs a new connection. */
  readonly onReplace: (track: MediaStreamTrack) => Promise<void>;
  /** Called when video or audio was added to or removed from `media`, and after a rejection of `onReplace`. */
  readonly onKindsChange: () => void;
  /** Called when the browser cannot mix the sound of the shared tracks with the microphone, which is then sent alone. */
  readonly onMixError: (cause: unknown) => void;
}

/** The one MediaStream to send: one video track and one audio track, from the devices and the shared tracks. */
export class OutgoingStream {
  readonly #config: OutgoingStreamConfig;
  #mixer: AudioMixer | undefined;
  #applying: Promise<void> = Promise.resolve();

  /** The same object from the first track until `close`. */
  media: MediaStream | undefined;

  constructor(config: OutgoingStreamConfig) {
    this.#config = config;
  }

  track(kind: TrackKind): MediaStreamTrack | undefined {
    return this.media?.getTracks().find((track) => track.kind === kind);
  }

  /** Updates `media`. Calls run one after the other: two concurrent calls would leave two tracks of one kind. */
  apply(): Promise<void> {
    const applied = this.#applying.then(() => this.#replaceTracks());
    // The next change must not fail because this one did.
    this.#applying = applied.catch(() => {});
    return applied;
  }

  close(): void {
    this.#mix([]);
    this.media = undefined;
  }

  async #replaceTracks(): Promise<void> {
    const wanted = { video: this.#wanted('video'), audio: this.#wanted('audio') };
    // The last picture stays until there is another one.
    if (!wanted.video && !wanted.audio) return;
    const media = (this.media ??= new MediaStream());
    let isRestartNeeded = false;
    for (const kind of ['video', 'audio'] as const) {
      const now = this.track(kind);
      const next = wanted[kind];
      if (now === next) continue;
      if (now && next) await this.#config.onReplace(next).catch(() => (isRestartNeeded = true));
      else isRestartNeeded = true;
      if (now) media.removeTrack(now);
      if (next) media.addTrack(next);
    }
    if (isRestartNeeded) this.#config.onKindsChange();
  }

  #wanted(kind: TrackKind): MediaStreamTrack | undefined {
    const device = this.#config.device(kind);
    const shared = this.#config.shared().find((track) => track.kind === kind);
    const both = device && shared?.readyState === 'live' ? [device, shared] : [];
    return (kind === 'video' ? both[1] : this.#mix(both)) ?? device ?? shared;
  }

  /** The mixed track. Without tracks, the mixer is closed. */
  #mix(tracks: readonly MediaStreamTrack[]): MediaStreamTrack | undefined {
    if (this.#mixer?.mixes(tracks)) return this.#mixer.track;
    this.#mixer?.close();
    this.#mixer = undefined;
    try {
      if (tracks.length > 0) this.#mixer = new AudioMixer(tracks);
    } catch (cause) {
      // Firefox does not mix tracks of different sample rates.
      this.#config.onMixError(cause);
    }
    return this.#mixer?.track;
  }
}
