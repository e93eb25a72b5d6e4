// Has the place of `node:test` in the process of `node-test-runner.ts`: collects tests, so that they can run again and
// again without another process. It has what the unit tests of this repository use of `node:test`, and no more.
import { mock } from 'node:test';

type Step = (context: TestStepContext) => unknown;

/** What a test and its hooks are called with. */
interface TestStepContext {
  readonly name: string;
  readonly mock: typeof mock;
  readonly after: (step: Step) => void;
  readonly diagnostic: () => void;
}

export interface CollectedTest {
  readonly id: string;
  readonly name: string;
  readonly suite: Suite;
  readonly body: Step;
}

/** A suite, or a file. */
export class Suite {
  readonly name: string;
  readonly before: (() => unknown)[] = [];
  readonly after: (() => unknown)[] = [];
  readonly beforeEach: Step[] = [];
  readonly afterEach: Step[] = [];
  readonly children: (Suite | CollectedTest)[] = [];
  readonly #around: readonly Suite[];

  constructor(name: string, around?: Suite) {
    this.name = name;
    this.#around = around?.path ?? [];
  }

  /** It and the suites around it, the outermost first. */
  get path(): readonly Suite[] {
    return [...this.#around, this];
  }
}

let present = new Suite('');
const ids = new Set<string>();

/** Collects the tests that are made while `load` runs. */
export async function collect(file: string, load: () => Promise<unknown>): Promise<Suite> {
  const suite = (present = new Suite(file));
  await load();
  return suite;
}

/** @param rest options, and a function */
export function describe(name: string, ...rest: unknown[]): void {
  if (isSkipped(rest)) return;
  const outer = present;
  present = new Suite(name, outer);
  outer.children.push(present);
  (rest.at(-1) as () => void)();
  present = outer;
}

/** @param rest as of `describe` */
export function it(name: string, ...rest: unknown[]): void {
  if (isSkipped(rest)) return;
  let id = [...present.path.map((suite) => suite.name), name].join(' > ');
  while (ids.has(id)) id += ' (again)';
  ids.add(id);
  present.children.push({ id, name, suite: present, body: rest.at(-1) as Step });
}

const isSkipped = ([options]: unknown[]): boolean =>
  typeof options === 'object' && options !== null && 'skip' in options && Boolean(options.skip);

export const before = (step: () => unknown): unknown => present.before.push(step);
export const after = (step: () => unknown): unknown => present.after.push(step);
export const beforeEach = (step: Step): unknown => present.beforeEach.push(step);
export const afterEach = (step: Step): unknown => present.afterEach.push(step);
export const test = Object.assign(it, { mock, describe, it, before, after, beforeEach, afterEach });
export default test;
export { mock };

const MockTracker = mock.constructor as new () => typeof mock;

/** Runs a test with the hooks for each test of its suites. Rejects if it fails. */
export async function runTest({ name, suite: { path }, body }: CollectedTest): Promise<void> {
  const cleanups = path.toReversed().flatMap(({ afterEach: steps }) => steps);
  const context: TestStepContext = {
    name,
    mock: new MockTracker(),
    after: (step) => void cleanups.unshift(step),
    diagnostic() {},
  };
  const failures: unknown[] = [];
  const attempt = async (step: Step) => {
    try {
      await step(context);
    } catch (error) {
      failures.push(error);
    }
  };
  await attempt(async () => {
    for (const step of path.flatMap(({ beforeEach: steps }) => steps)) await step(context);
    await body(context);
  });
  for (const step of cleanups) await attempt(step);
  context.mock.reset();
  if (failures.length > 0) throw failures[0];
}
