/** Receivers of video report every second or so; those of sound alone every five (RFC 3550 6.2, as browsers do it). */
const SILENCE_MS = { video: 5_000, audio: 15_000 };

/** Whether a viewer hears us, as far as its own reports tell: who is sent media reports on it. */
export class ReachabilityMonitor {
  readonly #onChange: (reachable: boolean) => void;
  #reachable = false;
  #heardAt = 0;
  #nothingSentAt = 0;

  constructor(onChange: (reachable: boolean) => void) {
    this.#onChange = onChange;
  }

  /** A report came, or the transport opened. */
  onReport(now: number): void {
    this.#heardAt = now;
    this.#set(true);
  }

  /** To be called about once a second. @param sent what it was sent lately: who is sent nothing has nothing to report */
  check(sent: 'video' | 'audio' | 'nothing', now: number): void {
    if (sent === 'nothing') this.#nothingSentAt = now;
    else if (now - Math.max(this.#heardAt, this.#nothingSentAt) > SILENCE_MS[sent]) this.#set(false);
  }

  #set(reachable: boolean): void {
    if (reachable === this.#reachable) return;
    this.#reachable = reachable;
    this.#onChange(reachable);
  }
}
