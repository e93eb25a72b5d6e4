import { CatchUp } from './catch-up.js';
import { GroupOfPictures } from './group-of-pictures.js';

/**
 * What an encoding keeps for sinks that join between two keyframes: all since the newest one. They receive it faster than
 * in real time.
 */
export class KeptPictures<Sink> {
  readonly #group = new GroupOfPictures();
  /** By sink, until nothing that it received can be resent to it. */
  readonly #catchUps = new Map<Sink, CatchUp>();

  /** Whether a sink can start with what is kept. */
  get hasKeyframe(): boolean {
    return this.#group.first !== undefined;
  }

  get sinkCount(): number {
    return this.#catchUps.size;
  }

  /** Whether sinks receive more than what arrives, so that ticks must be frequent. */
  get isBusy(): boolean {
    for (const { isDone } of this.#catchUps.values()) if (!isDone) return true;
    return false;
  }

  /**
   * A keyframe begins with this packet.
   * @returns the sinks that are behind, which start with it
   */
  begin(sequence: number): readonly Sink[] {
    this.#group.begin(sequence);
    return this.#takeBehind();
  }

  /**
   * Keeps the buffer itself, so it must not change any more.
   * @returns sinks that are behind and cannot go on: they wait for a keyframe
   */
  add(packet: Buffer, sequence: number): readonly Sink[] {
    return this.#group.add(packet, sequence) ? this.#takeBehind() : [];
  }

  find(sequence: number): Buffer | undefined {
    return this.#group.find(sequence);
  }

  /** The sequence numbers of all that is kept. Of those in between, some are missing. */
  *sequences(): Generator<number> {
    const { first, last } = this.#group;
    if (first === undefined) return;
    for (let sequence = first; sequence <= last; sequence++) yield sequence;
  }

  /** The sink receives what is kept, in steps: see `advance`. Only if `hasKeyframe`. */
  join(sink: Sink, now: number): void {
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
   * @param send sends a kept packet to a sink, which may remove itself
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

  #takeBehind(): readonly Sink[] {
    const behind = [...this.#catchUps].filter(([, { isDone }]) => !isDone).map(([sink]) => sink);
    for (const sink of behind) this.#catchUps.delete(sink);
    return behind;
  }
}
