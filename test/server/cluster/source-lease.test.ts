import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FREE, nextSourceLease, type LeaseInput, type SourceLease } from '../../../server/cluster/source-lease.js';
import { streamIdOf } from '../../../server/streams/stream-id.js';
import type { LeaseHolder } from '../../../server/streams/stream-leases.js';

const holder: LeaseHolder = { streamId: streamIdOf('acme', 'main'), sourceId: null, sessionId: 'session' };
const claimed = { holder, earlier: [], unwritten: undefined };
const states: readonly SourceLease[] = [
  FREE,
  { name: 'unconfirmed', ...claimed },
  { name: 'held', ...claimed },
  { name: 'released', earlier: ['session'], endsStream: false },
];
const inputs: readonly LeaseInput[] = [
  { name: 'claimed', holder },
  { name: 'answered', holder, isHeld: true },
  { name: 'changed', change: { ...holder, isLive: true, keptForMs: null, isInterrupted: false } },
  { name: 'released', sessionId: 'session', endsStream: false },
  { name: 'seen', sessionId: 'session' },
  { name: 'written' },
  { name: 'lapsed' },
];

describe('the lease of a source', () => {
  it('goes from each state by each input to one other, or nowhere if that cannot happen', () => {
    const edges = states.map((state) => inputs.map((input) => nextSourceLease(state, input)?.name ?? 'impossible'));
    assert.deepEqual(edges, [
      ['unconfirmed', 'impossible', 'free', 'free', 'released', 'impossible', 'impossible'],
      ['unconfirmed', 'held', 'unconfirmed', 'released', 'unconfirmed', 'impossible', 'unconfirmed'],
      ['unconfirmed', 'impossible', 'held', 'released', 'held', 'held', 'unconfirmed'],
      ['unconfirmed', 'released', 'released', 'released', 'released', 'free', 'released'],
    ]);
  });

  it('is given back for every session that the database may have it for', () => {
    const claimOf = (sessionId: string): LeaseHolder => ({ ...holder, sessionId });
    const claims = ['first', 'second', 'third'].map(claimOf);
    let lease: SourceLease = FREE;
    for (const claim of claims) lease = nextSourceLease(lease, { name: 'claimed', holder: claim })!;
    lease = nextSourceLease(lease, { name: 'answered', holder: claims[0]!, isHeld: true })!;
    lease = nextSourceLease(lease, { name: 'released', sessionId: 'first', endsStream: true })!;
    assert.equal(lease.name, 'unconfirmed');
    lease = nextSourceLease(lease, { name: 'released', sessionId: 'third', endsStream: true })!;
    assert.deepEqual(lease, { name: 'released', earlier: ['first', 'second', 'third'], endsStream: true });
  });

  it('tells the database of the session that has the source what was not told of the one before', () => {
    const change = { ...holder, isLive: true, keptForMs: 10_000, isInterrupted: false };
    const lost = nextSourceLease({ name: 'held', ...claimed }, { name: 'changed', change })!;
    const resumed = { ...holder, sessionId: 'resumed' };
    assert.deepEqual(nextSourceLease(lost, { name: 'claimed', holder: resumed }), {
      name: 'unconfirmed',
      holder: resumed,
      earlier: ['session'],
      unwritten: { isLive: true, keptForMs: null, isInterrupted: false },
    });
  });
});
