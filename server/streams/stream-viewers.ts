import { FanOut } from './fan-out.js';
import type { Viewer } from './member.js';
import type { StreamEvent } from './stream-event.js';

/** The viewers of one stream: those that watch and those that wait for the stream to start. */
export class StreamViewers {
  readonly #viewers = new Set<Viewer>();
  /** The viewers that media can reach. */
  readonly #reachable = new Set<Viewer>();
  readonly #fanOut = new FanOut();
  readonly #createSnapshot: () => Iterable<StreamEvent>;
  #snapshot: readonly StreamEvent[] | undefined;

  /** @param createSnapshot the events that tell a new viewer everything that is true of the stream */
  constructor(createSnapshot: () => Iterable<StreamEvent>) {
    this.#createSnapshot = createSnapshot;
  }

  get isEmpty(): boolean {
    return this.#viewers.size === 0;
  }

  get all(): readonly Viewer[] {
    return [...this.#viewers];
  }

  get reachableCount(): number {
    return this.#reachable.size;
  }

  /** Viewers that join between two changes share one snapshot: its events are then encoded once. */
  join(viewer: Viewer): void {
    this.#viewers.add(viewer);
    this.#snapshot ??= [...this.#createSnapshot()];
    for (const event of this.#snapshot) viewer.send(event);
  }

  /** Reads `viewer.reachable`. @returns false if the viewer is not on this stream */
  updateReachability(viewer: Viewer): boolean {
    if (!this.#viewers.has(viewer)) return false;
    if (viewer.reachable) this.#reachable.add(viewer);
    else this.#reachable.delete(viewer);
    return true;
  }

  leave(viewer: Viewer): void {
    this.#viewers.delete(viewer);
    this.#reachable.delete(viewer);
  }

  /** See `FanOut.send`. */
  send(event: StreamEvent): void {
    this.#snapshot = undefined;
    this.#fanOut.send(this.#viewers, event);
  }

  /** See `FanOut.sendLatest`. */
  sendLatest(name: StreamEvent['name'], create: () => StreamEvent): void {
    this.#snapshot = undefined;
    this.#fanOut.sendLatest(this.#viewers, name, create);
  }
}
