import type { SourceId } from '../../engine/media-track.js';
import type { PlacementRequest } from './placement.js';

/** Which workers have sessions of one stream, by worker index. */
export class StreamAssignment {
  /** The worker that has the stream's publishers, or last had them. */
  home: number | undefined;
  /** The live sources at the home. */
  readonly live = new Set<SourceId>();
  readonly #sessions = new Map<number, number>();
  #publishers = 0;

  /** Whether the home cannot change: the home reports what ended before another takes over. */
  get isHomeFixed(): boolean {
    return this.#publishers > 0 || this.live.size > 0;
  }

  get isEmpty(): boolean {
    return this.#sessions.size === 0 && this.live.size === 0;
  }

  /** Workers with sessions of the stream. */
  get workers(): readonly number[] {
    return [...this.#sessions.keys()];
  }

  sessionsOn(worker: number): number {
    return this.#sessions.get(worker) ?? 0;
  }

  add(worker: number, role: PlacementRequest['role']): void {
    this.#sessions.set(worker, this.sessionsOn(worker) + 1);
    if (role === 'publisher') this.#publishers++;
  }

  remove(worker: number, role: PlacementRequest['role']): void {
    const left = this.sessionsOn(worker) - 1;
    if (left > 0) this.#sessions.set(worker, left);
    else this.#sessions.delete(worker);
    if (role === 'publisher') this.#publishers--;
  }
}
