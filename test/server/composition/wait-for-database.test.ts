import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { beforeEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { startWhenDatabaseAnswers } from '../../../server/composition/wait-for-database.js';
import { DatabaseError } from '../../../server/store/database-errors.js';

const away = (code = 'ECONNREFUSED') => new DatabaseError(Object.assign(new Error(`connect ${code}`), { code }));

describe('a start that waits for its database', () => {
  let now: number;
  let pauses: number[];
  let waiting: number;
  let lines: { level: number; msg: string; problem?: string; waitedMs?: number }[];
  let stopping: AbortController;
  /** How each attempt ends; the last one for all further attempts. */
  let attempts: (Error | undefined)[];
  let onPause: () => void;

  beforeEach(() => {
    [now, pauses, waiting, lines, attempts] = [0, [], 0, [], []];
    stopping = new AbortController();
    onPause = () => {};
  });

  const start = (waitMs = 600_000) =>
    startWhenDatabaseAnswers(
      async () => {
        const error = attempts.length > 1 ? attempts.shift() : attempts[0];
        if (error) throw error;
        return 'started';
      },
      {
        waitMs,
        signal: stopping.signal,
        onWaiting: async () => void (waiting += 1),
        log: pino(
          new Writable({
            write(line, _encoding, done) {
              lines.push(JSON.parse(String(line)));
              done();
            },
          }),
        ),
        now: () => now,
        pause: async (ms) => {
          pauses.push(ms);
          now += ms;
          onPause();
        },
      },
    );

  it('logs nothing and does not wait if the database answers', async () => {
    attempts = [undefined];
    assert.deepEqual([await start(), pauses, lines, waiting], ['started', [], [], 0]);
  });

  it('tries again with growing pauses of at most five seconds', async () => {
    attempts = [...Array.from({ length: 7 }, () => away()), undefined];
    assert.equal(await start(), 'started');
    assert.deepEqual(pauses, [250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
    assert.equal(waiting, 1);
  });

  it('logs each problem once, and the end of the wait', async () => {
    attempts = [away(), away(), away('ECONNRESET'), away(), undefined];
    await start();
    assert.deepEqual(
      lines.map(({ level, problem, waitedMs }) => [level, problem ?? waitedMs]),
      [
        [40, 'the database of DATABASE_URL cannot be used: connect ECONNREFUSED'],
        [40, 'the database of DATABASE_URL cannot be used: connect ECONNRESET'],
        [30, 3_750],
      ],
    );
  });

  it('ends at once for every other fault, also after an outage', async () => {
    const fault = new DatabaseError(new Error('password authentication failed for user "streamgate"'));
    attempts = [fault];
    await assert.rejects(start(), fault);
    attempts = [away(), fault];
    await assert.rejects(start(), fault);
    assert.deepEqual(pauses, [250]);
  });

  it('ends with the fault of the last attempt when the time is over', async () => {
    attempts = [away()];
    await assert.rejects(start(10_000), /ECONNREFUSED/);
    assert.equal(now, 10_000);
    assert.equal(pauses.at(-1), 2_250);
  });

  it('does not wait at all with no time', async () => {
    attempts = [away()];
    await assert.rejects(start(0), /ECONNREFUSED/);
    assert.deepEqual([pauses, waiting], [[], 0]);
  });

  it('starts nothing any more when it is stopped', async () => {
    attempts = [away(), undefined];
    onPause = () => stopping.abort();
    assert.equal(await start(), undefined);
  });
});
