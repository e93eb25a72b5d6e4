import type { ReactiveController, ReactiveControllerHost } from 'lit';

const EVERY_MS = 100;
/** A microphone in a quiet room still hisses; one that is switched off or unplugged at its cable gives zeros. */
const SILENCE = 0.0005;
const SILENT_AFTER = 80;

/** How loud a track is, ten times a second, and whether nothing at all comes from it. */
export class LevelMeterController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #track: () => MediaStreamTrack | undefined;
  readonly #show: (level: number) => void;
  #heard: MediaStreamTrack | undefined;
  #context: AudioContext | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #quiet = 0;

  /** @param show called with 0 to 1; not through the host's render, which would run ten times a second */
  constructor(host: ReactiveControllerHost, track: () => MediaStreamTrack | undefined, show: (level: number) => void) {
    this.#host = host;
    this.#track = track;
    this.#show = show;
    host.addController(this);
  }

  /** It should be heard, and has not been for some seconds. */
  get isSilent(): boolean {
    return this.#quiet >= SILENT_AFTER;
  }

  hostUpdated(): void {
    const track = this.#track();
    if (track === this.#heard) return;
    this.hostDisconnected();
    if (track) this.#listen(track);
  }

  hostDisconnected(): void {
    clearInterval(this.#timer);
    void this.#context?.close();
    this.#heard = this.#context = this.#timer = undefined;
    this.#quiet = 0;
  }

  #listen(track: MediaStreamTrack): void {
    this.#heard = track;
    const context = (this.#context = new AudioContext());
    const analyser = context.createAnalyser();
    analyser.fftSize = 1024;
    context.createMediaStreamSource(new MediaStream([track])).connect(analyser);
    // Closed before it began: nothing is to be heard any more.
    context.resume().catch(() => {});
    const samples = new Float32Array(analyser.fftSize);
    this.#timer = setInterval(() => {
      analyser.getFloatTimeDomainData(samples);
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
      const volume = Math.sqrt(power);
      const wasSilent = this.isSilent;
      // Muted on purpose, or a page that may not listen yet, is no fault of the microphone.
      const isOpen = track.enabled && context.state === 'running';
      this.#quiet = isOpen && volume < SILENCE ? this.#quiet + 1 : 0;
      if (this.isSilent !== wasSilent) this.#host.requestUpdate();
      this.#show(meterLevel(volume));
    }, EVERY_MS);
  }
}

/** As ears have it: from -60 dB, which is nothing, to full. */
export function meterLevel(volume: number): number {
  return volume > 0 ? Math.min(1, Math.max(0, 1 + Math.log10(volume) / 3)) : 0;
}
