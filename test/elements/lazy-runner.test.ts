import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { setImmediate as settled } from 'node:timers/promises';
import type { StreamError } from '../../src/client/errors.js';
import { LazyClass, LazyRunner } from '../../src/elements/lazy-runner.js';

interface Phase {
  readonly name: string;
}

/** Has the phase `running` from start to stop. */
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

describe('a runner whose code is loaded when it starts', () => {
  let pending: PromiseWithResolvers<new () => Runner>;
  let loads: number;
  let code: LazyClass<Runner>;
  let lazy: LazyRunner<object, Phase, Runner>;
  let phases: string[];

  beforeEach(() => {
    loads = 0;
    pending = Promise.withResolvers();
    code = new LazyClass(() => {
      loads++;
      return pending.promise;
    });
    lazy = new LazyRunner(code, { name: 'loading' }, ['phasechange']);
    phases = [];
    lazy.addEventListener('phasechange', () => phases.push(lazy.phase.name));
  });

  it('is loading until the code is loaded, and then runs', async () => {
    lazy.start({});
    assert.equal(lazy.phase.name, 'loading');
    pending.resolve(Runner);
    await settled();
    assert.deepEqual(phases, ['loading', 'running']);
  });

  it('starts once, with the newest options', async () => {
    lazy.start({ first: true });
    lazy.start({ last: true });
    const started: object[] = [];
    pending.resolve(
      class extends Runner {
        override start(options: object): void {
          started.push(options);
        }
      },
    );
    await settled();
    assert.deepEqual(started, [{ last: true }]);
  });

  it('does not run when it is stopped while the code loads', async () => {
    lazy.start({});
    lazy.stop();
    pending.resolve(Runner);
    await settled();
    assert.deepEqual(phases, ['loading', 'idle']);
    assert.equal(await lazy.getStats(), undefined);
  });

  it('runs at once if the code is loaded', () => {
    code.loaded = Runner;
    lazy.start({});
    assert.deepEqual(phases, ['running']);
    lazy.stop();
    assert.deepEqual(phases, ['running', 'idle']);
    assert.equal(loads, 0);
  });

  describe('whose code cannot be loaded', () => {
    const failToLoad = async (): Promise<void> => {
      pending.reject(new TypeError('Failed to fetch'));
      await settled();
      pending = Promise.withResolvers();
    };

    beforeEach(() => {
      mock.timers.enable({ apis: ['setTimeout'] });
      mock.method(Math, 'random', () => 0.5);
    });
    afterEach(() => mock.reset());

    it('is reconnecting, and loads the code again after retryInMs', async () => {
      lazy.start({});
      await failToLoad();
      const { error, ...reconnecting } = lazy.phase as Phase & { readonly error: StreamError };
      assert.deepEqual(reconnecting, { name: 'reconnecting', attempt: 1, retryInMs: 250 });
      assert.deepEqual([error.code, error.retryable], ['unreachable', true]);
      mock.timers.tick(249);
      await settled();
      assert.equal(loads, 1);
      mock.timers.tick(1);
      await settled();
      assert.equal(loads, 2);
      await failToLoad();
      assert.deepEqual([Reflect.get(lazy.phase, 'attempt'), Reflect.get(lazy.phase, 'retryInMs')], [2, 500]);
      mock.timers.tick(500);
      pending.resolve(Runner);
      await settled();
      assert.deepEqual(phases, ['loading', 'reconnecting', 'reconnecting', 'running']);
      assert.equal(loads, 3);
    });

    it('does not load it again after stop', async () => {
      lazy.start({});
      await failToLoad();
      lazy.stop();
      mock.timers.tick(60_000);
      await settled();
      assert.deepEqual([phases, loads], [['loading', 'reconnecting', 'idle'], 1]);
    });

    it('loads it once after another start', async () => {
      lazy.start({ first: true });
      await failToLoad();
      lazy.start({ last: true });
      mock.timers.tick(60_000);
      await settled();
      assert.equal(loads, 2);
      pending.resolve(Runner);
      await settled();
      assert.deepEqual(phases, ['loading', 'reconnecting', 'loading', 'running']);
    });
  });
});
