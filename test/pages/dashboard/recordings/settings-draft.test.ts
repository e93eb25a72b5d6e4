import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { quotaUse, readSettings, settingsDraft } from '../../../../src/pages/dashboard/recordings/settings-draft.js';

const settings = { isAvailable: true, retentionDays: null, quotaBytes: null, usedBytes: 0, recordings: 0 };

describe('the settings of recordings, as they are entered', () => {
  it('are no limits where nothing is entered', () => {
    assert.deepEqual(settingsDraft(settings), { retentionDays: '', quotaGigabytes: '' });
    assert.deepEqual(readSettings({ retentionDays: ' ', quotaGigabytes: '' }), {
      retentionDays: null,
      quotaBytes: null,
    });
  });

  it('may have a decimal point or comma', () => {
    for (const quotaGigabytes of ['1.5', '1,5', ' 1.5 ']) {
      assert.deepEqual(readSettings({ retentionDays: '30', quotaGigabytes }), {
        retentionDays: 30,
        quotaBytes: 1_500_000_000,
      });
    }
  });

  it('are refused with the fields that cannot be read', () => {
    assert.deepEqual(readSettings({ retentionDays: '0', quotaGigabytes: 'many' }), ['retentionDays', 'quotaGigabytes']);
    for (const retentionDays of ['1.5', '-1', '36501', '1e2'])
      assert.deepEqual(readSettings({ retentionDays, quotaGigabytes: '' }), ['retentionDays']);
  });

  it('are what they were if nothing is changed', () => {
    const limit = fc.option(fc.integer({ min: 1, max: 36_500 }));
    fc.assert(
      fc.property(limit, fc.option(fc.integer({ min: 1, max: 1_000_000 })), (retentionDays, megabytes) => {
        const quotaBytes = megabytes === null ? null : megabytes * 1_000_000;
        assert.deepEqual(readSettings(settingsDraft({ ...settings, retentionDays, quotaBytes })), {
          retentionDays,
          quotaBytes,
        });
      }),
    );
  });
});

describe('the use of the quota', () => {
  it('is unknown without a quota', () => {
    assert.equal(quotaUse({ ...settings, usedBytes: 7 }), undefined);
  });

  it('is near the limit from nine tenths on, and never above the whole', () => {
    const levelOf = (usedBytes: number) => quotaUse({ ...settings, quotaBytes: 100, usedBytes });
    assert.deepEqual(levelOf(89), { part: 0.89, level: 'free' });
    assert.deepEqual(levelOf(90), { part: 0.9, level: 'near' });
    assert.deepEqual(levelOf(100), { part: 1, level: 'exceeded' });
    assert.deepEqual(levelOf(250), { part: 1, level: 'exceeded' });
  });
});
