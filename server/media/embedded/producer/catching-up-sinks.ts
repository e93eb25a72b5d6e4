import { CatchUp } from './catch-up.js';
import type { GroupOfPictures } from './group-of-pictures.js';

/** Sinks that joined between two keyframes, and receive what came since the last one. */
export class CatchingUpSinks<Sink> {
  readonly #group: GroupOfPictures;
  /** Until nothing that a sink received can be resent to it. */
  readonly #catchUps = new Map<Sink, CatchUp>();

  constructor(group: GroupOfPictures) {
    this.#group = group;
  }

  get size(): number {
    return this.#catchUps.size;
  }

  /** Whether sinks receive more than what arrives, so that ticks must be frequent. */
  get isBusy(): boolean {
    for (const { isDone } of this.#catchUps.values()) if (!isDone) return true;
    return false;
  }

  /** The group has packets. */
  add(sink: Sink, now: number): void {
    this.#catchUps.set(sink, new CatchUp(this.#group, now));
  }

  remove(sink: Sink): void {
    this.#catchUps.delete(sink);
  }

  clear(): readonly Sink[] {
    const sinks = [...this.#catchUps.keys()];
    this.#catchUps.clear();
    return sinks;
  }

  /** The timestamp of a packet as the sink receives it. */
  timestampOf(sink: Sink, sequence: number, timestamp: number): number {
    return this.#catchUps.get(sink)?.timestampOf(sequence, timestamp) ?? timestamp;
  }

  /**
   * @param send sends a packet of the group to a sink, which may remove itself
   * @returns the sinks that have caught up now
   */
  advance(now: number, send: (sink: Sink, sequence: number) => void): readonly Sink[] {
    const caughtUp: Sink[] = [];
    for (const [sink, catchUp] of this.#catchUps) {
      if (catchUp.isDone) continue;
      for (const sequence of catchUp.due(this.#group, now)) {
        send(sink, sequence);
        // It may have what it needs, and leave by itself.
        if (!this.#catchUps.has(sink)) break;
      }
      if (catchUp.isDone && this.#catchUps.has(sink)) caughtUp.push(sink);
    }
    return caughtUp;
  }

  /** Forgets the sinks whose compressed timestamps all lie before this packet. */
  forgetBefore(sequence: number): void {
    for (const [sink, { isDone, until }] of this.#catchUps) if (isDone && until < sequence) this.#catchUps.delete(sink);
  }

  /** A keyframe begins, or the group is forgotten: @returns the sinks that are behind, which start with a keyframe */
  takeBehind(): readonly Sink[] {
    const behind = [...this.#catchUps].filter(([, { isDone }]) => !isDone).map(([sink]) => sink);
    for (const sink of behind) this.#catchUps.delete(sink);
    return behind;
  }
}
