import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { EncodingClock, PublisherClock } from '../../../../../server/media/embedded/tap/source-clock.js';

const NOW = 1_700_000_000_000;

/** The publisher's clock shows `at` ms since 1900 when its timestamp is `rtpTimestamp`. */
const report = (at: number, rtpTimestamp: number) => ({
  ntpSeconds: Math.floor(at / 1_000),
  ntpFraction: Math.round(((at % 1_000) / 1_000) * 2 ** 32),
  rtpTimestamp,
  packets: 0,
  bytes: 0,
});

const near = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 0.01, `${actual} is not ${expected}`);

describe('the time of a packet', () => {
  it('follows from when the first one arrived, before a report', () => {
    const clock = new EncodingClock(new PublisherClock(), 90_000);
    clock.onPacket(1_000, NOW);
    clock.onPacket(4_000, NOW + 500);
    near(clock.timeOf(1_000), NOW);
    near(clock.timeOf(91_000), NOW + 1_000);
  });

  it('goes on across the wrap of the timestamps, and back', () => {
    const clock = new EncodingClock(new PublisherClock(), 90_000);
    clock.onPacket(2 ** 32 - 90, NOW);
    near(clock.timeOf(0), NOW + 1);
    near(clock.timeOf(2 ** 32 - 90), NOW);
    near(clock.timeOf(90), NOW + 2);
  });

  it('puts sound and picture on one clock, whenever their first packets arrived', () => {
    fc.assert(
      fc.property(
        fc.nat(2 ** 32 - 1),
        fc.nat(2 ** 32 - 1),
        fc.integer({ min: -500, max: 500 }),
        (first, other, late) => {
          const publisher = new PublisherClock();
          const video = new EncodingClock(publisher, 90_000);
          const audio = new EncodingClock(publisher, 48_000);
          video.onPacket(first, NOW);
          audio.onPacket(other, NOW + late);
          video.onReport(report(5_000_000, first));
          audio.onReport(report(5_000_100, other));
          near(audio.timeOf(other) - video.timeOf(first), 100);
        },
      ),
    );
  });

  it('ignores a report that contradicts the arrival', () => {
    const publisher = new PublisherClock();
    const video = new EncodingClock(publisher, 90_000);
    const audio = new EncodingClock(publisher, 48_000);
    video.onPacket(0, NOW);
    audio.onPacket(0, NOW);
    video.onReport(report(5_000_000, 0));
    audio.onReport(report(9_000_000, 0));
    assert.equal(audio.hasReport, false);
    near(audio.timeOf(48_000), NOW + 1_000);
  });

  it('is that of the newest packet when the tap gets what came before all at once', () => {
    for (const hasReport of [false, true]) {
      const publisher = new PublisherClock();
      const video = new EncodingClock(publisher, 90_000);
      const audio = new EncodingClock(publisher, 48_000);
      // Of four seconds ago, as the whole group of pictures.
      if (hasReport) video.onReport(report(5_000_000, 0));
      for (let frame = 0; frame <= 120; frame++) video.onPacket(frame * 3_000, NOW + frame / 20);
      if (hasReport) audio.onReport(report(5_003_000, 0));
      audio.onPacket(48_000, NOW + 1);
      near(video.timeOf(360_000), NOW + 6);
      near(video.timeOf(0), NOW - 3_994);
      near(audio.timeOf(48_000), hasReport ? NOW + 6 : NOW + 1);
    }
  });

  it('stays as it is after it was asked for, and begins again after a restart', () => {
    const clock = new EncodingClock(new PublisherClock(), 90_000);
    clock.onPacket(0, NOW);
    near(clock.timeOf(0), NOW);
    clock.onPacket(90_000, NOW + 500);
    near(clock.timeOf(90_000), NOW + 1_000);
    clock.restart();
    clock.onPacket(7, NOW + 2_000);
    near(clock.timeOf(7), NOW + 2_000);
  });

  it('follows the publisher’s clock as it drifts', () => {
    const clock = new EncodingClock(new PublisherClock(), 90_000);
    clock.onPacket(0, NOW);
    clock.onReport(report(5_000_000, 0));
    clock.onReport(report(5_010_010, 900_000));
    near(clock.timeOf(900_000), NOW + 10_010);
  });
});
