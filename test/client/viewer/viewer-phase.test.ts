import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { RejectedError, UnreachableError } from '../../../src/client/errors.js';
import {
  nextViewerPhase,
  VIEWER_IDLE,
  type ViewerEvent,
  type ViewerPhase,
} from '../../../src/client/viewer/viewer-phase.js';
import { fakeMedia } from '../../support/client/fake-media.js';

const media = fakeMedia();
const unreachable = new UnreachableError('no answer');
const refused = new RejectedError('token_expired', 'Unauthorized: Token expired');

function after(...events: ViewerEvent[]): ViewerPhase {
  return events.reduce(nextViewerPhase, VIEWER_IDLE);
}

const connecting: ViewerEvent[] = [{ type: 'start' }, { type: 'admitted' }];
const waiting: ViewerEvent[] = [...connecting, { type: 'connected', live: undefined }];
const live: ViewerEvent[] = [...connecting, { type: 'connected', live: { media, viewers: 3 } }];

describe('the phase of a viewer', () => {
  it('has the media while connecting to a live stream, until the stream ends', () => {
    const active: ViewerEvent = { type: 'active', media, viewers: undefined };
    assert.deepEqual(after(...connecting, active), { name: 'connecting', media });
    assert.deepEqual(after(...connecting, active, { type: 'inactive' }), { name: 'connecting' });
  });

  it('is connecting after it was admitted', () => {
    assert.deepEqual(after(...connecting), { name: 'connecting' });
  });

  it('is waiting when it is connected and there is no publisher', () => {
    assert.deepEqual(after(...waiting), { name: 'waiting' });
  });

  it('has the media that will be live while it waits, also when another session takes over', () => {
    const waitingWith = after(...connecting, { type: 'connected', live: undefined, awaited: { media } });
    assert.deepEqual(waitingWith, { name: 'waiting', media });
    const other = fakeMedia();
    const next = nextViewerPhase(waitingWith, { type: 'connected', live: undefined, awaited: { media: other } });
    assert.ok(next.name === 'waiting' && next.media === other);
  });

  it('waits without a connection when a viewer without a token comes too early, and asks when the stream begins', () => {
    const early = after({ type: 'start' }, { type: 'not-live' });
    assert.deepEqual(early, { name: 'waiting' });
    assert.equal(nextViewerPhase(early, { type: 'not-live' }), early);
    assert.deepEqual(nextViewerPhase(early, { type: 'begun' }), { name: 'authorizing' });
    assert.deepEqual(after(...live, { type: 'begun' }), after(...live));
  });

  it('is live at once when it connects to a live stream', () => {
    assert.deepEqual(after(...live), { name: 'live', media, viewers: 3 });
  });

  it('becomes live when the stream starts', () => {
    assert.deepEqual(after(...waiting, { type: 'active', media, viewers: 1 }), { name: 'live', media, viewers: 1 });
  });

  it('stays ended if the broadcaster ended the broadcast, until it is live again', () => {
    const over = after(...live, { type: 'inactive', declared: true });
    assert.deepEqual(over, { name: 'ended', declared: true });
    assert.equal(nextViewerPhase(over, { type: 'end-shown' }), over);
    assert.equal(nextViewerPhase(over, { type: 'connected', live: undefined }), over);
    assert.deepEqual(nextViewerPhase(over, { type: 'active', media, viewers: 1 }), { name: 'live', media, viewers: 1 });
  });

  it('is ended for a viewer who comes soon after a declared end, with a session and without', () => {
    const end = { declared: true, endedOn: 5 } as const;
    const over = { name: 'ended', ...end };
    assert.deepEqual(after(...connecting, { type: 'connected', live: undefined, end }), over);
    assert.deepEqual(after(...connecting, { type: 'connected', live: undefined, end: {} }), { name: 'waiting' });
    const guest = after({ type: 'start' }, { type: 'not-live' }, { type: 'inactive', ...end });
    assert.deepEqual(guest, over);
    assert.equal(nextViewerPhase(guest, { type: 'not-live' }), guest);
    assert.deepEqual(nextViewerPhase(guest, { type: 'begun' }), { name: 'authorizing' });
  });

  it('is ended for good when a loss turns out to have been declared', () => {
    const lost = after(...live, { type: 'inactive' });
    const end = { type: 'inactive', declared: true, endedOn: 5 } as const;
    for (const phase of [lost, nextViewerPhase(lost, { type: 'end-shown' })]) {
      assert.deepEqual(nextViewerPhase(phase, end), { name: 'ended', declared: true, endedOn: 5 });
    }
    const over = nextViewerPhase(lost, end);
    assert.equal(nextViewerPhase(over, end), over);
    assert.equal(nextViewerPhase(over, { type: 'inactive' }), over);
  });

  it('ends when the broadcast stops, then waits', () => {
    assert.deepEqual(after(...live, { type: 'inactive' }), { name: 'ended' });
    assert.deepEqual(after(...live, { type: 'inactive' }, { type: 'end-shown' }), { name: 'waiting' });
  });

  it('is live again when the broadcaster publishes again', () => {
    assert.equal(after(...live, { type: 'inactive' }, { type: 'active', media, viewers: 1 }).name, 'live');
  });

  it('has the new viewer count, and stays the same object for the same count', () => {
    const before = after(...live);
    assert.equal(nextViewerPhase(before, { type: 'viewercount', viewers: 3 }), before);
    assert.deepEqual(nextViewerPhase(before, { type: 'viewercount', viewers: 4 }), { name: 'live', media, viewers: 4 });
  });

  it('has no video while the server has paused it, whatever the viewer count is', () => {
    const paused = after(...live, { type: 'active', media, viewers: 3, videoPaused: true });
    assert.deepEqual(nextViewerPhase(paused, { type: 'viewercount', viewers: 4 }), {
      name: 'live',
      media,
      viewers: 4,
      videoPaused: true,
    });
    assert.deepEqual(nextViewerPhase(paused, { type: 'active', media, viewers: 3 }), {
      name: 'live',
      media,
      viewers: 3,
    });
  });

  it('stays reconnecting after a new grant, until it is connected', () => {
    const reconnecting = after(...live, { type: 'lost', error: unreachable, attempt: 1, retryInMs: 250 });
    assert.deepEqual(reconnecting, { name: 'reconnecting', attempt: 1, error: unreachable, retryInMs: 250 });
    assert.equal(nextViewerPhase(reconnecting, { type: 'admitted' }), reconnecting);
    assert.equal(nextViewerPhase(reconnecting, { type: 'connected', live: undefined }).name, 'waiting');
  });

  const lost: ViewerEvent = { type: 'lost', error: unreachable, attempt: 1, retryInMs: 250 };
  const active: ViewerEvent = { type: 'active', media, viewers: 1 };
  const nothing: [what: string, before: ViewerEvent[], event: ViewerEvent][] = [
    ['a second start', [{ type: 'start' }], { type: 'start' }],
    ['a session of before while it asks for a grant', [{ type: 'start' }], { type: 'connected', live: undefined }],
    ['a stream that starts while it asks for a grant', [{ type: 'start' }], active],
    ['a stream that starts while it reconnects', [...live, lost], active],
    ['a stream that ends while it waits', waiting, { type: 'inactive' }],
    ['the end of the time for which an end is shown, if it is live again', live, { type: 'end-shown' }],
    ['a viewer count while it waits', waiting, { type: 'viewercount', viewers: 4 }],
    ['another session, while an end is shown', [...live, { type: 'inactive' }], { type: 'connected', live: undefined }],
    ['a lost connection after a refusal', [{ type: 'start' }, { type: 'gave-up', error: refused }], lost],
    ['a lost connection after a failure', [{ type: 'start' }, { type: 'gave-up', error: unreachable }], lost],
  ];
  for (const [what, before, event] of nothing) {
    it(`is not changed by ${what}`, () => {
      const phase = after(...before);
      assert.equal(nextViewerPhase(phase, event), phase);
    });
  }

  it('starts again after a refusal and after a failure', () => {
    for (const error of [refused, unreachable]) {
      assert.deepEqual(after({ type: 'start' }, { type: 'gave-up', error }, { type: 'start' }), {
        name: 'authorizing',
      });
    }
  });

  it('carries the reason of a refusal', () => {
    assert.deepEqual(after({ type: 'start' }, { type: 'gave-up', error: refused }), {
      name: 'rejected',
      reason: 'token_expired',
      message: 'Unauthorized: Token expired',
      retryable: false,
    });
  });

  it('fails with any other error', () => {
    assert.deepEqual(after({ type: 'start' }, { type: 'gave-up', error: unreachable }), {
      name: 'failed',
      error: unreachable,
    });
  });

  it('is idle after stop, whatever happened before, and leaves idle only by start', () => {
    const event = fc.constantFrom<ViewerEvent>(
      ...live,
      ...waiting,
      { type: 'active', media, viewers: 1 },
      { type: 'inactive' },
      { type: 'end-shown' },
      { type: 'viewercount', viewers: 9 },
      { type: 'lost', error: unreachable, attempt: 1, retryInMs: 250 },
      { type: 'gave-up', error: refused },
    );
    fc.assert(
      fc.property(fc.array(event), event, (events, next) => {
        const stopped = after(...events, { type: 'stop' });
        assert.equal(stopped, VIEWER_IDLE);
        if (next.type !== 'start') assert.equal(nextViewerPhase(stopped, next), VIEWER_IDLE);
      }),
    );
  });
});
