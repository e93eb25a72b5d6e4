/** Short, so that the queue on a path that carries half of the bitrate stays short too. */
const DURATION_MS = 120;
/** A shorter time between the first and the last packet gives no bitrate. */
const MIN_MEASURED_MS = 50;
/** The highest bitrate of a probe, as a multiple of what the path was seen to carry. */
const MAX_STEP = 2;
/** A lower bitrate has hardly a packet at a time, which gives no result. */
const MIN_BITRATE = 300_000;
const MIN_BYTES = 2_000;
/** The probe's bitrate, as a multiple of the wanted one. */
const MARGIN = 1.1;
/** The pause after a probe that found the capacity of the path. */
const MIN_PAUSE_MS = 500;
/** The pause doubles after a probe without a new result, up to this. Paths get wider again, and a probe costs little. */
const MAX_PAUSE_MS = 6_000;
/** The pause after congestion. */
const CONGESTION_PAUSE_MS = 1_000;
/** Feedback that is this late does not arrive any more. */
const RESULT_TIMEOUT_MS = 2_000;
/** The result of a probe counts for this long. Probes that find nothing new are up to `MAX_PAUSE_MS` apart. */
const PROOF_MS = 10_000;
/** The path is full if less than this part of the sent bitrate arrives. */
const FULL_PART = 0.85;

/**
 * What a probe was good for. `carried`: all of it arrived, and the next may follow at once. `raised`: the estimate grew
 * to the capacity of the path. `useless`: the estimate is as high already.
 */
export type ProbeOutcome = 'carried' | 'raised' | 'useless';

/** What a probe measured. */
export interface ProbeResult {
  /** bit/s that arrived. */
  readonly bitsPerSecond: number;
  /** Whether more was sent: the path carries no more than this. */
  readonly isFull: boolean;
}

interface Probe {
  readonly bitrate: number;
  readonly began: number;
  readonly ends: number;
  sentBytes: number;
  /**
   * When the first and the last burst of padding was sent. Both are about the same size, so that the time they take
   * themselves cancels out.
   */
  firstBurst: number;
  lastBurst: number;
  /** Arrived bytes of the packets after the first burst, up to the last burst. */
  arrivedBytes: number;
  firstArrival: number;
  lastArrival: number;
}

/**
 * Decides when to send more than the media, and measures what arrives. A viewer with a poor picture is sent little, so
 * without probes the estimate could not grow. Probes are short and not far above what is known to be carried, so that a
 * failed probe does not disturb the picture. As in GCC, each probe that is carried is followed by one of twice the
 * bitrate (libwebrtc `ProbeController`: exponential probing; the draft has no probes).
 *
 *     if (calm) prober.start(bitsPerSecond, proven, now);               // about once a second, and after `carried`
 *     const bytes = prober.bytesDue(now);                               // every few tens of ms: padding to send now
 *     prober.onPacketSent(packet.length, now);                          // each packet of any kind
 *     const result = prober.onPacketArrived(sentAt, arrival, bytes);    // each packet that arrived, in sending order
 */
export class BandwidthProber {
  #probe: Probe | undefined;
  #notBefore = -Infinity;
  #congestedUntil = -Infinity;
  #pause = MIN_PAUSE_MS;
  /** What the last probe measured, in bit/s, and when it ended. */
  #measured = { bitsPerSecond: 0, at: -Infinity };

  /** Whether padding is being sent. */
  isRunning(now: number): boolean {
    return this.#probe !== undefined && now <= this.#probe.ends;
  }

  /** What the last probe measured, in bit/s. 0: that was long ago, or none had a result. */
  proven(now: number): number {
    return now - this.#measured.at <= PROOF_MS ? this.#measured.bitsPerSecond : 0;
  }

  /** Whether a packet was sent within the current probe. */
  includes(sentAt: number): boolean {
    return this.#probe !== undefined && sentAt >= this.#probe.began && sentAt <= this.#probe.ends;
  }

  /**
   * Starts a probe if none is running and the pause is over.
   * @param wanted the bitrate that would be used if it were carried, bit/s
   * @param proven the bitrate that the path was seen to carry, bit/s
   * @returns when the probe ends; undefined: none started
   */
  start(wanted: number, proven: number, now: number): number | undefined {
    if (this.#probe && now > this.#probe.began + RESULT_TIMEOUT_MS) this.finish('useless', now);
    if (this.#probe || now < Math.max(this.#notBefore, this.#congestedUntil)) return undefined;
    this.#probe = {
      bitrate: Math.min(wanted * MARGIN, Math.max(MIN_BITRATE, proven * MAX_STEP)),
      began: now,
      ends: now + DURATION_MS,
      sentBytes: 0,
      firstBurst: NaN,
      lastBurst: NaN,
      arrivedBytes: 0,
      firstArrival: NaN,
      lastArrival: NaN,
    };
    return this.#probe.ends;
  }

  /** Bytes of padding to send now, in addition to what was sent. The caller must send them at once. */
  bytesDue(now: number): number {
    const probe = this.#probe;
    if (!probe || now > probe.ends) return 0;
    const due = (probe.bitrate * (now - probe.began)) / 8_000 - probe.sentBytes;
    if (due <= 0) return 0;
    if (Number.isNaN(probe.firstBurst)) probe.firstBurst = now;
    probe.lastBurst = now;
    return due;
  }

  onPacketSent(bytes: number, now: number): void {
    if (this.#probe && now <= this.#probe.ends) this.#probe.sentBytes += bytes;
  }

  /** @returns a result with the first packet that was sent after the probe */
  onPacketArrived(sentAt: number, arrival: number, bytes: number): ProbeResult | undefined {
    const probe = this.#probe;
    if (!probe || sentAt < probe.began) return undefined;
    if (sentAt > probe.ends) return this.#conclude(probe);
    if (sentAt === probe.firstBurst) {
      probe.firstArrival = Math.max(arrival, probe.firstArrival || arrival);
    } else if (sentAt > probe.firstBurst && sentAt <= probe.lastBurst) {
      probe.arrivedBytes += bytes;
      probe.lastArrival = Math.max(arrival, probe.lastArrival || arrival);
    }
    return undefined;
  }

  /** Ends the probe. */
  finish(outcome: ProbeOutcome, now: number): void {
    this.#probe = undefined;
    this.#pause = outcome === 'useless' ? Math.min(MAX_PAUSE_MS, this.#pause * 2) : MIN_PAUSE_MS;
    this.#notBefore = outcome === 'carried' ? now : now + this.#pause;
  }

  /** More is wanted than before, so the results of earlier probes do not delay the next one. */
  restart(): void {
    this.#pause = MIN_PAUSE_MS;
    this.#notBefore = -Infinity;
  }

  /** There is a queue that no probe caused. */
  onCongestion(now: number): void {
    this.#probe = undefined;
    this.#congestedUntil = now + CONGESTION_PAUSE_MS;
  }

  #conclude({ ends, firstBurst, lastBurst, arrivedBytes, firstArrival, lastArrival }: Probe): ProbeResult | undefined {
    const sentMs = lastBurst - firstBurst;
    const arrivalMs = lastArrival - firstArrival;
    // If the first burst or the last bursts were lost, nothing can be measured.
    if (!(sentMs >= MIN_MEASURED_MS) || Number.isNaN(arrivalMs) || arrivedBytes < MIN_BYTES) {
      this.#probe = undefined;
      return undefined;
    }
    const sent = (arrivedBytes * 8_000) / sentMs;
    const arrived = (arrivedBytes * 8_000) / Math.max(1, arrivalMs);
    this.#measured = { bitsPerSecond: Math.min(sent, arrived), at: ends };
    return { bitsPerSecond: Math.min(sent, arrived), isFull: arrived < sent * FULL_PART };
  }
}
