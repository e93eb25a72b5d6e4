import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { RejectedError, StreamError, UnreachableError } from '../../src/client/errors.js';
import { backoffMs, shouldReconnect } from '../../src/client/reconnect-policy.js';

describe('the wait before a retry', () => {
  it('lies anywhere between nothing and a ceiling that doubles', () => {
    assert.deepEqual(
      [0, 1, 2, 3].map((attempt) => backoffMs(attempt, 0, () => 1)),
      [500, 1000, 2000, 4000],
    );
    assert.deepEqual(
      [0, 1, 2, 3].map((attempt) => backoffMs(attempt, 0, () => 0)),
      [0, 0, 0, 0],
    );
  });

  it('never exceeds 10 s by itself, and never falls below what the service asked for', () => {
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

describe('whether to try again', () => {
  const notLive = new RejectedError('stream_not_live', 'stream not being published');

  it('is a matter of the error: nobody answering may pass, a refusal does not', () => {
    assert.equal(shouldReconnect(new UnreachableError('no answer'), 50, false), true);
    assert.equal(shouldReconnect(new RejectedError('token_expired', 'expired'), 0, true), false);
    assert.equal(shouldReconnect(new StreamError('malformed_answer', 'not ours'), 0, true), false);
    assert.equal(shouldReconnect(new TypeError('a fault of ours'), 0, true), false);
  });

  it('follows a refusal that says so of itself', () => {
    assert.equal(shouldReconnect(new RejectedError('busy', 'later', { retryable: true }), 0, false), true);
  });

  it('takes "not live" for final from a newcomer, and for passing from who was in before', () => {
    assert.equal(shouldReconnect(notLive, 0, false), false);
    assert.equal(shouldReconnect(notLive, 0, true), true);
    assert.equal(shouldReconnect(new RejectedError('stream_in_use', 'taken'), 0, true), true);
  });

  it('gives up on a passing refusal that does not pass', () => {
    assert.equal(shouldReconnect(notLive, 10, true), false);
  });
});
