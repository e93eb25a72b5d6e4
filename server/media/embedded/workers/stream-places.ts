import type { SourceId } from '../../media-engine.js';
import type { Wanted } from './placement.js';

/** Where the sessions of one stream are, by the numbers of the workers. */
export class StreamPlaces {
  /** The worker of its publishers: those that are there, or the last that were. */
  home: number | undefined;
  /** The sources that are live there. */
  readonly live = new Set<SourceId>();
  readonly #sessions = new Map<number, number>();
  #publishers = 0;

  /** Whether the home cannot be another: one that leaves has to say first what ended. */
  get isSettled(): boolean {
    return this.#publishers > 0 || this.live.size > 0;
  }

  get isDeserted(): boolean {
    return this.#sessions.size === 0 && this.live.size === 0;
  }

  /** Workers with sessions of the stream. */
  get workers(): readonly number[] {
    return [...this.#sessions.keys()];
  }

  at(worker: number): number {
    return this.#sessions.get(worker) ?? 0;
  }

  take(worker: number, role: Wanted['role']): void {
    this.#sessions.set(worker, this.at(worker) + 1);
    if (role === 'publisher') this.#publishers++;
  }

  leave(worker: number, role: Wanted['role']): void {
    const left = this.at(worker) - 1;
    if (left > 0) this.#sessions.set(worker, left);
    else this.#sessions.delete(worker);
    if (role === 'publisher') this.#publishers--;
  }
}
