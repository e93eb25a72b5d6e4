import { before, it } from 'node:test';
import { Cleanup } from './cleanup.js';
import { within } from './media/until.js';

/** Every wait of a story has a limit of its own, which is shorter. */
const STORY_MS = 240_000;

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
  const stories = new Map<string, (story: Story) => Promise<void>>();
  const results: Promise<void>[] = [];
  before(() => {
    const meetings = steps.map((step) => new Meeting(stories.keys(), step));
    for (const [name, tell] of stories) results.push(told(name, tell, meetings));
    // Each test awaits its own.
    void Promise.allSettled(results);
  });
  return (name, tell) => {
    const index = stories.size;
    stories.set(name, tell);
    it(name, () => results[index]);
  };
}

async function told(name: string, tell: (story: Story) => Promise<void>, meetings: readonly Meeting[]): Promise<void> {
  const cleanup = new Cleanup();
  const left = [...meetings];
  let waitsFor: ReadonlySet<string> = new Set();
  const next = async (): Promise<void> => {
    const meeting = left.shift();
    waitsFor = meeting?.missing ?? waitsFor;
    await meeting?.arrive(name);
  };
  const late = (): string => [name, ...waitsFor].join('; it waits for: ');
  try {
    await within(late, tell({ cleanup, next }), STORY_MS);
  } finally {
    for (const meeting of left) void meeting.arrive(name);
    await cleanup.run();
  }
}

/** Something that happens when all have arrived. */
class Meeting {
  readonly #happened = Promise.withResolvers<void>();
  readonly #happens: () => unknown;
  readonly #missing: Set<string>;

  constructor(parties: Iterable<string>, happens: () => unknown) {
    this.#missing = new Set(parties);
    this.#happens = happens;
  }

  /** Those who have not arrived. */
  get missing(): ReadonlySet<string> {
    return this.#missing;
  }

  arrive(name: string): Promise<void> {
    this.#missing.delete(name);
    if (this.#missing.size === 0)
      this.#happened.resolve(
        Promise.resolve()
          .then(this.#happens)
          .then(() => undefined),
      );
    return this.#happened.promise;
  }
}
