import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { countersBy, growthBetween, lossOf, withReport } from '../../../server/oversight/viewing-quality.js';
import { readViewerReport, type ViewerReport } from '../../../src/wire/websocket/viewer-report.js';

const REPORT: ViewerReport = {
  first: 420,
  played: 9_000,
  freezes: 1,
  frozen: 0.75,
  height: 720,
  framesPerSecond: 30,
  roundTrip: 0.04,
  packets: 2_000,
  lost: 20,
};
const COUNTERS = { playedMs: 9_000, freezes: 1, frozenMs: 750, packets: 2_000, lost: 20 };

/** Whatever JSON a client sends, as the server reads it. */
const anyReport = fc
  .dictionary(fc.constantFrom(...Object.keys(REPORT)), fc.oneof(fc.double(), fc.integer(), fc.jsonValue()))
  .map((data) => readViewerReport(JSON.parse(JSON.stringify(data)))!);

describe('the report of a viewer', () => {
  it('leaves out what cannot be true, field by field', () => {
    const read = readViewerReport({
      ...REPORT,
      height: -1,
      freezes: 'many',
      frozen: 1e99,
      framesPerSecond: null,
      x: 1,
    });
    assert.deepEqual(read, {
      first: 420,
      played: 9_000,
      roundTrip: 0.04,
      packets: 2_000,
      lost: 20,
    });
  });

  it('is not read from anything but an object', () => {
    for (const data of [undefined, null, 7, 'text', [REPORT], true]) assert.equal(readViewerReport(data), undefined);
  });

  it('has only fields that it knows, with values that can be true, whatever was sent', () => {
    fc.assert(
      fc.property(fc.jsonValue(), anyReport, (json, report) => {
        for (const read of [readViewerReport(json) ?? {}, report])
          for (const [name, value] of Object.entries(read)) {
            assert.ok(name in REPORT);
            assert.ok(Number.isFinite(value) && value >= 0);
          }
      }),
    );
  });

  it('is a frame of less than 200 bytes after a day with a bad network', () => {
    const data: Required<ViewerReport> = {
      height: 2160,
      framesPerSecond: 60,
      roundTrip: 1.234,
      packets: 40_000_000,
      lost: 400_000,
      freezes: 9_999,
      frozen: 9_999.999,
      first: 12_345,
      played: 86_400_000,
    };
    assert.ok(JSON.stringify({ type: 'cmd', name: 'report', data }).length < 200);
  });
});

describe('the counters of a session', () => {
  it('are those of the report', () => {
    assert.deepEqual(countersBy(REPORT, 10_000), COUNTERS);
  });

  it('stay where a report falls or says nothing', () => {
    assert.deepEqual(countersBy({ ...REPORT, played: 10, freezes: 0 }, 20_000, COUNTERS), COUNTERS);
    assert.deepEqual(countersBy({}, 20_000, COUNTERS), COUNTERS);
  });

  it('never exceed the time that the session has been open, with a second of tolerance', () => {
    const { playedMs, frozenMs, freezes } = countersBy({ played: 1e9, frozen: 1e6, freezes: 1e9 }, 2_000);
    assert.deepEqual([playedMs, frozenMs, freezes], [3_000, 3_000, 20]);
  });

  it('never fall and never exceed what can have happened, whatever is reported and however often', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyReport, fc.nat({ max: 1_000 }))), (reports) => {
        let openMs = 0;
        let counters = countersBy({}, 0);
        for (const [report, waitMs] of reports) {
          openMs += waitMs;
          const next = countersBy(report, openMs, counters);
          for (const growth of Object.values(growthBetween(counters, next))) {
            assert.ok(Number.isSafeInteger(growth) && growth >= 0);
          }
          assert.ok(next.playedMs <= openMs + 1_000 && next.frozenMs <= openMs + 1_000);
          counters = next;
        }
      }),
    );
  });
});

describe('the quality of a viewing', () => {
  const present = { device: 'phone', firstPictureMs: 420, report: REPORT } as const;

  it('adds the growth, and keeps the first picture and what later reports leave out', () => {
    const once = withReport(null, COUNTERS, present);
    const twice = withReport(once, COUNTERS, { ...present, firstPictureMs: 9, report: { height: 360.4 } });
    assert.deepEqual(twice, {
      device: 'phone',
      firstPictureMs: 420,
      playedMs: 18_000,
      freezes: 2,
      frozenMs: 1_500,
      packets: 4_000,
      lost: 40,
      height: 360,
      framesPerSecond: 30,
      roundTripMs: 40,
    });
  });

  it('does not know what no report said', () => {
    const { playedMs, freezes, frozenMs, lost } = withReport(null, countersBy({ lost: 3 }, 10_000), {
      ...present,
      report: { lost: 3 },
    });
    assert.deepEqual([playedMs, freezes, frozenMs, lost], [null, null, null, 3]);
  });

  it('has a loss only if packets came or were lost', () => {
    assert.equal(lossOf({ packets: 99, lost: 1 }), 0.01);
    assert.equal(lossOf({ packets: 0, lost: 0 }), null);
  });
});
