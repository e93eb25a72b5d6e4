/**
 * Receivers of video send reports about every second, receivers of audio alone every five (RFC 3550 section 6.2, as
 * browsers implement it).
 */
const TIMEOUT_MS = { video: 5_000, audio: 15_000 };

/** Tells whether a viewer is reachable: a viewer that is sent media sends RTCP reports. */
export class ReachabilityMonitor {
  readonly #onChange: (reachable: boolean) => void;
  #reachable = false;
  #reportAt = 0;
  #nothingSentAt = 0;

  constructor(onChange: (reachable: boolean) => void) {
    this.#onChange = onChange;
  }

  /** Call when RTCP arrives, and when the transport opens. */
  onReport(now: number): void {
    this.#reportAt = now;
    this.#set(true);
  }

  /** Call about once a second. @param sent what was sent recently: a viewer that is sent nothing sends no reports */
  check(sent: 'video' | 'audio' | 'nothing', now: number): void {
    if (sent === 'nothing') this.#nothingSentAt = now;
    else if (now - Math.max(this.#reportAt, this.#nothingSentAt) > TIMEOUT_MS[sent]) this.#set(false);
  }

  #set(reachable: boolean): void {
    if (reachable === this.#reachable) return;
    this.#reachable = reachable;
    this.#onChange(reachable);
  }
}
