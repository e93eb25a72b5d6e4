import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  BROADCASTER_IDLE,
  type BroadcasterPhase,
  type LiveBroadcast,
} from '../../../../src/client/broadcaster/broadcaster-phase.js';
import { UnreachableError } from '../../../../src/client/errors.js';
import { broadcasterEvents } from '../../../../src/elements/broadcaster/live/broadcaster-events.js';

const broadcast: LiveBroadcast = { streamName: 'keynote', accountId: 'acme', since: 1000 };
const error = new UnreachableError('gone');
const starting: BroadcasterPhase = { name: 'starting' };
const live = (viewers: number): BroadcasterPhase => ({ name: 'live', viewers, ...broadcast });
const reconnecting = (was: LiveBroadcast | undefined): BroadcasterPhase => ({
  name: 'reconnecting',
  attempt: 1,
  error,
  retryInMs: 250,
  broadcast: was,
});
const rejected: BroadcasterPhase = { name: 'rejected', reason: 'token_expired', message: 'ran out', retryable: false };
const failed: BroadcasterPhase = { name: 'failed', error };

describe('broadcasterEvents', () => {
  const steps: readonly [from: BroadcasterPhase, to: BroadcasterPhase, events: readonly string[]][] = [
    [BROADCASTER_IDLE, starting, []],
    [starting, live(0), ['stream-live', 'stream-viewer-count']],
    [live(0), live(2), ['stream-viewer-count']],
    [live(2), live(2), []],
    [live(2), reconnecting(broadcast), ['stream-error']],
    [reconnecting(broadcast), live(2), ['stream-live', 'stream-viewer-count']],
    [reconnecting(broadcast), failed, ['stream-ended', 'stream-error']],
    [reconnecting(broadcast), BROADCASTER_IDLE, ['stream-ended']],
    [reconnecting(undefined), BROADCASTER_IDLE, []],
    [live(2), BROADCASTER_IDLE, ['stream-ended']],
    [live(2), rejected, ['stream-ended', 'stream-rejected']],
    [starting, rejected, ['stream-rejected']],
    [starting, failed, ['stream-error']],
    [starting, BROADCASTER_IDLE, []],
  ];
  for (const [from, to, events] of steps) {
    const was = 'broadcast' in from && !from.broadcast ? ', never live,' : '';
    it(`sends ${events.join(' and ') || 'nothing'} when ${from.name}${was} becomes ${to.name}`, () => {
      assert.deepEqual(
        [...broadcasterEvents(to, from)].map(({ type }) => type),
        events,
      );
    });
  }

  it('carry the stream name, the number of viewers and the error', () => {
    const events = [...broadcasterEvents(live(3), starting), ...broadcasterEvents(failed, live(3))];
    assert.deepEqual(
      events.map((event) => ['streamName', 'viewers', 'error'].flatMap((name) => Reflect.get(event, name) ?? [])),
      [['keynote'], [3], ['keynote'], [error]],
    );
  });
});
