import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { clockText } from '../../../../src/pages/dashboard/formatting.js';
import { clipOf, secondsOfClock } from '../../../../src/pages/dashboard/recordings/clip-range.js';
import { cutRecording } from '../../../../src/wire/management/recording.js';

const HOUR_S = 3_600;

describe('the time of a place in a recording', () => {
  it('is read as the page writes it', () => {
    fc.assert(fc.property(fc.nat(999_999), (seconds) => secondsOfClock(clockText(seconds)) === seconds));
  });

  it('may be seconds alone, with spaces around', () => {
    assert.deepEqual([secondsOfClock('75'), secondsOfClock(' 1:15 ')], [75, 75]);
  });

  for (const text of ['', ':', '1:', ':15', '1:60', '1:60:00', '1:2:3:4', '-1', '1.5', 'soon', '1:15s']) {
    it(`is not ${JSON.stringify(text)}`, () => assert.equal(secondsOfClock(text), undefined));
  }
});

describe('a clip of a recording', () => {
  it('is the piece between two times', () => {
    assert.deepEqual(clipOf('0:10', '1:15', 100), { startSeconds: 10, seconds: 65 });
  });

  it('may end in the last second, which is not whole', () => {
    assert.deepEqual(clipOf('0:00', '0:10', 9.2), { startSeconds: 0, seconds: 10 });
  });

  const wrong: [what: string, from: string, to: string][] = [
    ['empty', '0:10', '0:10'],
    ['backwards', '0:20', '0:10'],
    ['after the end', '0:10', '2:01:41'],
    ['longer than an hour', '0:00', '1:00:01'],
    ['without a time', '', '0:10'],
  ];
  for (const [what, from, to] of wrong) {
    it(`is not cut ${what}`, () => assert.equal(clipOf(from, to, 2 * HOUR_S + 100), undefined));
  }

  it('is one that the server accepts', () => {
    const time = fc.oneof(fc.nat(9_999).map(clockText), fc.string());
    fc.assert(
      fc.property(time, time, fc.double({ min: 0, max: 9_999, noNaN: true }), (from, to, duration) => {
        const clip = clipOf(from, to, duration);
        assert.ok(clip === undefined || cutRecording.safeParse(clip).success);
      }),
    );
  });
});
