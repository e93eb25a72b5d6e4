import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  BROADCASTER_IDLE,
  type BroadcasterPhase,
  type LiveBroadcast,
} from '../../../src/client/broadcaster/broadcaster-phase.js';
import { nextBroadcasterPhase, type BroadcasterEvent } from '../../../src/client/broadcaster/next-broadcaster-phase.js';
import { RejectedError, UnreachableError } from '../../../src/client/errors.js';

const broadcast: LiveBroadcast = { streamName: 'keynote', accountId: 'acme', since: 1000 };
const retry = { error: new UnreachableError('gone'), attempt: 1, retryInMs: 250 };
const lost: BroadcasterEvent = { type: 'lost', ...retry };
const live: BroadcasterEvent[] = [{ type: 'start' }, { type: 'connected', broadcast, viewers: 2 }];

function after(...events: BroadcasterEvent[]): BroadcasterPhase {
  return events.reduce(nextBroadcasterPhase, BROADCASTER_IDLE);
}

describe('the phase of a broadcaster', () => {
  it('is live with the account, the viewer count and the time of its start', () => {
    assert.deepEqual(after(...live), { name: 'live', ...broadcast, viewers: 2 });
  });

  it('keeps the time of its start after a loss', () => {
    const back: BroadcasterEvent = { type: 'connected', broadcast: { ...broadcast, since: 9000 }, viewers: 0 };
    assert.deepEqual(after(...live, lost, back), { name: 'live', ...broadcast, viewers: 0 });
  });

  it('carries the broadcast while reconnecting, where it had been live', () => {
    assert.deepEqual(after(...live, lost), { name: 'reconnecting', ...retry, broadcast });
    assert.deepEqual(after({ type: 'start' }, lost), {
      name: 'reconnecting',
      ...retry,
      broadcast: undefined,
    });
  });

  it('has the new viewer count while it is live, and stays the same object for the same count', () => {
    const before = after(...live);
    assert.equal(nextBroadcasterPhase(before, { type: 'viewercount', viewers: 2 }), before);
    const next = nextBroadcasterPhase(before, { type: 'viewercount', viewers: 3 });
    assert.deepEqual(next, { name: 'live', ...broadcast, viewers: 3 });
    for (const phase of [after({ type: 'start' }), after(...live, lost)]) {
      assert.equal(nextBroadcasterPhase(phase, { type: 'viewercount', viewers: 3 }), phase);
    }
  });

  it('is rejected when another publisher has the source', () => {
    const error = new RejectedError('stream_in_use', 'another publisher is live', { retryable: true });
    assert.deepEqual(after({ type: 'start' }, { type: 'gave-up', error }), {
      name: 'rejected',
      reason: 'stream_in_use',
      message: 'another publisher is live',
      retryable: true,
    });
  });

  it('starts again after a refusal, and ignores events after stop', () => {
    const error = new RejectedError('token_expired', 'expired');
    assert.deepEqual(after({ type: 'start' }, { type: 'gave-up', error }, { type: 'start' }), { name: 'starting' });
    assert.equal(after(...live, { type: 'stop' }, lost, { type: 'viewercount', viewers: 7 }), BROADCASTER_IDLE);
  });

  it('moves from idle, rejected and failed by start and stop alone, whatever came before', () => {
    const error = new RejectedError('token_expired', 'expired');
    const events: BroadcasterEvent[] = [
      ...live,
      lost,
      { type: 'viewercount', viewers: 7 },
      { type: 'gave-up', error },
      { type: 'gave-up', error: retry.error },
      { type: 'stop' },
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events)), fc.constantFrom(...events), (before, event) => {
        const phase = after(...before);
        const next = nextBroadcasterPhase(phase, event);
        const isOver = ['idle', 'rejected', 'failed'].includes(phase.name);
        if (isOver && event.type !== 'start' && event.type !== 'stop') assert.equal(next, phase);
        if (event.type === 'stop') assert.equal(next, BROADCASTER_IDLE);
        if (phase.name === 'live' && next.name === 'reconnecting') assert.equal(next.broadcast?.since, phase.since);
      }),
    );
  });
});
