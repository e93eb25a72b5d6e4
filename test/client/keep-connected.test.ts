import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RejectedError, UnreachableError } from '../../src/client/errors.js';
import { keepConnected } from '../../src/client/keep-connected.js';

const gone = new UnreachableError('gone');
/** No wait at all between two tries. */
const random = () => 0;

describe('keeping a connection', () => {
  it('tries again after a break and counts the attempts', async () => {
    const attempts: number[] = [];
    const final = new RejectedError('token_expired', 'expired');
    const outcomes = [gone, gone, final];
    await assert.rejects(
      keepConnected({
        signal: new AbortController().signal,
        random,
        connect: async () => {
          throw outcomes.shift();
        },
        onBreak: (_error, attempt) => attempts.push(attempt),
      }),
      final,
    );
    assert.deepEqual(attempts, [1, 2]);
  });

  it('counts afresh after a connection that held', async () => {
    let now = 0;
    let tries = 0;
    const attempts: number[] = [];
    await assert.rejects(
      keepConnected({
        signal: new AbortController().signal,
        random,
        now: () => now,
        connect: async (_signal, connected) => {
          tries++;
          if (tries === 5) throw new RejectedError('token_expired', 'expired');
          if (tries === 3) {
            connected();
            now += 5000;
          }
          throw gone;
        },
        onBreak: (_error, attempt) => attempts.push(attempt),
      }),
    );
    assert.deepEqual(attempts, [1, 2, 1, 2]);
  });

  it('gives a stream time to come back after an outage of any length', async () => {
    const notLive = new RejectedError('stream_not_live', 'stream not being published');
    const attempts: number[] = [];
    let tries = 0;
    await assert.rejects(
      keepConnected({
        signal: new AbortController().signal,
        random,
        connect: async (_signal, connected) => {
          tries++;
          if (tries === 1) connected();
          throw tries <= 30 ? gone : notLive;
        },
        onBreak: (_error, attempt) => attempts.push(attempt),
      }),
      notLive,
    );
    assert.deepEqual(attempts.slice(29, 32), [30, 1, 2]);
    assert.equal(attempts.length, 40);
  });

  it('tells each connection when it is over, before the next begins', async () => {
    const signals: AbortSignal[] = [];
    const outcomes: Error[] = [gone, new RejectedError('token_expired', 'expired')];
    await assert.rejects(
      keepConnected({
        signal: new AbortController().signal,
        random,
        connect: async (signal) => {
          assert.ok(signals.every(({ aborted }) => aborted));
          signals.push(signal);
          throw outcomes.shift()!;
        },
        onBreak: () => {},
      }),
    );
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, true],
    );
  });

  it('ends quietly when it is told to, connected or waiting to retry', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const whileConnected = new AbortController();
    const connected = keepConnected({
      signal: whileConnected.signal,
      connect: (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      onBreak: () => assert.fail('a stop is no break'),
    });
    whileConnected.abort();
    assert.equal(await connected, undefined);

    const whileWaiting = new AbortController();
    const waiting = keepConnected({
      signal: whileWaiting.signal,
      random: () => 1,
      connect: () => Promise.reject(gone),
      onBreak: () => queueMicrotask(() => whileWaiting.abort()),
    });
    assert.equal(await waiting, undefined);
  });

  it('waits as long as the service asked', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const life = new AbortController();
    let tries = 0;
    let kept: Promise<void> | undefined;
    await new Promise<void>((broke) => {
      kept = keepConnected({
        signal: life.signal,
        random,
        connect: async () => {
          tries++;
          throw new RejectedError('busy', 'later', { retryable: true, retryAfterMs: 7000 });
        },
        onBreak: () => broke(),
      });
    });
    await nextTurn();
    t.mock.timers.tick(6999);
    await nextTurn();
    assert.equal(tries, 1);
    t.mock.timers.tick(1);
    await nextTurn();
    assert.equal(tries, 2);
    life.abort();
    await kept;
  });
});

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
