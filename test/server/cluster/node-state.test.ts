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

  it('stays as long as it has, whatever is said of another epoch or comes late', () => {
    const before = after(joins(2));
    const unchanged: NodeInput[] = [
      { name: 'expired', epoch: 1 },
      renews(1, 1_000),
      renews(2, -1_000),
      waits(STOPS_AFTER_MS - 1),
    ];
    for (const input of unchanged) assert.deepEqual(nextNodeState(before, input), before, input.name);
    assert.deepEqual(nextNodeState(before, renews(2, 1_000)), { ...before, until: 1_000 + STOPS_AFTER_MS });
  });

  it('lapses by an answer that comes when its time has passed', () => {
    const late = { sentAt: 1, now: STOPS_AFTER_MS } as const;
    assert.deepEqual(after(joins(1), { name: 'renewed', epoch: 1, ...late }), { name: 'out', hasLapsed: true });
    const joined = { name: 'joined', epoch: 2, sentAt: 0, now: STOPS_AFTER_MS } as const;
    assert.deepEqual(after(joins(1), joined), { name: 'out', hasLapsed: true });
  });

  it('that is out has nothing to renew and nothing that passes', () => {
    for (const input of [renews(1), waits(1), { name: 'expired', epoch: 1 } as const]) {
      assert.equal(nextNodeState(OUT, input), OUT);
    }
  });

  it('that joins again while it is returning still is', () => {
    const back = [joins(1), waits(STOPS_AFTER_MS), joins(2, STOPS_AFTER_MS), joins(3, STOPS_AFTER_MS)] as const;
    assert.deepEqual(after(...back), { ...member, epoch: 3, until: 2 * STOPS_AFTER_MS, isReturning: true });
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
