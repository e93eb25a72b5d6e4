/** The shortest time between two announcements: many viewers that join at once cause one message to each member. */
import { after } from '../faults/timers.js';
const ANNOUNCE_INTERVAL_MS = 1000;

export interface Viewing {
  /** A source of this server is live. */
  readonly isLive: boolean;
  /** Viewers of this server are shown sources of another one. */
  readonly isRelayed: boolean;
  /** The viewers that media can reach, on this server and on the others. */
  readonly here: number;
  readonly elsewhere: number;
}

export interface ViewerCounts {
  /** Of all servers. */
  readonly all: number;
  readonly here: number;
  /** The publishers of this server have viewers, on any server. */
  readonly isWatched: boolean;
}

/** A viewer counts while the stream is live and media reaches the viewer. */
export function viewerCountsOf({ isLive, isRelayed, here, elsewhere }: Viewing): ViewerCounts {
  const counted = isLive || isRelayed ? { all: here + elsewhere, here } : { all: 0, here: 0 };
  return { ...counted, isWatched: isLive && counted.all > 0 };
}

export interface ViewerCountListener {
  /** Called before `onCount` with the number that is the reason. */
  onWatched(isWatched: boolean): void;
  /** Of all servers: at once, and then at most once a second. */
  onCount(count: number): void;
  /** Of this server, as often. */
  onCountHere(count: number): void;
}

/** The viewer count of one stream. It tells when it changes. */
export class ViewerCount {
  readonly #listener: ViewerCountListener;
  readonly #all: AnnouncedNumber;
  readonly #here: AnnouncedNumber;
  #isWatched = false;

  constructor(listener: ViewerCountListener) {
    this.#listener = listener;
    this.#all = new AnnouncedNumber((count) => listener.onCount(count));
    this.#here = new AnnouncedNumber((count) => listener.onCountHere(count));
  }

  /** The count of all servers that was announced last. */
  get announced(): number {
    return this.#all.announced;
  }

  /** Whether publishers were told that the stream has viewers. */
  get isWatched(): boolean {
    return this.#isWatched;
  }

  /** @returns the count of all servers */
  update(viewing: Viewing): number {
    const { all, here, isWatched } = viewerCountsOf(viewing);
    if (isWatched !== this.#isWatched) {
      this.#isWatched = isWatched;
      this.#listener.onWatched(isWatched);
    }
    this.#all.set(all);
    this.#here.set(here);
    return all;
  }

  /** Tells other parts of the server that nobody is here any more. */
  close(): void {
    this.#all.close();
    this.#here.close();
    if (this.#here.announced > 0) this.#listener.onCountHere(0);
  }
}

/** Announces a number when it changes: at once, and then at most once a second. */
class AnnouncedNumber {
  readonly #announce: (value: number) => void;
  #value = 0;
  #announced = 0;
  #pause: NodeJS.Timeout | undefined;

  constructor(announce: (value: number) => void) {
    this.#announce = announce;
  }

  /** The number that was announced last. */
  get announced(): number {
    return this.#announced;
  }

  set(value: number): void {
    this.#value = value;
    if (!this.#pause) this.#announceChange();
  }

  close(): void {
    clearTimeout(this.#pause);
  }

  #announceChange(): void {
    this.#pause = undefined;
    if (this.#value === this.#announced) return;
    this.#announced = this.#value;
    this.#pause = after('streams', ANNOUNCE_INTERVAL_MS, () => this.#announceChange());
    this.#pause.unref();
    this.#announce(this.#value);
  }
}
