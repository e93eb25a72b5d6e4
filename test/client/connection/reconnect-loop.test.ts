import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { RejectedError, UnreachableError } from '../../../src/client/errors.js';
import { endedError } from '../../../src/client/connection/signalling.js';
import { reconnectLoop, type Attempt } from '../../../src/client/connection/reconnect-loop.js';

const gone = new UnreachableError('gone');
/** No wait between attempts. */
const random = () => 0;

describe('reconnectLoop', () => {
  it('connects again after a loss, and counts the attempts', async () => {
    const attempts: number[] = [];
    const final = new RejectedError('token_expired', 'expired');
    const outcomes = [gone, gone, final];
    await assert.rejects(
      reconnectLoop({
        signal: new AbortController().signal,
        random,
        connect: async () => {
          throw outcomes.shift();
        },
        onRetry: ({ attempt }) => void attempts.push(attempt),
      }),
      final,
    );
    assert.deepEqual(attempts, [1, 2]);
  });

  it('reports the time until the next attempt, which starts at that time', async (t) => {
    const run = start(t, () => new RejectedError('busy', 'later', { retryable: true, retryAfterMs: 7000 }), 0.5);
    await run.pass(1);
    assert.deepEqual(run.waits, [7250]);
    await run.pass(7_200);
    assert.equal(run.attempts.length, 1);
    await run.pass(100);
    assert.equal(run.attempts.length, 2);
    await run.stop();
  });

  it('counts attempts from 1 again after a stable connection', async () => {
    let now = 0;
    let tries = 0;
    const attempts: number[] = [];
    await assert.rejects(
      reconnectLoop({
        signal: new AbortController().signal,
        random,
        now: () => now,
        connect: async ({ connected }) => {
          tries++;
          if (tries === 5) throw new RejectedError('token_expired', 'expired');
          if (tries === 3) {
            connected();
            now += 5000;
          }
          throw gone;
        },
        onRetry: ({ attempt }) => void attempts.push(attempt),
      }),
    );
    assert.deepEqual(attempts, [1, 2, 1, 2]);
  });

  it('waits for the name to be free again after an outage of any length', async () => {
    const inUse = endedError('stream_in_use', 'another publisher is live');
    const attempts: number[] = [];
    let tries = 0;
    await assert.rejects(
      reconnectLoop({
        signal: new AbortController().signal,
        random,
        connect: async ({ connected }) => {
          tries++;
          if (tries === 1) connected();
          throw tries <= 30 ? gone : inUse;
        },
        onRetry: ({ attempt }) => void attempts.push(attempt),
      }),
      inUse,
    );
    assert.deepEqual(attempts.slice(29, 32), [30, 1, 2]);
    assert.equal(attempts.length, 40);
  });

  it('aborts each connection before the next starts', async () => {
    const signals: AbortSignal[] = [];
    const outcomes: Error[] = [gone, new RejectedError('token_expired', 'expired')];
    await assert.rejects(
      reconnectLoop({
        signal: new AbortController().signal,
        random,
        connect: async ({ signal }) => {
          assert.ok(signals.every(({ aborted }) => aborted));
          signals.push(signal);
          throw outcomes.shift()!;
        },
        onRetry: () => {},
      }),
    );
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, true],
    );
  });

  it('resolves on abort, connected or waiting', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const whileConnected = new AbortController();
    const connected = reconnectLoop({
      signal: whileConnected.signal,
      connect: ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      onRetry: () => assert.fail('an abort is not a loss'),
    });
    whileConnected.abort();
    assert.equal(await connected, undefined);

    const whileWaiting = new AbortController();
    const waiting = reconnectLoop({
      signal: whileWaiting.signal,
      random: () => 1,
      connect: () => Promise.reject(gone),
      onRetry: () => queueMicrotask(() => whileWaiting.abort()),
    });
    assert.equal(await waiting, undefined);
  });

  it('waits as long as the server asked, also after a resume signal', async (t) => {
    const run = start(t, () => new RejectedError('busy', 'later', { retryable: true, retryAfterMs: 7000 }));
    await run.pass(100);
    signalResume('online');
    await run.pass(6_800);
    assert.equal(run.attempts.length, 1);
    await run.pass(200);
    assert.equal(run.attempts.length, 2);
    await run.stop();
  });

  it('connects at once when the browser is online again, but at most once a second', async (t) => {
    const run = start(t, () => gone, 1);
    // The fifth wait and later ones may take 8 s or more.
    await run.pass(500 + 1000 + 2000 + 4000);
    assert.equal(run.attempts.length, 5);
    await run.pass(3_000);
    signalResume('online');
    await run.pass(1);
    assert.equal(run.attempts.length, 6);
    for (let signal = 0; signal < 100; signal++) {
      signalResume('online');
      await run.pass(50);
    }
    assert.equal(run.attempts.length, 11);
    await run.stop();
  });

  it('connects when the page becomes visible, and not when it is hidden', async (t) => {
    const page = Object.assign(new EventTarget(), { visibilityState: 'hidden' });
    Object.assign(globalThis, { document: page });
    t.after(() => Reflect.deleteProperty(globalThis, 'document'));
    const run = start(t, () => gone, 1);
    await run.pass(500 + 1000 + 2000);
    assert.equal(run.attempts.length, 4);
    await run.pass(1_500);
    page.dispatchEvent(new Event('visibilitychange'));
    await run.pass(1);
    assert.equal(run.attempts.length, 4);
    page.visibilityState = 'visible';
    page.dispatchEvent(new Event('visibilitychange'));
    await run.pass(1);
    assert.equal(run.attempts.length, 5);
    await run.stop();
  });

  it('runs one attempt at a time, whatever resume signals arrive', async (t) => {
    let running = 0;
    const run = start(t, async () => {
      running++;
      assert.equal(running, 1);
      await new Promise((resolve) => setTimeout(resolve, 300));
      running--;
      return gone;
    });
    for (let step = 0; step < 40; step++) {
      signalResume('online');
      await run.pass(100);
    }
    assert.ok(run.attempts.length > 3);
    await run.stop();
  });
});

describe('a viewer who comes before the stream is live', () => {
  const notLive = endedError('stream_not_live', 'stream not being published');

  it('asks again at once when they are told that it began, however long that takes', async (t) => {
    const begun = Promise.withResolvers<void>();
    const run = start(t, () => notLive, 1, [begun.promise]);
    await run.pass(3_600_000, 60_000);
    assert.deepEqual([run.attempts.length, run.losses], [1, []]);
    begun.resolve();
    await run.pass(1);
    assert.equal(run.attempts.length, 2);
    await run.stop();
  });

  it('waits a moment first when they are told within seconds, and longer each time', async (t) => {
    const told = Promise.resolve();
    const run = start(t, () => notLive, 1, [told, told, told]);
    await run.pass(450);
    assert.equal(run.attempts.length, 1);
    await run.pass(100);
    assert.equal(run.attempts.length, 2);
    await run.pass(900);
    assert.equal(run.attempts.length, 2);
    await run.pass(150);
    assert.equal(run.attempts.length, 3);
    await run.stop();
  });

  it('asks again and again, at most ten seconds apart, where nobody can tell', async (t) => {
    const run = start(t, () => notLive, 1);
    await run.pass(500 + 1_000 + 2_000 + 4_000 + 8_000 + 20 * 10_000);
    assert.deepEqual([run.attempts.length, run.losses], [26, []]);
    await run.stop();
  });

  it('is no loss for the picture that still plays when another session is refused', async (t) => {
    const run = start(t, (attempt) => (attempt === 1 ? new Promise<Error>(() => {}) : notLive), 1);
    await run.pass(1);
    run.attempts[0]!.connected();
    run.attempts[0]!.migrate();
    await run.pass(5_000);
    assert.deepEqual([run.awaited, run.attempts[0]!.signal.aborted], [0, false]);
    await run.stop();
  });
});

describe('a migration to another connection', () => {
  it('keeps the old connection until the new one is connected, and reports no loss', async (t) => {
    const run = start(t, () => new Promise<Error>(() => {}));
    await run.pass(1);
    const [first] = run.attempts;
    first!.connected();
    first!.migrate();
    await run.pass(500);
    const [, second] = run.attempts;
    assert.deepEqual([first!.signal.aborted, second!.isStandby], [false, true]);
    second!.connected();
    assert.deepEqual([first!.signal.aborted, second!.signal.aborted, second!.isStandby], [true, false, false]);
    await run.pass(20_000);
    assert.deepEqual([run.attempts.length, run.losses], [2, []]);
    await run.stop();
    assert.equal(second!.signal.aborted, true);
  });

  it('retries without a report while the old connection lasts, and reports a loss if the old one ends first', async (t) => {
    let lose = (_error: Error) => {};
    const run = start(
      t,
      (attempt) => (attempt === 1 ? new Promise<Error>((resolve) => (lose = resolve)) : Promise.resolve(gone)),
      1,
    );
    await run.pass(1);
    run.attempts[0]!.connected();
    run.attempts[0]!.migrate();
    await run.pass(3_000);
    assert.ok(run.attempts.length > 2);
    assert.deepEqual(run.losses, []);
    lose(new RejectedError('server_stopping', 'stopping', { retryable: true }));
    await run.pass(1);
    assert.deepEqual(run.losses, ['server_stopping']);
    assert.equal(run.attempts[0]!.signal.aborted, true);
    await run.stop();
  });

  it('reports no loss where the new session of a broadcaster replaced the old one', async (t) => {
    let lose = (_error: Error) => {};
    const run = start(t, (attempt) => new Promise<Error>((resolve) => attempt === 1 && (lose = resolve)));
    await run.pass(1);
    run.attempts[0]!.connected();
    run.attempts[0]!.migrate();
    await run.pass(500);
    lose(new RejectedError('replaced', 'replaced'));
    await run.pass(1);
    run.attempts[1]!.connected();
    assert.deepEqual([run.attempts.length, run.losses], [2, []]);
    await run.stop();
  });
});

/**
 * Runs with mocked time. `outcome` returns how each attempt, counted from 1, ends; `starts` resolve when what they
 * wait for begins.
 */
function start(
  t: TestContext,
  outcome: (attempt: number) => Error | Promise<Error>,
  random = 0,
  starts: Promise<void>[] = [],
) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const life = new AbortController();
  const attempts: Attempt[] = [];
  const losses: string[] = [];
  const waits: number[] = [];
  let [now, awaited] = [0, 0];
  const loop = reconnectLoop({
    signal: life.signal,
    random: () => random,
    now: () => now,
    awaitStart: (signal) => {
      awaited += 1;
      const over = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      return Promise.race([starts.shift() ?? Promise.reject(gone), over]);
    },
    connect: async (attempt) => {
      attempts.push(attempt);
      const over = new Promise<Error>((resolve) => attempt.signal.addEventListener('abort', () => resolve(gone)));
      throw await Promise.race([outcome(attempts.length), over]);
    },
    onRetry: ({ error, retryInMs }) => {
      losses.push(error instanceof RejectedError ? error.reason : error.code);
      waits.push(retryInMs);
    },
  });
  return {
    attempts,
    losses,
    waits,
    /** How often the start of the stream was waited for. */
    get awaited() {
      return awaited;
    },
    /** Advances the time in small steps, so that timers that are set meanwhile run, too. */
    async pass(ms: number, stepMs = 50) {
      for (let left = ms; left > 0; left -= stepMs) {
        const step = Math.min(left, stepMs);
        await nextTurn();
        now += step;
        t.mock.timers.tick(step);
      }
      await nextTurn();
    },
    async stop() {
      life.abort();
      await loop;
    },
  };
}

/** The global object of Node is not an event target. */
const resumeSignals = new EventTarget();
const signalResume = (name: string) => resumeSignals.dispatchEvent(new Event(name));

before(() => Object.assign(globalThis, { addEventListener: resumeSignals.addEventListener.bind(resumeSignals) }));
after(() => Reflect.deleteProperty(globalThis, 'addEventListener'));

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
