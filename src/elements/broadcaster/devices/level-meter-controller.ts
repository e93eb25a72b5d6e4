import type { ReactiveController, ReactiveControllerHost } from 'lit';

const INTERVAL_MS = 100;
/** Less than the noise of a microphone in a quiet room. A microphone that is off or has no cable gives zeros. */
const SILENCE = 0.0005;
/** Number of silent measurements in a row: eight seconds. */
const SILENT_AFTER = 80;

/** Measures the level of the microphone ten times a second, and detects a microphone without any sound. */
export class LevelMeterController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #track: () => MediaStreamTrack | undefined;
  readonly #show: (level: number) => void;
  #measured: MediaStreamTrack | undefined;
  #context: AudioContext | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #silentFor = 0;

  /** @param show called ten times a second with a level from 0 to 1, without an update of the host */
  constructor(host: ReactiveControllerHost, track: () => MediaStreamTrack | undefined, show: (level: number) => void) {
    this.#host = host;
    this.#track = track;
    this.#show = show;
    host.addController(this);
  }

  /** Whether the microphone is not muted and has given no sound for eight seconds. */
  get isSilent(): boolean {
    return this.#silentFor >= SILENT_AFTER;
  }

  /** Before the update is rendered, which must not show what was measured of another microphone. */
  hostUpdate(): void {
    const track = this.#track();
    if (track === this.#measured) return;
    this.hostDisconnected();
    if (track) this.#measure(track);
  }

  hostDisconnected(): void {
    clearInterval(this.#timer);
    void this.#context?.close();
    // Else the last level stays, as if the microphone were there.
    if (this.#measured) this.#show(0);
    this.#measured = this.#context = this.#timer = undefined;
    this.#silentFor = 0;
  }

  #measure(track: MediaStreamTrack): void {
    this.#measured = track;
    const context = (this.#context = new AudioContext());
    const analyser = context.createAnalyser();
    analyser.fftSize = 1024;
    context.createMediaStreamSource(new MediaStream([track])).connect(analyser);
    // Rejects if the context is closed before it runs.
    context.resume().catch(() => {});
    const samples = new Float32Array(analyser.fftSize);
    this.#timer = setInterval(() => {
      analyser.getFloatTimeDomainData(samples);
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
      const volume = Math.sqrt(power);
      const wasSilent = this.isSilent;
      // A muted track, or a context that waits for a click, is silent with any microphone.
      const isAudible = track.enabled && context.state === 'running';
      this.#silentFor = isAudible && volume < SILENCE ? this.#silentFor + 1 : 0;
      if (this.isSilent !== wasSilent) this.#host.requestUpdate();
      this.#show(meterLevel(volume));
    }, INTERVAL_MS);
  }
}

/** The level of a volume, logarithmic like hearing: 0 at -60 dB, 1 at full volume. */
export function meterLevel(volume: number): number {
  return volume > 0 ? Math.min(1, Math.max(0, 1 + Math.log10(volume) / 3)) : 0;
}
