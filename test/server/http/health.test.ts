import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { healthOf, type HealthSources } from '../../../server/http/health.js';

const WELL: HealthSources = { database: [], media: { processes: 2, stopped: [] }, stoppingSince: undefined };
const databaseAway = { code: 'database_unavailable', message: 'away', since: 20 } as const;
const diskFull = { code: 'disk_full', message: 'full', since: 10 } as const;

const codesOf = (sources: Partial<HealthSources>) => {
  const { problems, down } = healthOf({ ...WELL, ...sources });
  return { problems: problems.map(({ code }) => code), down: down?.code };
};

describe('the health of a server', () => {
  it('has no problem if all is well, with any engine', () => {
    assert.deepEqual(codesOf({}), { problems: [], down: undefined });
    assert.deepEqual(codesOf({ media: undefined }), { problems: [], down: undefined });
  });

  it('is down without the database', () => {
    const database = [databaseAway];
    assert.deepEqual(codesOf({ database }), { problems: ['database_unavailable'], down: 'database_unavailable' });
  });

  it('is up with a full disk, which is a problem', () => {
    assert.deepEqual(codesOf({ database: [diskFull] }), { problems: ['disk_full'], down: undefined });
  });

  it('is up while one media process works, and down without any', () => {
    const one = [{ worker: 1, since: 5 }];
    assert.deepEqual(codesOf({ media: { processes: 2, stopped: one } }), {
      problems: ['engine_unavailable'],
      down: undefined,
    });
    const both = [...one, { worker: 0, since: 6 }];
    assert.equal(codesOf({ media: { processes: 2, stopped: both } }).down, 'engine_unavailable');
  });

  it('names the media process', () => {
    const { problems } = healthOf({ ...WELL, media: { processes: 2, stopped: [{ worker: 1, since: 5 }] } });
    assert.match(problems[0]!.message, /^The media process 1 /);
  });

  it('is down when the server stops', () => {
    assert.deepEqual(codesOf({ stoppingSince: 1 }), { problems: ['server_stopping'], down: 'server_stopping' });
  });

  it('has the oldest problem first', () => {
    const { problems } = codesOf({ database: [databaseAway, diskFull], stoppingSince: 15 });
    assert.deepEqual(problems, ['disk_full', 'server_stopping', 'database_unavailable']);
  });
});
