/** How often a process is asked whether it is alive, in ms. */
export const PING_INTERVAL_MS = 1_000;
/** So many questions in a row that it leaves without a word mean that it hangs. */
export const MAX_UNANSWERED_PINGS = 8;

export interface HeartbeatOptions {
  readonly ping: () => void;
  /** Once: it has said nothing for so long. */
  readonly onSilent: () => void;
}

/**
 * Notices a process that hangs. It counts questions and not time: while this process stands still itself, as when the
 * machine sleeps, none are asked. One that is only slow answers late, and whatever it says is an answer.
 */
export class Heartbeat {
  readonly #parts: HeartbeatOptions;
  #unanswered = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: HeartbeatOptions) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => this.#beat(), PING_INTERVAL_MS).unref();
  }

  /** It has said something. */
  received(): void {
    this.#unanswered = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    if (this.#unanswered >= MAX_UNANSWERED_PINGS) {
      this.stop();
      this.#parts.onSilent();
      return;
    }
    this.#unanswered += 1;
    this.#parts.ping();
  }
}
