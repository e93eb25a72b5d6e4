import { seededRandom } from '../../../support/media/simulated-path.js';

/** Everything that happens by chance, from one seed. */
export class Chance {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = seededRandom(seed);
  }

  is(probability: number): boolean {
    return this.#next() < probability;
  }

  between(least: number, most: number): number {
    return least + this.#next() * (most - least);
  }

  /** One of them. They must not be none. */
  of<Each>(all: readonly Each[]): Each {
    return all[Math.floor(this.#next() * all.length)]!;
  }

  /** Some milliseconds, and one time in four up to `most`. */
  delayMs(most: number): number {
    return this.is(0.75) ? this.between(0.5, 20) : this.between(0.5, most);
  }
}
