import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  awaySince,
  CONNECTING,
  nextConnectionState,
  sessionOf,
  type ConnectionInput,
  type ConnectionState,
} from '../../../../server/media/janus/connection-state.js';
import { JANUS_TIMES } from '../../../../server/media/janus/janus-times.js';

const OPEN: ConnectionState = { name: 'open', session: 1 };
const after = (...inputs: ConnectionInput[]) => inputs.reduce(nextConnectionState, OPEN);

const input: fc.Arbitrary<ConnectionInput> = fc.oneof(
  fc.record({ name: fc.constant('joined' as const), session: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ name: fc.constant('socket-lost' as const), until: fc.nat(100_000) }),
  fc.record({ name: fc.constant('time-passed' as const), now: fc.nat(100_000) }),
  fc.record({ name: fc.constantFrom('session-lost' as const, 'close' as const) }),
);

describe('the connection to a Janus', () => {
  it('keeps its session while the websocket is replaced in time', () => {
    assert.deepEqual(
      after({ name: 'socket-lost', until: 5_000 }, { name: 'time-passed', now: 4_999 }, { name: 'joined', session: 1 }),
      OPEN,
    );
  });

  it('gives its session up when the time is over', () => {
    const late = after({ name: 'socket-lost', until: 5_000 }, { name: 'time-passed', now: 5_000 });
    assert.deepEqual(late, CONNECTING);
  });

  it('counts the time from the first loss', () => {
    const losses = after({ name: 'socket-lost', until: 5_000 }, { name: 'socket-lost', until: 6_000 });
    assert.deepEqual(losses, { name: 'reclaiming', session: 1, until: 5_000 });
  });

  it('takes no other session while its own may be claimed', () => {
    const lost = after({ name: 'socket-lost', until: 5_000 });
    assert.equal(nextConnectionState(lost, { name: 'joined', session: 2 }), lost);
    const joined = [CONNECTING, OPEN].map((state) => nextConnectionState(state, { name: 'joined', session: 2 }));
    assert.deepEqual(joined, [
      { name: 'open', session: 2 },
      { name: 'open', session: 2 },
    ]);
  });

  it('begins anew when Janus does not have the session any more', () => {
    const states = [OPEN, after({ name: 'socket-lost', until: 5_000 })];
    for (const state of states) assert.deepEqual(nextConnectionState(state, { name: 'session-lost' }), CONNECTING);
  });

  it('does not end by the time while it is open or has no session', () => {
    for (const state of [OPEN, CONNECTING]) {
      assert.equal(nextConnectionState(state, { name: 'time-passed', now: 99_999 }), state);
    }
    assert.equal(nextConnectionState(CONNECTING, { name: 'socket-lost', until: 5_000 }), CONNECTING);
  });

  it('has a session while it is open, or may be again', () => {
    const states = [OPEN, after({ name: 'socket-lost', until: 5_000 }), CONNECTING, after({ name: 'close' })];
    assert.deepEqual(states.map(sessionOf), [1, 1, undefined, undefined]);
  });

  it('never goes from one session to another without having lost the first', () => {
    fc.assert(
      fc.property(fc.array(input), (inputs) => {
        let state: ConnectionState = CONNECTING;
        for (const each of inputs) {
          const next = nextConnectionState(state, each);
          const [before, now] = [sessionOf(state), sessionOf(next)];
          if (before !== undefined && now !== undefined && state.name === 'reclaiming') assert.equal(now, before);
          state = next;
        }
      }),
    );
  });

  it('stays closed', () => {
    fc.assert(
      fc.property(fc.array(input), (inputs) => {
        assert.equal(after({ name: 'close' }, ...inputs).name, 'closed');
      }),
    );
  });
});

describe('a Janus', () => {
  it('is away when it has given no sign of life for more than five seconds, since the last one', () => {
    const lastSign = { at: 700, on: 1_700_000_000_000 };
    const { awayAfter } = JANUS_TIMES;
    assert.equal(awayAfter, 5_000);
    assert.equal(awaySince(lastSign, 5_700, awayAfter), undefined);
    assert.equal(awaySince(lastSign, 5_701, awayAfter), 1_700_000_000_000);
  });
});
