import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Occurrence } from '../../../server/webhooks/occurrence.js';
import { COLLECTED_FOR_MS, MOST_GROUPS, RefusalGroups } from '../../../server/webhooks/refusal-groups.js';

const refusal = {
  accountId: 'main',
  kind: 'subscribe',
  reason: 'token_expired',
  tokenId: 7,
  streamName: 'keynote',
} as const;

describe('refusals for webhooks', () => {
  it('of a minute are one event of an account, the largest group first', (test) => {
    test.mock.timers.enable({ apis: ['setTimeout'] });
    const events: Occurrence[] = [];
    let now = 1_000;
    const groups = new RefusalGroups({ onOccurrence: (one) => events.push(one), now: () => now });
    groups.add({ ...refusal, tokenId: null, reason: 'token_unknown' });
    now = 2_000;
    for (let count = 0; count < 5_000; count += 1) groups.add(refusal);
    groups.add({ ...refusal, accountId: 'other' });
    assert.equal(events.length, 0);
    test.mock.timers.tick(COLLECTED_FOR_MS);
    assert.deepEqual(
      events.map(({ accountId }) => accountId),
      ['main', 'other'],
    );
    const { accountId: _, ...group } = refusal;
    assert.deepEqual(events[0]?.event.data, {
      from: '1970-01-01T00:00:01.000Z',
      to: '1970-01-01T00:00:02.000Z',
      refusals: 5_001,
      groups: [
        { ...group, refusals: 5_000 },
        { ...group, tokenId: null, reason: 'token_unknown', refusals: 1 },
      ],
      notListed: 0,
    });
    groups.add(refusal);
    groups.close();
    assert.equal(events.length, 3);
  });

  it('of many groups and of texts that cannot be stored stay small', () => {
    const events: Occurrence[] = [];
    const groups = new RefusalGroups({ onOccurrence: (one) => events.push(one), now: () => 1 });
    for (let count = 0; count < 5_000; count += 1) {
      groups.add({ ...refusal, streamName: `${count}\0\uD800${'x'.repeat(10_000)}` });
    }
    groups.close();
    const [occurrence] = events;
    assert.ok(occurrence?.event.type === 'session.refused');
    const { refusals, groups: listed, notListed } = occurrence.event.data;
    assert.deepEqual([refusals, listed.length, notListed], [5_000, MOST_GROUPS, 5_000 - MOST_GROUPS]);
    assert.ok(JSON.stringify(occurrence).length < 10_000);
    assert.doesNotMatch(JSON.stringify(occurrence), /\\u0000|\\ud800/);
  });

  it('that name any number of accounts take a limited space', () => {
    let events = 0;
    const groups = new RefusalGroups({ onOccurrence: () => (events += 1), now: () => 1 });
    for (let count = 0; count < 5_000; count += 1) groups.add({ ...refusal, accountId: `account${count}` });
    groups.close();
    assert.equal(events, 1_000);
  });
});
