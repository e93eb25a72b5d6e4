/** Short, so that a path that carries half of it keeps no longer a queue than this, for no longer than a moment. */
const LASTS_MS = 120;
/** Less than this apart, what came says nothing of a rate. */
const SHORTEST_MS = 50;
/** No more than this many times what is believed is tried at once. */
const STEP = 2;
/** Less than this is hardly a packet at a time, and tells nothing. */
const LEAST = 300_000;
const FEWEST_BYTES = 2_000;
/** What is to be believed for good must come in a little faster. */
const BEYOND = 1.1;
const FIRST_PAUSE_MS = 500;
/** One that changed nothing is followed by a longer pause, up to this: paths get wide again, and probes cost little. */
const LONGEST_PAUSE_MS = 6_000;
/** A path that was congested is left alone for a while. */
const QUIET_MS = 1_000;
/** Reports that are this late come no more. */
const REPORTED_WITHIN_MS = 2_000;
/** Who gets this much less than was sent has shown all that the path carries. */
const FULL = 0.85;

/** What a probe showed of a path. */
export interface ProbeResult {
  /** bit/s that came. */
  readonly bitsPerSecond: number;
  /** Whether more was sent than that: the path carries this much and no more. */
  readonly full: boolean;
}

interface Probe {
  readonly target: number;
  readonly began: number;
  readonly ends: number;
  /** What was sent in it so far. */
  sentBytes: number;
  /** The first and the last burst that it added: bursts of like size, so that what they take themselves cancels out. */
  firstBurst: number;
  lastBurst: number;
  /** Of what came after the first of them and no later than the last. */
  bytes: number;
  firstArrival: number;
  lastArrival: number;
}

/**
 * When to send more than there is, and what comes of it: who only ever sends a poor picture never learns that there is
 * room for a good one. Each probe is short and asks for little more than what is believed, and so its failure is not
 * seen.
 *
 *     if (calm) probing.wish(bitsPerSecond, estimate, now);  // about once a second
 *     const bytes = probing.owed(now);                       // each few tens of ms: to be sent now, beside the media
 *     probing.sent(packet.length, now);                      // each packet, of whatever kind
 *     const result = probing.note(sentAt, arrival, bytes);   // each packet that came, in their order
 */
export class BandwidthProber {
  #probe: Probe | undefined;
  #notBefore = -Infinity;
  #pause = FIRST_PAUSE_MS;

  /** Whether something is to be sent. */
  isRunning(now: number): boolean {
    return this.#probe !== undefined && now <= this.#probe.ends;
  }

  /** Whether a packet was sent in the probe that is not over. */
  includes(sentAt: number): boolean {
    return this.#probe !== undefined && sentAt >= this.#probe.began && sentAt <= this.#probe.ends;
  }

  /**
   * Begins a probe if it is time for one.
   * @param wanted what would be put to use if it were carried, bit/s
   * @returns when it will be over; undefined: none began
   */
  start(wanted: number, estimate: number, now: number): number | undefined {
    if (this.#probe && now > this.#probe.began + REPORTED_WITHIN_MS) this.#finish(false, now);
    if (this.#probe || now < this.#notBefore) return undefined;
    const target = Math.min(wanted * BEYOND, Math.max(LEAST, estimate * STEP));
    this.#probe = {
      target,
      began: now,
      ends: now + LASTS_MS,
      sentBytes: 0,
      firstBurst: NaN,
      lastBurst: NaN,
      bytes: 0,
      firstArrival: NaN,
      lastArrival: NaN,
    };
    return this.#probe.ends;
  }

  /** Bytes that are missing from what is to be sent by now, and will be sent at once. */
  bytesDue(now: number): number {
    const probe = this.#probe;
    if (!probe || now > probe.ends) return 0;
    const owed = (probe.target * (now - probe.began)) / 8_000 - probe.sentBytes;
    if (owed <= 0) return 0;
    if (Number.isNaN(probe.firstBurst)) probe.firstBurst = now;
    probe.lastBurst = now;
    return owed;
  }

  onPacketSent(bytes: number, now: number): void {
    if (this.#probe && now <= this.#probe.ends) this.#probe.sentBytes += bytes;
  }

  /** A result with the first packet that was sent after the probe. */
  onPacketArrived(sentAt: number, arrival: number, bytes: number): ProbeResult | undefined {
    const probe = this.#probe;
    if (!probe || sentAt < probe.began) return undefined;
    if (sentAt > probe.ends) return this.#conclude(probe);
    if (sentAt === probe.firstBurst) {
      probe.firstArrival = Math.max(arrival, probe.firstArrival || arrival);
    } else if (sentAt > probe.firstBurst && sentAt <= probe.lastBurst) {
      probe.bytes += bytes;
      probe.lastArrival = Math.max(arrival, probe.lastArrival || arrival);
    }
    return undefined;
  }

  /** Whether what a probe showed was news. */
  finish(isNews: boolean, now: number): void {
    this.#finish(isNews, now);
  }

  /** There is a queue that no probe made. */
  onCongestion(now: number): void {
    this.#probe = undefined;
    this.#notBefore = Math.max(this.#notBefore, now + QUIET_MS);
  }

  #conclude({ firstBurst, lastBurst, bytes, firstArrival, lastArrival }: Probe): ProbeResult | undefined {
    const sentFor = lastBurst - firstBurst;
    const cameFor = lastArrival - firstArrival;
    // Without the first burst, or the last ones, there is nothing to measure by.
    if (!(sentFor >= SHORTEST_MS) || Number.isNaN(cameFor) || bytes < FEWEST_BYTES) {
      this.#probe = undefined;
      return undefined;
    }
    const sent = (bytes * 8_000) / sentFor;
    const came = (bytes * 8_000) / Math.max(1, cameFor);
    return { bitsPerSecond: Math.min(sent, came), full: came < sent * FULL };
  }

  #finish(isNews: boolean, now: number): void {
    this.#probe = undefined;
    this.#pause = isNews ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, this.#pause * 2);
    this.#notBefore = now + this.#pause;
  }
}
