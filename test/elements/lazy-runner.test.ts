import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { setImmediate as settled } from 'node:timers/promises';
import type { StreamError } from '../../src/client/errors.js';
import { LazyClass, LazyRunner } from '../../src/elements/lazy-runner.js';

interface Phase {
  readonly name: string;
}

/** Goes through one phase when it is started. */
class Runner extends EventTarget {
  phase: Phase = { name: 'idle' };
  readonly started: object[] = [];

  start(options: object): void {
    this.started.push(options);
    this.#become('running');
  }

  stop(): void {
    this.#become('idle');
  }

  async getStats(): Promise<RTCStatsReport> {
    return new Map();
  }

  #become(name: string): void {
    this.phase = { name };
    this.dispatchEvent(new Event('phasechange'));
  }
}

describe('a runner whose code is fetched when it is needed', () => {
  let fetched: PromiseWithResolvers<new () => Runner>;
  let fetches: number;
  let code: LazyClass<Runner>;
  let lazy: LazyRunner<object, Phase, Runner>;
  let phases: string[];

  beforeEach(() => {
    fetches = 0;
    fetched = Promise.withResolvers();
    code = new LazyClass(() => {
      fetches++;
      return fetched.promise;
    });
    lazy = new LazyRunner(code, { name: 'loading' }, ['phasechange']);
    phases = [];
    lazy.addEventListener('phasechange', () => phases.push(lazy.phase.name));
  });

  it('is loading until the code is there, and then runs', async () => {
    lazy.start({});
    assert.equal(lazy.phase.name, 'loading');
    fetched.resolve(Runner);
    await settled();
    assert.deepEqual(phases, ['loading', 'running']);
  });

  it('runs with what it was last asked for, once', async () => {
    lazy.start({ first: true });
    lazy.start({ last: true });
    const started: object[] = [];
    fetched.resolve(
      class extends Runner {
        override start(options: object): void {
          started.push(options);
        }
      },
    );
    await settled();
    assert.deepEqual(started, [{ last: true }]);
  });

  it('does not run when it was stopped meanwhile', async () => {
    lazy.start({});
    lazy.stop();
    fetched.resolve(Runner);
    await settled();
    assert.deepEqual(phases, ['loading', 'idle']);
    assert.equal(await lazy.getStats(), undefined);
  });

  it('runs at once where the code is there', () => {
    code.loaded = Runner;
    lazy.start({});
    assert.deepEqual(phases, ['running']);
    lazy.stop();
    assert.deepEqual(phases, ['running', 'idle']);
    assert.equal(fetches, 0);
  });

  describe('that cannot be had', () => {
    const fails = async (): Promise<void> => {
      fetched.reject(new TypeError('Failed to fetch'));
      await settled();
      fetched = Promise.withResolvers();
    };

    beforeEach(() => {
      mock.timers.enable({ apis: ['setTimeout'] });
      mock.method(Math, 'random', () => 0.5);
    });
    afterEach(() => mock.reset());

    it('says so as a break that is retried, and asks for it again when it said', async () => {
      lazy.start({});
      await fails();
      const { error, ...broken } = lazy.phase as Phase & { readonly error: StreamError };
      assert.deepEqual(broken, { name: 'reconnecting', attempt: 1, retryInMs: 250 });
      assert.deepEqual([error.code, error.retryable], ['unreachable', true]);
      mock.timers.tick(249);
      await settled();
      assert.equal(fetches, 1);
      mock.timers.tick(1);
      await settled();
      assert.equal(fetches, 2);
      await fails();
      assert.deepEqual([Reflect.get(lazy.phase, 'attempt'), Reflect.get(lazy.phase, 'retryInMs')], [2, 500]);
      mock.timers.tick(500);
      fetched.resolve(Runner);
      await settled();
      assert.deepEqual(phases, ['loading', 'reconnecting', 'reconnecting', 'running']);
      assert.equal(fetches, 3);
    });

    it('asks for it no more once it was stopped', async () => {
      lazy.start({});
      await fails();
      lazy.stop();
      mock.timers.tick(60_000);
      await settled();
      assert.deepEqual([phases, fetches], [['loading', 'reconnecting', 'idle'], 1]);
    });

    it('asks for it once where it was started anew meanwhile', async () => {
      lazy.start({ first: true });
      await fails();
      lazy.start({ last: true });
      mock.timers.tick(60_000);
      await settled();
      assert.equal(fetches, 2);
      fetched.resolve(Runner);
      await settled();
      assert.deepEqual(phases, ['loading', 'reconnecting', 'loading', 'running']);
    });
  });
});
