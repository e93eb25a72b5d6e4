import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  AWAY_AFTER_MS,
  awaySince,
  CONNECTING,
  nextConnectionState,
  RECLAIM_WITHIN_MS,
  sessionOf,
  type ConnectionInput,
  type ConnectionState,
} from '../../../../server/media/janus/connection-state.js';

const OPEN: ConnectionState = { name: 'open', session: 1 };
const after = (...inputs: ConnectionInput[]) => inputs.reduce(nextConnectionState, OPEN);

const input: fc.Arbitrary<ConnectionInput> = fc.oneof(
  fc.record({ name: fc.constant('joined' as const), session: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ name: fc.constantFrom('socket-lost' as const, 'time-passed' as const), now: fc.nat(100_000) }),
  fc.record({ name: fc.constantFrom('session-lost' as const, 'close' as const) }),
);

describe('the connection to a Janus', () => {
  it('keeps its session while the websocket is replaced in time', () => {
    const now = RECLAIM_WITHIN_MS - 1;
    assert.deepEqual(
      after({ name: 'socket-lost', now: 0 }, { name: 'time-passed', now }, { name: 'joined', session: 1 }),
      OPEN,
    );
  });

  it('gives its session up when the time is over', () => {
    const late = after({ name: 'socket-lost', now: 0 }, { name: 'time-passed', now: RECLAIM_WITHIN_MS });
    assert.deepEqual(late, CONNECTING);
  });

  it('counts the time from the first loss', () => {
    const losses = after({ name: 'socket-lost', now: 0 }, { name: 'socket-lost', now: 1_000 });
    assert.deepEqual(losses, { name: 'reclaiming', session: 1, until: RECLAIM_WITHIN_MS });
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
    assert.equal(AWAY_AFTER_MS, 5_000);
    assert.equal(awaySince(lastSign, 5_700), undefined);
    assert.equal(awaySince(lastSign, 5_701), 1_700_000_000_000);
  });
});
