import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { STOPS_AFTER_MS } from '../../../server/cluster/lease-times.js';
import { CLOSED, nextNodeState, OUT, type NodeInput, type NodeState } from '../../../server/cluster/node-state.js';

const joins = (epoch: number, at = 0): NodeInput => ({ name: 'joined', epoch, sentAt: at, now: at });
const renews = (epoch: number, at = 0): NodeInput => ({ name: 'renewed', epoch, sentAt: at, now: at });
const waits = (until: number): NodeInput => ({ name: 'time-passed', now: until });

const after = (...inputs: readonly NodeInput[]): NodeState => inputs.reduce(nextNodeState, OUT);
const member = { name: 'in', epoch: 1, until: STOPS_AFTER_MS, isReturning: false };

describe('a node', () => {
  it('that joins for the first time does not return', () => {
    assert.deepEqual(after(joins(1)), member);
  });

  it('that could not join in time has not lapsed', () => {
    const late = { name: 'joined', epoch: 1, sentAt: 0, now: STOPS_AFTER_MS } as const;
    assert.deepEqual(after(late, late), { name: 'out', hasLapsed: false });
  });

  it('lapses when its time has passed, and when the database says so', () => {
    const lapsed = { name: 'out', hasLapsed: true };
    assert.deepEqual(after(joins(1), waits(STOPS_AFTER_MS)), lapsed);
    assert.deepEqual(after(joins(1), { name: 'expired', epoch: 1 }), lapsed);
  });

  it('that has lapsed is returning from the next join to the next heartbeat that is answered', () => {
    const back = [joins(1), waits(STOPS_AFTER_MS), joins(2, STOPS_AFTER_MS)] as const;
    const returning = { ...member, epoch: 2, until: 2 * STOPS_AFTER_MS, isReturning: true };
    assert.deepEqual(after(...back), returning);
    assert.deepEqual(after(...back, renews(1, STOPS_AFTER_MS)), returning);
    assert.deepEqual(after(...back, renews(2, STOPS_AFTER_MS)), { ...returning, isReturning: false });
  });

  it('that leaves does not come back, and does not lapse', () => {
    const late = [joins(1), renews(1), waits(STOPS_AFTER_MS), { name: 'expired', epoch: 1 }] as const;
    for (const input of late) assert.deepEqual(nextNodeState(CLOSED, input), CLOSED);
  });
});
