import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { RejectedError, StreamError, UnreachableError } from '../../../src/client/errors.js';
import { backoffMs } from '../../../src/client/connection/backoff.js';
import { reconnectLoop, type Retry } from '../../../src/client/connection/reconnect-loop.js';
import {
  isAwaitingOthers,
  isNotLive,
  isTemporary,
  shouldReconnect,
} from '../../../src/client/connection/reconnect-policy.js';
import { endedError } from '../../../src/client/connection/signalling.js';
import { ruleRefusalCode } from '../../../src/wire/director/refusal-code.js';
import { stopCode } from '../../../src/wire/websocket/stop-code.js';

describe('the wait before a retry', () => {
  it('is a random time up to a ceiling that doubles', () => {
    assert.deepEqual(
      [0, 1, 2, 3].map((attempt) => backoffMs(attempt, 0, () => 1)),
      [500, 1000, 2000, 4000],
    );
    assert.deepEqual(
      [0, 1, 2, 3].map((attempt) => backoffMs(attempt, 0, () => 0)),
      [0, 0, 0, 0],
    );
  });

  it('is never less than the server asked for, and at most 10 s more', () => {
    fc.assert(
      fc.property(
        fc.nat(2000),
        fc.nat(100_000),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempt, floor, random) => {
          const wait = backoffMs(attempt, floor, () => random);
          assert.ok(wait >= floor && wait <= floor + 10_000, String(wait));
        },
      ),
    );
  });
});

describe('shouldReconnect', () => {
  const inUse = endedError('stream_in_use', 'another publisher is live');

  it('is true where nothing answers, and false after a refusal', () => {
    assert.equal(shouldReconnect(new UnreachableError('no answer'), 50, false), true);
    assert.equal(shouldReconnect(new RejectedError('token_expired', 'expired'), 0, true), false);
    assert.equal(shouldReconnect(new StreamError('malformed_answer', 'not ours'), 0, true), false);
  });

  it('is true after a retryable refusal', () => {
    assert.equal(shouldReconnect(new RejectedError('busy', 'later', { retryable: true }), 0, false), true);
    assert.equal(isTemporary('network_busy'), true);
  });

  it('is true before a stream is live, however often', () => {
    assert.equal(shouldReconnect(endedError('stream_not_live'), 50, false), true);
  });

  it('is true after stream_in_use for a client that was admitted before, and false for a new one', () => {
    assert.equal(shouldReconnect(inUse, 0, false), false);
    assert.equal(shouldReconnect(inUse, 0, true), true);
    assert.equal(shouldReconnect(endedError('token_full'), 0, true), true);
    assert.equal(shouldReconnect(endedError('token_full'), 0, false), false);
  });

  it('is false after ten such refusals', () => {
    assert.equal(shouldReconnect(inUse, 10, true), false);
  });

  it('is true for retryable errors alone', () => {
    const reasons = [...ruleRefusalCode.options, ...stopCode.options, 'engine_unavailable', 'internal', 'moon_phase'];
    fc.assert(
      fc.property(fc.constantFrom(...reasons), fc.nat(20), fc.boolean(), (code, refusals, admitted) => {
        const error = endedError(code, 'no');
        assert.equal(error.retryable, isTemporary(code));
        if (shouldReconnect(error, refusals, admitted)) assert.equal(error.retryable, true, code);
      }),
    );
    assert.deepEqual(
      ['stream_not_live', 'stream_in_use', 'token_full', 'transport_lost', 'token_expired', 'displaced'].map(
        isTemporary,
      ),
      [true, true, true, true, false, false],
    );
  });

  it('decides in the loop: after each error another attempt follows, or the loop ends', async () => {
    const outcome = fc.constantFrom<StreamError>(
      new UnreachableError('gone'),
      endedError('stream_not_live'),
      endedError('stream_in_use'),
      endedError('server_stopping'),
      new RejectedError('busy', 'later', { retryable: true }),
      new RejectedError('token_expired', 'expired'),
      new StreamError('malformed_answer', 'not ours'),
    );
    const step = fc.record({ error: outcome, connects: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const last = { error: new StreamError('unexpected', 'the end'), connects: false };
        const left = [...steps, last];
        const retries: Retry[] = [];
        const thrown: StreamError[] = [];
        const gaveUp = await reconnectLoop({
          signal: new AbortController().signal,
          random: () => 0,
          connect: async ({ connected }) => {
            const { error, connects } = left.shift()!;
            if (connects) connected();
            thrown.push(error);
            throw error;
          },
          onRetry: (retry) => void retries.push(retry),
        }).catch((error: unknown) => error);

        assert.equal(gaveUp, thrown.at(-1));
        // Each reported loss was followed by an attempt. A viewer who came too early lost nothing.
        assert.deepEqual(
          retries.map(({ error }) => error),
          thrown.slice(0, -1).filter((error) => !isNotLive(error)),
        );
        assert.ok(retries.every(({ error, retryInMs }) => error.retryable && retryInMs >= 0));
        let refusals = 0;
        let admitted = false;
        for (const [index, error] of thrown.entries()) {
          admitted ||= [...steps, last][index]!.connects;
          assert.equal(shouldReconnect(error, refusals, admitted), index < thrown.length - 1);
          refusals = isAwaitingOthers(error) ? refusals + 1 : 0;
        }
      }),
      { numRuns: 50 },
    );
  });
});
