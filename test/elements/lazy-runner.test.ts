import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setImmediate as settled } from 'node:timers/promises';
import { LazyCode, LazyRunner } from '../../src/elements/lazy-runner.js';

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
  let code: LazyCode<Runner>;
  let lazy: LazyRunner<object, Phase, Runner>;
  let phases: string[];

  beforeEach(() => {
    fetches = 0;
    fetched = Promise.withResolvers();
    code = new LazyCode(() => {
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
    code.held = Runner;
    lazy.start({});
    assert.deepEqual(phases, ['running']);
    lazy.stop();
    assert.deepEqual(phases, ['running', 'idle']);
    assert.equal(fetches, 0);
  });

  it('has failed when the code cannot be had, and asks for it again the next time', async () => {
    lazy.start({});
    fetched.reject(new TypeError('Failed to fetch'));
    await settled();
    assert.deepEqual(phases, ['loading', 'failed']);
    fetched = Promise.withResolvers();
    lazy.start({});
    fetched.resolve(Runner);
    await settled();
    assert.deepEqual(phases, ['loading', 'failed', 'loading', 'running']);
    assert.equal(fetches, 2);
  });
});
