import assert from 'node:assert/strict';
import { it } from 'node:test';
import { bitrateText, clockText, hoursText } from '../../../src/pages/dashboard/quantity-text.js';

it('a clock shows hours where there are any', () => {
  assert.deepEqual([0, 9.9, 61, 3_600, 36_061, -5].map(clockText), [
    '0:00',
    '0:09',
    '1:01',
    '1:00:00',
    '10:01:01',
    '0:00',
  ]);
});

it('a duration is in minutes below an hour', () => {
  assert.deepEqual(
    [30, 1_500, 3_600, 5_400, 360_000].map((seconds) => hoursText(seconds, 'en')),
    ['0.5 min', '25 min', '1 hr', '1.5 hr', '100 hr'],
  );
  assert.equal(hoursText(5_400, 'de'), '1,5 Std.');
});

it('a bitrate is in megabits', () => {
  assert.equal(bitrateText(2_512_000, 'en'), '2.51 Mb/s');
});
