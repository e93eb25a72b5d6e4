import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { DatabaseUnavailableError } from '../../../server/errors.js';
import { LOST_AFTER_MS, SessionRecord, type StoredSession } from '../../../server/oversight/session-record.js';
import {
  MAX_ENDED_WAITING,
  MAX_REPORTED_AT_ONCE,
  MAX_ROWS_PER_TURN,
  REFRESH_AFTER_MS,
  SAVE_EVERY_MS,
  SessionWriter,
} from '../../../server/oversight/session-writer.js';

const anUnconnected = (id: string, address = '192.0.2.1'): SessionRecord =>
  new SessionRecord(
    {
      id,
      accountId: 'acme',
      streamName: 'main',
      role: 'viewer',
      protocol: 'websocket',
      tokenId: 1,
      address,
      origin: null,
    },
    { time: 0, live: false },
  );

const aRecord = (id: string): SessionRecord => {
  const record = anUnconnected(id);
  record.reachable(id, true, 0);
  return record;
};

const records = (count: number): SessionRecord[] => Array.from({ length: count }, (_, index) => aRecord(String(index)));

describe('SessionWriter', () => {
  let now: number;
  let saved: string[];
  let lostBefore: number[];
  let dropped: [count: number, error: unknown][];
  let isReportBroken: boolean;
  let open: SessionRecord[];
  let fault: ((sessions: readonly StoredSession[]) => Error | undefined) | undefined;
  let writer: SessionWriter;

  beforeEach(() => {
    now = 1_000_000;
    [saved, lostBefore, dropped, open] = [[], [], [], []];
    fault = undefined;
    isReportBroken = false;
    mock.timers.enable({ apis: ['setInterval'] });
    writer = new SessionWriter({
      store: {
        async save(sessions) {
          const error = fault?.(sessions);
          if (error) throw error;
          saved.push(...sessions.map(({ id }) => id));
        },
        async endLost(time) {
          lostBefore.push(time);
          const error = fault?.([]);
          if (error) throw error;
        },
      },
      openRecords: () => open,
      now: () => now,
      onDropped: (...lost) => {
        dropped.push(lost);
        if (isReportBroken) throw new Error('broken');
      },
    });
  });
  afterEach(async () => {
    await writer.close();
    mock.timers.reset();
  });

  /** @returns the ids that were written meanwhile */
  const turns = async (times: number): Promise<string[]> => {
    const before = saved.length;
    for (let turn = 0; turn < times; turn += 1) {
      now += SAVE_EVERY_MS;
      mock.timers.tick(SAVE_EVERY_MS);
      await setImmediate();
    }
    return saved.slice(before);
  };

  it('writes an open session again after 45 seconds, and an ended one never', async () => {
    const [lasting, ended] = [aRecord('lasting'), aRecord('ended')];
    ended.ended('ended', 'left', now);
    open = [lasting];
    for (const record of [lasting, ended]) writer.changed(record);
    assert.deepEqual(await turns(1), ['lasting', 'ended']);
    assert.deepEqual(await turns(REFRESH_AFTER_MS / SAVE_EVERY_MS - 1), []);
    assert.deepEqual(await turns(1), ['lasting']);
  });

  it('writes a limited number of rows in a turn, and the rest in the next one', async () => {
    for (const record of records(MAX_ROWS_PER_TURN + 1)) writer.changed(record);
    assert.deepEqual([(await turns(1)).length, (await turns(1)).length], [MAX_ROWS_PER_TURN, 1]);
  });

  it('writes reports for those who read them, and leaves those of very many viewers to their next write', async () => {
    const [reported, other] = [aRecord('reported'), aRecord('other')];
    for (const record of [reported, other]) writer.reported(record);
    await writer.flush();
    assert.deepEqual(saved, []);
    await writer.flushForReader([reported, aRecord('without reports')]);
    assert.deepEqual(saved, ['reported']);

    const crowd = records(MAX_REPORTED_AT_ONCE + 1);
    for (const record of crowd) writer.reported(record);
    await writer.flushForReader(crowd);
    assert.deepEqual(saved, ['reported']);
  });

  it('drops a row that the database refuses alone', async () => {
    const refusal = new Error('refused');
    fault = (sessions) => (sessions.some(({ id }) => id === '1') ? refusal : undefined);
    for (const record of records(3)) writer.changed(record);
    await writer.flush();
    assert.deepEqual([saved, dropped], [['0', '2'], [[1, refusal]]]);
  });

  it('writes again after a write that threw', async () => {
    isReportBroken = true;
    fault = () => new Error('refused');
    writer.changed(aRecord('one'));
    await assert.rejects(writer.flush(), { message: 'broken' });
    fault = undefined;
    writer.changed(aRecord('two'));
    await writer.flush();
    assert.deepEqual(saved, ['two']);
  });

  it('keeps what the database did not take, and of ended sessions the newest ten thousand', async () => {
    const unavailable = new DatabaseUnavailableError();
    fault = () => unavailable;
    const ended = records(MAX_ENDED_WAITING + 2);
    for (const record of ended) {
      record.ended(record.origin.id, 'left', now);
      writer.changed(record);
    }
    writer.changed(aRecord('open'));
    await assert.rejects(writer.flushForReader([]), unavailable);
    assert.deepEqual(dropped, [[2, unavailable]]);

    fault = undefined;
    await writer.flush();
    assert.deepEqual([saved.length, saved.includes('open')], [MAX_ENDED_WAITING + 1, true]);
  });

  it('ends the sessions of lost servers once a minute, and tries again in the next turn if that fails', async () => {
    fault = () => new DatabaseUnavailableError();
    await turns(1);
    fault = undefined;
    await turns(1);
    const first = now;
    await turns(LOST_AFTER_MS / 3 / SAVE_EVERY_MS);
    assert.deepEqual(
      lostBefore,
      [first - SAVE_EVERY_MS, first, first + LOST_AFTER_MS / 3].map((time) => time - LOST_AFTER_MS),
    );
  });

  it('writes few of the sessions that end before their media connects, and says how many it did not', async () => {
    const opened = (count: number, address: string) =>
      Array.from({ length: count }, (_, index) => anUnconnected(`${address} ${index}`, address));
    const flood = opened(300, '192.0.2.1');
    for (const record of flood) {
      record.connected(record.origin.id, 1);
      record.ended(record.origin.id, 'left', 1);
      writer.changed(record);
    }
    const [honest] = opened(1, '198.51.100.1');
    writer.changed(honest!);
    const written = await turns(1);
    assert.equal(written.length, 21);
    assert.ok(written.includes(honest!.origin.id));
    assert.deepEqual(dropped, [[280, undefined]]);
  });

  it('writes an open session that it has left out when its media connects', async () => {
    const flood = Array.from({ length: 30 }, (_, index) => anUnconnected(String(index)));
    open = flood;
    assert.equal((await turns(1)).length, 20);
    const last = flood.at(-1)!;
    last.reachable('29', true, 2);
    writer.changed(last);
    assert.deepEqual(await turns(1), ['29']);
    assert.deepEqual(dropped, []);
  });
});
