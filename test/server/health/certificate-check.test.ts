import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { certificateCheck } from '../../../server/health/certificate-check.js';

const DAY_MS = 86_400_000;
const END = Date.parse('2030-01-31T00:00:00Z');

const isClockWrong = (): boolean => false;

describe('the check of a certificate', () => {
  for (const [what, now, code] of [
    ['nothing a week before its end', END - 7 * DAY_MS - 1, undefined],
    ['a warning from then on', END - 7 * DAY_MS, 'certificate_expiring'],
    ['a warning to the last moment', END - 1, 'certificate_expiring'],
    ['a problem from its end on', END, 'certificate_expired'],
  ] as const) {
    it(`finds ${what}`, async () => {
      const finding = await certificateCheck({ expiresOn: async () => END, now: () => now, isClockWrong }).check();
      assert.equal(finding?.code, code);
      if (finding) assert.match(finding.message, /2030-01-31/);
    });
  }

  it('finds nothing by a wrong clock, which is reported by itself', async () => {
    const options = { expiresOn: async () => END, now: () => END, isClockWrong: () => true };
    assert.equal(await certificateCheck(options).check(), undefined);
  });

  it('finds that the server does not answer', async () => {
    const expiresOn = () => Promise.reject(new Error('no answer'));
    const finding = await certificateCheck({ expiresOn, now: () => END, isClockWrong }).check();
    assert.deepEqual([finding?.level, finding?.code], ['problem', 'https_unavailable']);
    assert.match(finding!.message, /no answer/);
  });
});
