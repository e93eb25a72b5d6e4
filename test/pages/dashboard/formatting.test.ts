import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  bitrateText,
  clockText,
  durationText,
  hoursText,
  percentText,
} from '../../../src/pages/dashboard/formatting.js';

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

it('a short duration is in milliseconds below a second', () => {
  assert.deepEqual(
    [0, 0.0482, 0.9996, 1, 12.34].map((seconds) => durationText(seconds, 'en')),
    ['0 ms', '48 ms', '1,000 ms', '1 sec', '12.3 sec'],
  );
});

it('a part is a percentage', () => {
  assert.deepEqual([percentText(0.0025, 'en'), percentText(0.5, 'de')], ['0.25%', '50\u00a0%']);
});
