// Lets Stryker run tests of `node:test` in one process, and only those that reach a change: a change takes some
// hundredths of a second. A process for each test file, as Stryker's runner for TAP has it, takes ten times as long.
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { collect, mock, runTest, Suite, type CollectedTest } from './collected-tests.ts';

const COLLECTED = new URL('collected-tests.ts', import.meta.url).href;
/** See `TestStatus` of Stryker. */
const [PASSED, FAILED] = [0, 1];
/** A test that does nothing for so long waits for what does not come. Tests of the first ring wait for no time. */
const IDLE_MS = 2_000;
const IDLE_PART = 0.02;
// Tests replace them.
const { setInterval, clearInterval, setImmediate } = globalThis;

/** Of the code that Stryker has changed: which change is made, and what was reached. */
interface ChangedCode {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: { readonly perTest: Record<string, unknown> };
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
}
const changed: ChangedCode = {};
Object.assign(globalThis, { __stryker__: changed });

interface TestOutcome {
  readonly id: string;
  readonly name: string;
  readonly status: number;
  readonly timeSpentMs: number;
  readonly failureMessage?: string;
}

interface RunOptions {
  readonly disableBail: boolean;
}

interface MutantRunOptions extends RunOptions {
  readonly activeMutant: { readonly id: string };
  /** The ids of the tests that reach it. Absent: all do. */
  readonly testFilter?: readonly string[];
  readonly hitLimit?: number;
  /** `static`: it concerns what runs while modules load, in a new process. */
  readonly mutantActivation: 'runtime' | 'static';
}

class NodeTestRunner {
  readonly #files: readonly string[];
  #suites: Suite[] | undefined;
  /** Fails the present test, for what it left to itself. */
  #fail: (error: unknown) => void = () => {};

  constructor({ nodeTest }: { readonly nodeTest: { readonly testFiles: readonly string[] } }) {
    this.#files = nodeTest.testFiles;
  }

  capabilities() {
    return { reloadEnvironment: false };
  }

  /** The process is in the copy of the repository that has the changes. */
  async init() {
    const copy = pathToFileURL(`${process.cwd()}/`).href;
    await import(new URL('scripts/load-typescript.js', copy).href);
    registerHooks({
      resolve: (specifier, context, next) =>
        specifier === 'node:test' && context.parentURL?.startsWith(copy)
          ? { url: COLLECTED, shortCircuit: true }
          : next(specifier, context),
    });
    process.on('uncaughtException', (error) => this.#fail(error));
    process.on('unhandledRejection', (error) => this.#fail(error));
  }

  /** Leaves out the tests that pass only once in a process: they would fail for every change. */
  async dryRun(options: RunOptions) {
    const tests = await this.#run(undefined, options);
    const { mutantCoverage } = changed;
    if (tests.some(isFailure)) return { status: 'complete', tests, mutantCoverage };
    const failed = (await this.#run(undefined, { disableBail: true })).filter(isFailure);
    for (const { id, failureMessage } of failed) {
      process.stderr.write(`left out, because it passes only once in a process: ${id}: ${failureMessage}\n`);
      delete mutantCoverage?.perTest[id];
    }
    const leftOut = new Set(failed.map(({ id }) => id));
    return { status: 'complete', tests: tests.filter(({ id }) => !leftOut.has(id)), mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, mutantActivation, ...options }: MutantRunOptions) {
    if (mutantActivation !== 'static') await this.#load();
    Object.assign(changed, { activeMutant: activeMutant.id, hitCount: hitLimit && 0, hitLimit });
    const tests = await this.#run(testFilter && new Set(testFilter), options);
    changed.activeMutant = undefined;
    if (hitLimit && changed.hitCount! > hitLimit) return { status: 'timeout', reason: 'it runs without an end' };
    const failed = tests.find(isFailure);
    const nrOfTests = tests.length;
    if (!failed) return { status: 'survived', nrOfTests };
    return { status: 'killed', killedBy: [failed.id], failureMessage: failed.failureMessage, nrOfTests };
  }

  async #load(): Promise<readonly Suite[]> {
    if (this.#suites) return this.#suites;
    this.#suites = [];
    for (const file of this.#files) {
      this.#suites.push(await collect(file, () => import(pathToFileURL(resolve(file)).href)));
    }
    return this.#suites;
  }

  /** @param wanted the ids of tests; undefined: all */
  async #run(wanted: ReadonlySet<string> | undefined, { disableBail }: RunOptions): Promise<TestOutcome[]> {
    const outcomes: TestOutcome[] = [];
    const isOver = () => !disableBail && outcomes.some(isFailure);
    const runAll = async (children: Suite['children']) => {
      for (const child of children) {
        if (isOver()) return;
        if (!isWanted(child, wanted)) continue;
        if (!(child instanceof Suite)) {
          outcomes.push(await this.#outcomeOf(child));
          continue;
        }
        for (const step of child.before) await step();
        await runAll(child.children);
        for (const step of child.after) await step();
      }
    };
    try {
      await runAll([...(await this.#load())]);
    } catch (error) {
      const id = 'outside of tests';
      outcomes.push({ id, name: id, status: FAILED, timeSpentMs: 0, failureMessage: String(error) });
    }
    mock.reset();
    return outcomes;
  }

  async #outcomeOf(test: CollectedTest): Promise<TestOutcome> {
    const { id, name } = test;
    const began = performance.now();
    changed.currentTestId = id;
    const failure = Promise.withResolvers<void>();
    this.#fail = failure.reject;
    const idle = failWhenIdle(failure.reject);
    // What it left to itself is thrown in the next turn.
    const run = runTest(test).then(() => new Promise<void>((resolve) => void setImmediate(resolve)));
    const error: unknown = await Promise.race([run, failure.promise]).catch((reason) => reason ?? 'rejected');
    clearInterval(idle);
    changed.currentTestId = undefined;
    const outcome = { id, name, timeSpentMs: performance.now() - began };
    return error === undefined
      ? { ...outcome, status: PASSED }
      : { ...outcome, status: FAILED, failureMessage: String(error) };
  }
}

const isFailure = ({ status }: TestOutcome): boolean => status === FAILED;

function isWanted(child: Suite | CollectedTest, wanted: ReadonlySet<string> | undefined): boolean {
  if (!wanted) return true;
  return child instanceof Suite ? child.children.some((each) => isWanted(each, wanted)) : wanted.has(child.id);
}

function failWhenIdle(fail: (error: Error) => void): NodeJS.Timeout {
  let idleMs = 0;
  let before: EventLoopUtilization = performance.eventLoopUtilization();
  return setInterval(() => {
    const { utilization, active, idle } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    idleMs = utilization < IDLE_PART ? idleMs + active + idle : 0;
    if (idleMs > IDLE_MS) fail(new Error('it waits for what does not come'));
  }, 250);
}

const createRunner = Object.assign(
  (options: ConstructorParameters<typeof NodeTestRunner>[0]) => new NodeTestRunner(options),
  {
    inject: ['options'],
  },
);
/** Stryker looks for this name. */
export const strykerPlugins = [{ kind: 'TestRunner', name: 'node-test', factory: createRunner }];
