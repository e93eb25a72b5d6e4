import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { nextLateness, PROMPT, shedOf, type Shed } from '../../../../../server/media/embedded/producer/shedding.js';

const STEP_MS = 10;

/** What is shed after packets of these ages, one each 10 ms. */
function shedAfter(ages: readonly number[]): Shed {
  let lateness = PROMPT;
  ages.forEach((age, index) => (lateness = nextLateness(lateness, age, index * STEP_MS)));
  return shedOf(lateness, (ages.length - 1) * STEP_MS);
}
const each = (age: number, ms: number): number[] => Array.from({ length: ms / STEP_MS + 1 }, () => age);

describe('what is shed', () => {
  it('is more the longer packets waited: temporal layers first, sound last', () => {
    const shed = [0, 99, 100, 179, 180, 399, 400, 5_000].map((age) => shedAfter(each(age, 200)));
    assert.deepEqual(shed, [
      'nothing',
      'nothing',
      'temporal-layers',
      'temporal-layers',
      'video',
      'video',
      'sound',
      'sound',
    ]);
  });

  it('is nothing of a burst that is worked off at once', () => {
    assert.equal(shedAfter(each(1_000, 90)), 'nothing');
    assert.equal(shedAfter([...each(1_000, 90), 50, ...each(1_000, 90)]), 'nothing');
  });

  it('ends with the first packet that is in time', () => {
    assert.equal(shedAfter([...each(1_000, 500), 20]), 'nothing');
    assert.equal(shedAfter([...each(1_000, 500), 200]), 'video');
  });

  it('is nothing without a time in which all packets were late', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3_000), { minLength: 11, maxLength: 300 }), (ages) => {
        const shed = shedAfter(ages);
        const recent = ages.slice(-11);
        if (recent.some((age) => age < 100)) assert.equal(shed, 'nothing');
        if (recent.some((age) => age < 400)) assert.notEqual(shed, 'sound');
      }),
    );
  });
});
