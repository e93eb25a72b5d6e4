import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  BROADCASTER_IDLE,
  type BroadcasterPhase,
  type LiveBroadcast,
} from '../../../src/client/broadcaster/broadcaster-phase.js';
import { nextBroadcasterPhase, type BroadcasterEvent } from '../../../src/client/broadcaster/next-broadcaster-phase.js';
import { RejectedError, UnreachableError } from '../../../src/client/errors.js';

const broadcast: LiveBroadcast = { streamName: 'keynote', accountId: 'acme', since: 1000 };
const broken = { error: new UnreachableError('gone'), attempt: 1, retryInMs: 250 };
const broke: BroadcasterEvent = { type: 'lost', ...broken };
const live: BroadcasterEvent[] = [{ type: 'start' }, { type: 'connected', broadcast, viewers: 2 }];

function after(...events: BroadcasterEvent[]): BroadcasterPhase {
  return events.reduce(nextBroadcasterPhase, BROADCASTER_IDLE);
}

describe('the phase of a broadcaster', () => {
  it('is live with the account, the count and the time it began', () => {
    assert.deepEqual(after(...live), { name: 'live', ...broadcast, viewers: 2 });
  });

  it('counts its time on the air through a break', () => {
    const back: BroadcasterEvent = { type: 'connected', broadcast: { ...broadcast, since: 9000 }, viewers: 0 };
    assert.deepEqual(after(...live, broke, back), { name: 'live', ...broadcast, viewers: 0 });
  });

  it('knows in a break whether it had been on the air', () => {
    assert.deepEqual(after(...live, broke), { name: 'reconnecting', ...broken, broadcast });
    assert.deepEqual(after({ type: 'start' }, broke), {
      name: 'reconnecting',
      ...broken,
      broadcast: undefined,
    });
  });

  it('is rejected when somebody else has the name', () => {
    const error = new RejectedError('stream_in_use', 'somebody else is live', { retryable: true });
    assert.deepEqual(after({ type: 'start' }, { type: 'gave-up', error }), {
      name: 'rejected',
      reason: 'stream_in_use',
      message: 'somebody else is live',
      retryable: true,
    });
  });

  it('starts anew after a refusal, and hears nothing after stop', () => {
    const error = new RejectedError('token_expired', 'expired');
    assert.deepEqual(after({ type: 'start' }, { type: 'gave-up', error }, { type: 'start' }), { name: 'starting' });
    assert.equal(after(...live, { type: 'stop' }, broke, { type: 'viewercount', viewers: 7 }), BROADCASTER_IDLE);
  });
});
