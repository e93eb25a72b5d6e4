import { before, it } from 'node:test';
import { Cleanup } from './cleanup.js';

/** A test that runs beside others. */
export interface Story {
  readonly cleanup: Cleanup;
  /** Waits until every story has come as far or has ended. Then the next step happens, once for all. */
  next(): Promise<void>;
}

/**
 * Runs tests at the same time, because they wait more than they compute. Each is reported on its own. Call it where hooks
 * are declared: the tests start after the hooks before it.
 * @param steps what happens to all of them, one after the other
 * @returns declares a test
 */
export function sideBySide(
  ...steps: readonly (() => unknown)[]
): (name: string, tell: (story: Story) => Promise<void>) => void {
  const stories: ((story: Story) => Promise<void>)[] = [];
  const results: Promise<void>[] = [];
  before(() => {
    const meetings = steps.map((step) => new Meeting(stories.length, step));
    for (const tell of stories) results.push(told(tell, meetings));
    // Each test awaits its own.
    void Promise.allSettled(results);
  });
  return (name, tell) => {
    const index = stories.push(tell) - 1;
    it(name, () => results[index]);
  };
}

async function told(tell: (story: Story) => Promise<void>, meetings: readonly Meeting[]): Promise<void> {
  const cleanup = new Cleanup();
  const left = [...meetings];
  try {
    await tell({ cleanup, next: async () => await left.shift()?.arrive() });
  } finally {
    for (const meeting of left) void meeting.arrive();
    await cleanup.run();
  }
}

/** Something that happens when all have arrived. */
class Meeting {
  readonly #happened = Promise.withResolvers<void>();
  readonly #happens: () => unknown;
  #missing: number;

  constructor(parties: number, happens: () => unknown) {
    this.#missing = parties;
    this.#happens = happens;
  }

  arrive(): Promise<void> {
    this.#missing -= 1;
    if (this.#missing === 0)
      this.#happened.resolve(
        Promise.resolve()
          .then(this.#happens)
          .then(() => undefined),
      );
    return this.#happened.promise;
  }
}
