import { every } from '../../../faults/timers.js';

export const PING_INTERVAL_MS = 1_000;
/** A process that leaves this many pings in a row unanswered is taken to hang. */
export const MAX_UNANSWERED_PINGS = 8;
/** A process that leaves this many pings in a row unanswered gets no new sessions. */
export const SILENT_PINGS = 3;

export interface HeartbeatOptions {
  readonly ping: () => void;
  /** Called once: the process does not answer. */
  readonly onSilent: () => void;
  /** Default: `PING_INTERVAL_MS`. */
  readonly everyMs?: number | undefined;
}

/**
 * Detects a process that hangs. It counts pings and not time: while this process is suspended itself, as when the
 * machine sleeps, no pings are sent. Any message counts as an answer. A process that can be overloaded must send some
 * while it works: it may read pings many seconds late.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #unanswered = 0;
  /** When the first unanswered ping was sent, in milliseconds since 1970. */
  #unansweredSince = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  start(): void {
    const { everyMs = PING_INTERVAL_MS } = this.#options;
    this.#timer = every('media', everyMs, () => this.#ping()).unref();
  }

  /** Since when the process has not answered, in milliseconds since 1970. Undefined: it answers. */
  get silentSince(): number | undefined {
    return this.#unanswered > SILENT_PINGS ? this.#unansweredSince : undefined;
  }

  /** Call for each message from the process. */
  received(): void {
    this.#unanswered = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #ping(): void {
    if (this.#unanswered >= MAX_UNANSWERED_PINGS) {
      this.stop();
      this.#options.onSilent();
      return;
    }
    if (this.#unanswered === 0) this.#unansweredSince = Date.now();
    this.#unanswered += 1;
    this.#options.ping();
  }
}
