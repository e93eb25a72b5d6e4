/** What is urgent is done this often, whatever comes. */
const SOON_MS = 20;
/** What is not, with what comes after this. */
const USUAL_MS = 50;
/** Where nothing comes there is little to be done: who is not sent anything any more is found out, and the like. */
const LATE_MS = 100;

/**
 * Calls again and again, every few tens of ms while something comes, and does not wake the process for it: a process
 * of few viewers would be woken by a timer more often than by packets. So it rides on what comes anyway; a timer is for
 * when nothing does, and for what cannot wait.
 *
 *     ticker.ride(now);      // before each packet
 *     ticker.hurry(urgent);  // after it: whether it left something that is to be done soon
 */
export class Scheduler {
  readonly #now: () => number;
  readonly #tick: (now: number) => boolean;
  #tickedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #soon = false;

  /** @param tick answers whether it must be called again soon, even if nothing comes */
  constructor(now: () => number, tick: (now: number) => boolean) {
    this.#now = now;
    this.#tick = tick;
  }

  get running(): boolean {
    return this.#timer !== undefined;
  }

  start(): void {
    this.#tickedAt = this.#now();
    this.#arm(false);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Something came, and the process is awake. */
  onPacket(now: number): void {
    if (this.#timer && now - this.#tickedAt >= USUAL_MS) this.#run(now);
  }

  /** @param urgent whether there is something to be done soon, even if nothing comes */
  runSoonIf(urgent: boolean): void {
    if (urgent && !this.#soon && this.#timer) this.#arm(true);
  }

  #run(now: number): void {
    this.#tickedAt = now;
    const soon = this.#tick(now);
    // What was done may have ended it.
    if (this.#timer) this.#arm(soon);
  }

  #arm(soon: boolean): void {
    clearTimeout(this.#timer);
    this.#soon = soon;
    this.#timer = setTimeout(() => this.#run(this.#now()), soon ? SOON_MS : LATE_MS);
  }
}
