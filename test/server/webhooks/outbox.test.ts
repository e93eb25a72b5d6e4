import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DatabaseUnavailableError } from '../../../server/errors.js';
import type { Occurrence } from '../../../server/webhooks/occurrence.js';
import { MOST_WAITING, Outbox } from '../../../server/webhooks/outbox.js';
import { aStart } from '../../support/webhook.js';

function openOutbox(write: (batch: readonly Occurrence[]) => Promise<void>) {
  const dropped: number[] = [];
  const outbox = new Outbox({ store: { write }, onWritten: () => {}, onDropped: (count) => dropped.push(count) });
  return { outbox, dropped };
}

describe('the outbox', () => {
  it('writes in the order in which it was added, also after the database was away', async () => {
    const written: string[] = [];
    let isAway = true;
    const { outbox, dropped } = openOutbox(async (batch) => {
      if (isAway) throw new DatabaseUnavailableError();
      written.push(...batch.map(({ eventId }) => eventId));
    });
    const events = Array.from({ length: 250 }, (_, index) => aStart(`s${index}`));
    for (const event of events) outbox.add(event);
    await outbox.flush();
    assert.deepEqual(written, []);
    isAway = false;
    await outbox.close();
    assert.deepEqual(
      written,
      events.map(({ eventId }) => eventId),
    );
    assert.deepEqual(dropped, []);
  });

  it('drops what the database refuses, and goes on', async () => {
    let isRefusing = true;
    const { outbox, dropped } = openOutbox(async () => {
      if (isRefusing) throw new Error('a row is wrong');
    });
    outbox.add(aStart());
    await outbox.flush();
    isRefusing = false;
    outbox.add(aStart());
    await outbox.close();
    assert.deepEqual(dropped, [1]);
  });

  it('keeps a limited number while the database is away, and says how many were lost', async () => {
    const { outbox, dropped } = openOutbox(async () => {
      throw new DatabaseUnavailableError();
    });
    const event = aStart();
    for (let count = 0; count < MOST_WAITING + 2; count += 1) outbox.add(event);
    assert.deepEqual(dropped, [1, 1]);
    await outbox.close();
    assert.deepEqual(dropped, [1, 1, MOST_WAITING]);
  });
});
