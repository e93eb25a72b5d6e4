import type { ReceptionState } from '../media/engine/media-figures.js';

/** One second says little: a loss would flicker. */
const SECONDS = 10;

/** How the media of a source arrives at the server. */
export interface Reception {
  readonly videoCodec: string | null;
  readonly audioCodec: string | null;
  /** Lost packets as a part of all, 0 to 1, in the last ten seconds. Null: none arrived. */
  readonly loss: number | null;
  /** Frames of video and packets of sound that were not forwarded in the last ten seconds: they waited too long. */
  readonly shed: number;
  /** Whether the server had to send viewers less than it received, or left out frames, in the last ten seconds. */
  readonly overloaded: boolean;
  /** In seconds, at present. */
  readonly jitterSeconds: number;
}

/** The last ten seconds of a source. */
export class RecentReception {
  #states: ReceptionState[] = [];

  add(state: ReceptionState): void {
    this.#states.push(state);
    if (this.#states.length > SECONDS) this.#states.shift();
  }

  clear(): void {
    this.#states = [];
  }

  get isOverloaded(): boolean {
    return this.#states.some(({ shed, isOverloaded = false }) => isOverloaded || shed > 0);
  }

  /** Undefined: nothing was measured yet. */
  get summary(): Reception | undefined {
    const newest = this.#states.at(-1);
    if (!newest) return undefined;
    const { codecs, jitterMs } = newest;
    const total = (name: 'packets' | 'lost' | 'shed') => this.#states.reduce((sum, state) => sum + state[name], 0);
    const [packets, lost] = [total('packets'), total('lost')];
    return {
      videoCodec: codecs.video ?? null,
      audioCodec: codecs.audio ?? null,
      loss: packets + lost > 0 ? Math.min(1, lost / (packets + lost)) : null,
      shed: total('shed'),
      overloaded: this.isOverloaded,
      jitterSeconds: jitterMs / 1_000,
    };
  }
}
