import { KeyframeBudget } from './keyframe-budget.js';
import { RepairBackoff } from './repair-backoff.js';

/**
 * Why a keyframe is needed. `join`: there is no picture without it. `repair`: the picture is damaged. `upgrade`: there
 * is a picture, which a better encoding or layer will replace.
 */
export type KeyframeReason = 'join' | 'repair' | 'upgrade';

/** How a request is passed on. Whoever is patient waits for a keyframe that others need, and is asked for later. */
export type KeyframeUrgency = 'urgent' | 'patient';

export interface KeyframeNeed {
  /** Who needs it: a sink of the encoding. A second need of one sink changes nothing but its urgency. */
  readonly by: object;
  readonly reason: KeyframeReason;
  /** Of a viewer's request: how long it and the packets before it travelled. */
  readonly roundTripMs?: number | undefined;
}

export interface KeyframeAuthorityOptions {
  readonly encodings: number;
  /** False: another authority receives the requests and decides when the publisher gets them. */
  readonly isPaced: boolean;
}

/** Two requests are never closer than this. */
const MIN_INTERVAL_MS = 500;
/** A request without an answer is repeated after twice the time that answers take, within these limits. */
const MIN_REPEAT_MS = 500;
const MAX_REPEAT_MS = 2_000;
/** After so many requests without an answer, the others follow at the longest interval. */
const MAX_FAST_REQUESTS = 6;
/** After so many requests without an answer, for a second or more, the publisher takes none. */
const REQUESTS_IN_VAIN = 3;

interface Need {
  urgency: KeyframeUrgency;
  isRepair: boolean;
  dueAt: number;
}

interface Unanswered {
  readonly since: number;
  readonly at: number;
  readonly count: number;
  readonly urgency: KeyframeUrgency;
}

interface Encoding {
  readonly budget: KeyframeBudget;
  /** Who waits for a keyframe. */
  readonly needs: Map<object, Need>;
  keyframeAt: number;
  requestedAt: number;
  unanswered: Unanswered | undefined;
}

/**
 * Decides when the publisher of one source is asked for keyframes: all who need one ask here. A keyframe is expensive
 * for the encoder, and a burst of data for every viewer, so that too many of them lower the frame rate of all.
 *
 * The first request of an encoding is due at once. Those after it wait until the last keyframe is paid, by its size and
 * the bitrate (`KeyframeBudget`): 3 s at most. A keyframe serves all who wait for it.
 */
export class KeyframeAuthority {
  readonly #isPaced: boolean;
  readonly #encodings: readonly Encoding[];
  readonly #backoff = new RepairBackoff();
  /** How long the publisher takes to answer. */
  #answerMs = MIN_REPEAT_MS / 2;

  constructor({ encodings, isPaced }: KeyframeAuthorityOptions) {
    this.#isPaced = isPaced;
    this.#encodings = Array.from({ length: encodings }, () => ({
      budget: new KeyframeBudget(),
      needs: new Map<object, Need>(),
      keyframeAt: -Infinity,
      requestedAt: -Infinity,
      unanswered: undefined,
    }));
  }

  request(index: number, { by, reason, roundTripMs = 0 }: KeyframeNeed, now: number): void {
    const { needs, keyframeAt } = this.#encodings[index]!;
    const isRepair = reason === 'repair';
    // Sent before the newest keyframe reached the viewer: that keyframe is the answer.
    if (isRepair && now - keyframeAt < roundTripMs) return;
    const urgency = reason === 'upgrade' ? 'patient' : 'urgent';
    const dueAt = isRepair ? this.#backoff.dueAt(by, now) : now;
    const before = needs.get(by);
    if (before?.urgency === 'urgent' && (before.dueAt <= dueAt || urgency === 'patient')) return;
    needs.set(by, { urgency, isRepair, dueAt });
  }

  /** The sink left the encoding. */
  withdraw(index: number, by: object): void {
    this.#encodings[index]!.needs.delete(by);
  }

  /** Whether to send a request for the encoding now, and how urgent it is. Counts as sent. */
  take(index: number, now: number): KeyframeUrgency | undefined {
    const encoding = this.#encodings[index]!;
    if (!encoding.needs.size) return undefined;
    const urgency = this.#dueUrgency(encoding, now);
    if (!urgency || !this.#isTime(encoding, urgency, now)) return undefined;
    const { needs, unanswered } = encoding;
    for (const [by, { isRepair, dueAt }] of needs) {
      if (isRepair && dueAt <= now && !unanswered) this.#backoff.onRequested(by, now);
    }
    encoding.requestedAt = now;
    encoding.unanswered = { since: unanswered?.since ?? now, at: now, count: (unanswered?.count ?? 0) + 1, urgency };
    return urgency;
  }

  /**
   * Whether the publisher does not answer: some encoders agree to requests and ignore them. Not known where another
   * authority decides when the publisher gets them.
   */
  isInVain(index: number): boolean {
    return this.#isPaced && (this.#encodings[index]!.unanswered?.count ?? 0) >= REQUESTS_IN_VAIN;
  }

  /** A keyframe begins to arrive. */
  onKeyframe(index: number, now: number): void {
    const encoding = this.#encodings[index]!;
    encoding.budget.onKeyframe(now);
    encoding.keyframeAt = now;
    if (encoding.unanswered) {
      // An answer to a repeated request took longer than the network and the encoder do.
      const measured = Math.min(now - encoding.unanswered.since, 1.5 * this.#answerMs);
      this.#answerMs = Math.max(MIN_REPEAT_MS / 2, measured);
    }
    this.onServed(index);
  }

  /** Another packet of the newest keyframe arrived that decoders can start with. */
  onServed(index: number): void {
    const encoding = this.#encodings[index]!;
    encoding.unanswered = undefined;
    if (encoding.needs.size) encoding.needs.clear();
  }

  addKeyframeBytes(index: number, bytes: number): void {
    this.#encodings[index]!.budget.addKeyframeBytes(bytes);
  }

  /** @param bitrate of the last second, in bit/s */
  onMeasured(index: number, bitrate: number): void {
    this.#encodings[index]!.budget.onMeasured(bitrate);
  }

  #dueUrgency({ needs, budget }: Encoding, now: number): KeyframeUrgency | undefined {
    let found: KeyframeUrgency | undefined;
    for (const { urgency, dueAt } of needs.values()) {
      if (dueAt > now || urgency === found) continue;
      if (this.#isPaced && !budget.allows(urgency === 'patient', now)) continue;
      if (urgency === 'urgent') return urgency;
      found = urgency;
    }
    return found;
  }

  #isTime({ unanswered, requestedAt }: Encoding, urgency: KeyframeUrgency, now: number): boolean {
    if (!unanswered) return !this.#isPaced || now - requestedAt >= MIN_INTERVAL_MS;
    // The other authority must learn of it.
    if (!this.#isPaced && urgency === 'urgent' && unanswered.urgency === 'patient') return true;
    const isSlow = unanswered.count >= MAX_FAST_REQUESTS;
    const repeatMs = isSlow ? MAX_REPEAT_MS : Math.max(MIN_REPEAT_MS, Math.min(MAX_REPEAT_MS, 2 * this.#answerMs));
    return now - unanswered.at >= repeatMs;
  }
}
