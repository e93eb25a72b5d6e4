import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding, LastingFinding } from '../../../server/health/health-checks.js';
import { healthOf, type HealthSources } from '../../../server/http/health.js';

const WELL: HealthSources = {
  database: [],
  media: { isUsable: true, faults: [] },
  findings: [],
  stoppingSince: undefined,
};
const databaseAway = { code: 'database_unavailable', message: 'away', since: 20 } as const;
const fault = { component: 'media_process_1', message: 'away', since: 5 };
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

  it('is up while sessions can have media, and down if none can', () => {
    const problems = ['engine_unavailable'];
    assert.deepEqual(codesOf({ media: { isUsable: true, faults: [fault] } }), { problems, down: undefined });
    assert.deepEqual(codesOf({ media: { isUsable: false, faults: [fault] } }), { problems, down: problems[0] });
  });

  it('names the component of the media engine', () => {
    const { problems } = healthOf({ ...WELL, media: { isUsable: true, faults: [fault] } });
    assert.deepEqual(problems, [{ code: 'engine_unavailable', ...fault }]);
  });

  it('is up with what the checks find, and tells warnings apart', () => {
    const problem = { level: 'problem', code: 'rtmp_unavailable', component: 'rtmp', message: 'no', since: 3 } as const;
    const warning = {
      level: 'warning',
      code: 'webhooks_stuck',
      component: 'webhooks',
      message: 'no',
      since: 4,
    } as const;
    const old = { component: 'webrtc_library', message: 'old', since: 1 };
    const media = { isUsable: true, faults: [], unsupported: old };
    assert.deepEqual(healthOf({ ...WELL, media, findings: [warning, problem] }), {
      problems: [{ code: 'rtmp_unavailable', component: 'rtmp', message: 'no', since: 3 }],
      warnings: [
        { code: 'openssl_unsupported', ...old },
        { code: 'webhooks_stuck', component: 'webhooks', message: 'no', since: 4 },
      ],
      down: undefined,
    });
  });

  it('is down when the server stops', () => {
    assert.deepEqual(codesOf({ stoppingSince: 1 }), { problems: ['server_stopping'], down: 'server_stopping' });
  });

  describe('has one entry for one cause', () => {
    const finding = (code: Finding['code'], component: string, more: Partial<LastingFinding> = {}) =>
      ({ level: 'problem', code, component, message: component, since: 30, ...more }) as LastingFinding;
    const allOf = (sources: Partial<HealthSources>) => {
      const { problems, warnings } = healthOf({ ...WELL, ...sources });
      return [...problems, ...warnings].map(({ code, component = 'database' }) => `${code} ${component}`);
    };
    const jobs = finding('job_failed', 'jobs', { level: 'warning' });
    const webhooks = finding('webhooks_stuck', 'webhooks', { level: 'warning' });

    it('for a database that is away, which jobs, webhooks and notifications need', () => {
      const lost = { code: 'notifications_lost', message: 'lost', since: 21 } as const;
      const database = [databaseAway, lost];
      assert.deepEqual(allOf({ database, findings: [jobs, webhooks] }), ['database_unavailable database']);
      assert.deepEqual(allOf({ findings: [jobs, webhooks] }), ['job_failed jobs', 'webhooks_stuck webhooks']);
    });

    it('for a full disk that has the database and the recordings', () => {
      const recordings = finding('disk_full', 'recordings_folder', { onDatabaseDisk: true });
      assert.deepEqual(allOf({ database: [diskFull], findings: [recordings, jobs] }), ['disk_full database']);
      // What recordings leave free is left for the database.
      assert.deepEqual(allOf({ findings: [recordings] }), ['disk_full recordings_folder']);
      const elsewhere = finding('disk_full', 'recordings_folder');
      assert.deepEqual(allOf({ database: [diskFull], findings: [elsewhere] }), [
        'disk_full database',
        'disk_full recordings_folder',
      ]);
    });

    it('for a disk that takes nothing', () => {
      const data = finding('disk_failed', 'data_folder');
      const recordings = finding('disk_failed', 'recordings_folder', { onDatabaseDisk: true });
      assert.deepEqual(allOf({ findings: [data, recordings] }), ['disk_failed data_folder']);
      assert.deepEqual(allOf({ findings: [recordings] }), ['disk_failed recordings_folder']);
    });

    it('for a data folder that was removed', () => {
      const findings = [finding('disk_failed', 'data_folder'), finding('database_replaced', 'database_file')];
      assert.deepEqual(allOf({ findings }), ['database_replaced database_file']);
    });
  });

  it('has the oldest problem first', () => {
    const { problems } = codesOf({ database: [databaseAway, diskFull], stoppingSince: 15 });
    assert.deepEqual(problems, ['disk_full', 'server_stopping', 'database_unavailable']);
  });
});
