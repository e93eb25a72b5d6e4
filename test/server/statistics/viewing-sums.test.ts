import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  addSums,
  FIRST_PICTURE_LIMITS_MS,
  firstPictureQuantile,
  freezeCause,
  NO_SUMS,
  sumsOfReport,
  type CountedReport,
  type ViewingSlot,
} from '../../../server/statistics/viewing-sums.js';

const REPORT: CountedReport = {
  playedMs: 10_000,
  freezes: 1,
  frozenMs: 500,
  packets: 1_000,
  lost: 10,
  height: 720,
  roundTripMs: 40,
  firstPictureMs: 350,
};

describe('the sums of reports', () => {
  it('count each report once', () => {
    const sums = addSums(sumsOfReport(REPORT), sumsOfReport({ ...REPORT, height: undefined, roundTripMs: undefined }));
    assert.deepEqual(
      { ...sums, firstPictures: sums.firstPictures.indexOf(2) },
      {
        playedMs: 20_000,
        frozenMs: 1_000,
        freezes: 2,
        packets: 2_000,
        lost: 20,
        roundTripMs: 40,
        roundTrips: 1,
        height: 720,
        heights: 1,
        firstPictures: 3,
      },
    );
  });
});

describe('the time to the first picture', () => {
  const countsOf = (times: readonly number[]) =>
    times.map((firstPictureMs) => sumsOfReport({ ...REPORT, firstPictureMs })).reduce(addSums, NO_SUMS).firstPictures;

  it('is not known without a picture', () => {
    assert.equal(firstPictureQuantile(countsOf([]), 0.5), undefined);
  });

  it('is the lower limit of the last class for pictures that took very long', () => {
    assert.equal(firstPictureQuantile(countsOf([60_000]), 0.95), 10_000);
  });

  it('is within the limits around the true one, for any times and any part of them', () => {
    const times = fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1 });
    fc.assert(
      fc.property(times, fc.double({ min: 0.01, max: 1, noNaN: true }), (all, part) => {
        const found = firstPictureQuantile(countsOf(all), part)!;
        const exact = all.toSorted((one, other) => one - other)[Math.ceil(all.length * part) - 1]!;
        const above = FIRST_PICTURE_LIMITS_MS.findIndex((limit) => exact <= limit);
        assert.ok(found >= (FIRST_PICTURE_LIMITS_MS[above - 1] ?? 0) && found <= FIRST_PICTURE_LIMITS_MS[above]!);
      }),
    );
  });
});

describe('the cause of freezes', () => {
  const slot: ViewingSlot = {
    ...NO_SUMS,
    slot: 1,
    packets: 10_000,
    lost: 0,
    viewers: 10,
    frozenViewers: 9,
    isOverloaded: false,
  };

  it('is the load of the server while it is overloaded, whatever viewers report', () => {
    for (const more of [{}, { lost: 500 }, { frozenViewers: 1 }, { lost: 500, frozenViewers: 1 }]) {
      assert.equal(freezeCause({ ...slot, ...more, isOverloaded: true }), 'server_load');
    }
  });
  it('is the broadcast if most viewers had them without loss', () => {
    assert.equal(freezeCause(slot), 'broadcast');
  });
  it('is the network of the server if most of several viewers lost packets', () => {
    assert.equal(freezeCause({ ...slot, lost: 500 }), 'server_network');
  });
  it('is the network of the viewer if few lost packets, or if there are only two viewers', () => {
    assert.equal(freezeCause({ ...slot, lost: 500, frozenViewers: 1 }), 'viewer_network');
    assert.equal(freezeCause({ ...slot, lost: 500, viewers: 2, frozenViewers: 2 }), 'viewer_network');
  });
  it('is the device of the viewer if few had them without loss', () => {
    assert.equal(freezeCause({ ...slot, frozenViewers: 1 }), 'viewer_device');
  });
});
