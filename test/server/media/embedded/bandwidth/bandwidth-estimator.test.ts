import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { BandwidthEstimator } from '../../../../../server/media/embedded/bandwidth/bandwidth-estimator.js';
import { MediaFlow, type MediaFlowOptions, type MediaSample } from '../../../../support/bandwidth/media-flow.js';
import { runSimulation, type SimulationOptions } from '../../../../support/bandwidth/network-simulation.js';
import { TcpFlow } from '../../../../support/bandwidth/tcp-flow.js';

interface Run extends SimulationOptions, MediaFlowOptions {}

/** The estimate of a viewer whose video fills it, unless `application` says otherwise. */
function simulate({ seconds, path, changes, application = (estimate) => estimate, ...options }: Run): MediaSample[] {
  const flow = new MediaFlow({ ...options, application });
  runSimulation([{ flow }], { seconds, ...(path && { path }), ...(changes && { changes }) });
  return flow.samples;
}

const between = (samples: readonly MediaSample[], from: number, to: number) =>
  samples.filter(({ at }) => at >= from * 1_000 && at < to * 1_000);
const lowest = (samples: readonly MediaSample[]) => Math.min(...samples.map(({ estimate }) => estimate));
const highest = (samples: readonly MediaSample[]) => Math.max(...samples.map(({ estimate }) => estimate));
const mean = (samples: readonly MediaSample[]) =>
  samples.reduce((sum, { estimate }) => sum + estimate, 0) / samples.length;
const longest = (samples: readonly MediaSample[]) => Math.max(...samples.map(({ journey }) => journey));

describe('the bandwidth estimate of a bottleneck', () => {
  const bottlenecks = [500_000, 2_000_000].flatMap((capacity) =>
    [20, 100].flatMap((delay) => [0, 20].map((jitter) => ({ capacity, delay, jitter }))),
  );
  for (const path of bottlenecks) {
    const { capacity, delay, jitter } = path;
    it(`stays between 70 and 120 % of ${capacity / 1_000} kbit/s at a delay of ${delay} ms with ${jitter} ms of jitter`, () => {
      const settled = between(simulate({ seconds: 60, path }), 10, 60);
      assert.ok(lowest(settled) > 0.7 * capacity, `lowest ${lowest(settled)}`);
      assert.ok(highest(settled) < 1.2 * capacity, `highest ${highest(settled)}`);
      assert.ok(mean(settled) > 0.85 * capacity, `mean ${mean(settled)}`);
      assert.ok(longest(settled) < delay + jitter + 150, `longest journey ${longest(settled)}`);
    });
  }

  it('falls within 2 s when the path narrows, drains the queue, and recovers within 10 s', () => {
    for (const delay of [20, 100]) {
      const changes = { 20: { capacity: 500_000 }, 40: { capacity: 2_000_000 } };
      const samples = simulate({ seconds: 60, path: { capacity: 2_000_000, delay }, changes });
      assert.ok(highest(between(samples, 22, 39)) < 650_000);
      assert.ok(longest(between(samples, 24, 39)) < delay + 200);
      assert.ok(lowest(between(samples, 50, 60)) > 1_500_000);
    }
  });

  it('stays the same when a radio link loses 5 % of the packets', () => {
    const samples = simulate({ seconds: 60, path: { capacity: 2_000_000, loss: 0.05, delay: 100 } });
    const settled = between(samples, 10, 60);
    assert.ok(lowest(settled) > 1_400_000 && highest(settled) < 2_600_000 && mean(settled) > 1_700_000);
  });

  it('falls on a path that drops packets instead of queueing them', () => {
    const settled = between(simulate({ seconds: 60, path: { capacity: 1_000_000, buffer: 20 } }), 5, 60);
    assert.ok(lowest(settled) > 500_000 && highest(settled) < 1_300_000);
  });

  it('does not fall because of a keyframe that the path carries beside the video', () => {
    const cases = [
      { capacity: 2_000_000, video: 1_200_000, bytes: 60_000 },
      { capacity: 300_000, video: 150_000, bytes: 14_000 },
    ];
    for (const { capacity, video, bytes } of cases) {
      const application = (estimate: number) => Math.min(estimate, video);
      const keyframes = { bytes, everyMs: 10_000 };
      const samples = simulate({ seconds: 60, start: capacity, path: { capacity }, application, keyframes });
      assert.ok(lowest(between(samples, 5, 60)) > 0.9 * capacity, `lowest ${lowest(between(samples, 5, 60))}`);
    }
  });

  it('falls within 3 s when the path narrows, however often keyframes come', () => {
    const changes = { 20: { capacity: 500_000 } };
    for (const everyMs of [300, 1_000, 2_000, 5_000]) {
      const keyframes = { bytes: 14_000, everyMs };
      const samples = simulate({ seconds: 40, start: 2_000_000, path: { capacity: 2_000_000 }, changes, keyframes });
      assert.ok(highest(between(samples, 23, 40)) < 650_000, `${everyMs} ms: ${highest(between(samples, 23, 40))}`);
    }
  });

  it('tolerates clocks that drift apart', () => {
    for (const drift of [-300, 300]) {
      const settled = between(simulate({ seconds: 120, path: { capacity: 2_000_000 }, drift }), 10, 120);
      assert.ok(lowest(settled) > 1_500_000 && highest(settled) < 2_400_000);
    }
  });

  it('falls even if the application does not send less', () => {
    const samples = simulate({ seconds: 20, path: { capacity: 500_000 }, application: () => 1_500_000 });
    assert.ok(highest(between(samples, 2, 20)) < 550_000);
  });
});

describe('the bandwidth estimate of a path that is not full', () => {
  const withVideo = (bitrate: number) => (estimate: number) => Math.min(estimate, bitrate);

  it('grows beyond what is sent, so that a better layer is tried, up to a limit', () => {
    const settled = between(simulate({ seconds: 30, start: 200_000, application: () => 150_000 }), 10, 30);
    assert.ok(lowest(settled) > 625_000 && highest(settled) < 1_000_000);
  });

  it('learns of a wide path within seconds by probing, if more is wanted', () => {
    const found = simulate({ seconds: 10, start: 200_000, application: () => 150_000, wanted: 1_900_000 });
    assert.ok(lowest(between(found, 6, 10)) >= 1_900_000);
  });

  it('repeats probes, and learns within ten seconds that a path widened', () => {
    const changes = { 60: { capacity: 10_000_000 } };
    const run = { start: 250_000, application: () => 150_000, wanted: 1_900_000, changes };
    const samples = simulate({ ...run, seconds: 80, path: { capacity: 300_000 } });
    assert.ok(highest(between(samples, 10, 60)) < 400_000, `highest ${highest(between(samples, 10, 60))}`);
    assert.ok(lowest(between(samples, 70, 80)) >= 1_900_000);
  });

  it('stays within the capacity, and a probe delays packets only for a moment', () => {
    const path = { capacity: 700_000 };
    const run = { seconds: 60, start: 500_000, path, application: () => 500_000, wanted: 1_900_000 };
    const settled = between(simulate(run), 5, 60);
    assert.ok(lowest(settled) > 500_000 && highest(settled) < 800_000, `${lowest(settled)} ${highest(settled)}`);
    assert.ok(longest(settled) < 20 + 200, `longest journey ${longest(settled)}`);
  });

  it('starts no probe while there is a queue or nothing more is wanted', () => {
    const estimate = new BandwidthEstimator(1_000_000);
    assert.equal(estimate.probe(5_000_000, 0), false);
    const report = (from: number, queue: number) => {
      for (let now = from; now < from + 400; now += 20) {
        const firstSequence = estimate.onPacketSent(1_000, now);
        estimate.onTransportFeedback(
          { firstSequence, arrivals: Float64Array.of(now + 20 + queue), count: 0 },
          now + 20,
        );
      }
    };
    report(0, 0);
    assert.equal(estimate.probe(900_000, 400), false);
    assert.equal(estimate.probe(5_000_000, 400), true);
    assert.deepEqual(
      [400, 521].map((now) => estimate.isProbing(now)),
      [true, false],
    );
    report(1_000, 90);
    assert.equal(estimate.probe(5_000_000, 1_400), false);
  });

  it('does not fall below what is sent at 5 % of random loss', () => {
    const samples = simulate({ seconds: 60, path: { loss: 0.05, delay: 100 }, application: withVideo(3_000_000) });
    assert.ok(lowest(samples) >= 2_000_000 && lowest(between(samples, 5, 60)) > 3_000_000);
  });

  it('does not fall to the minimum on a radio link that loses 20 % at any bitrate', () => {
    const samples = simulate({ seconds: 60, path: { loss: 0.2 }, application: withVideo(3_000_000) });
    assert.ok(lowest(samples) > 1_000_000);
  });

  it('survives a sudden delay increase of 100 ms', () => {
    const changes = { 20: { delay: 120 } };
    const samples = simulate({ seconds: 40, path: { delay: 20 }, changes, application: withVideo(1_500_000) });
    assert.ok(lowest(between(samples, 20, 40)) > 600_000);
    assert.ok(lowest(between(samples, 30, 40)) > 1_500_000);
  });

  it('does not fall because of one large frame in a burst', () => {
    const keyframes = (estimate: number, now: number) =>
      now % 3_000 < 33 ? 24_000_000 : Math.min(estimate, 1_500_000);
    const samples = simulate({ seconds: 30, path: { capacity: 4_000_000 }, application: keyframes });
    assert.ok(lowest(samples) >= 2_000_000);
  });

  for (const everyMs of [500, 1_000, 2_100, 5_000]) {
    it(`is hardly ever below what is sent on a slow link, where a small packet every ${everyMs} ms is faster than others`, () => {
      // Every fourth picture, as in the lowest of three temporal layers: 200 kbit/s.
      const application = (_: number, now: number) => (now % 132 < 33 ? 800_000 : 0);
      const run = { application, small: { bytes: 100, everyMs } };
      const settled = between(simulate({ seconds: 120, path: { capacity: 300_000 }, ...run }), 10, 120);
      const below = settled.filter(({ estimate }) => estimate < 200_000);
      assert.ok(below.length < 0.1 * settled.length, `${below.length} of ${settled.length}`);
    });
  }

  it('is unchanged after a pause without packets', () => {
    const pause = (estimate: number, now: number) => (now > 10_000 && now < 40_000 ? 0 : Math.min(estimate, 1_500_000));
    const samples = simulate({ seconds: 50, application: pause });
    assert.ok(lowest(between(samples, 10, 50)) >= 2_000_000);
  });

  it('falls while a viewer’s feedback is missing, and recovers', () => {
    const changes = { 10: { loss: 1 }, 15: { loss: 0 } };
    const samples = simulate({ seconds: 40, changes, application: withVideo(1_500_000) });
    assert.ok(highest(between(samples, 14, 15)) < 0.5 * highest(between(samples, 0, 10)));
    assert.ok(lowest(between(samples, 30, 40)) > 1_500_000);
  });
});

describe('the bandwidth estimate while sound alone is sent', () => {
  const SOUND: MediaFlowOptions = {
    start: 200_000,
    application: () => 0,
    small: { bytes: 100, everyMs: 20 },
    wanted: 230_000,
  };
  const withSeeds = (run: (seed: number) => void) => [1, 2, 3, 4].forEach(run);

  it('does not fall to the little that is sent beside a TCP flow, and is as before within 10 s after it', () => {
    withSeeds((seed) => {
      const flow = new MediaFlow(SOUND);
      const path = { capacity: 1_000_000, delay: 50, jitter: 10, buffer: 300 };
      runSimulation([{ flow }, { flow: new TcpFlow(), from: 20, until: 60 }], { seconds: 80, path, seed });
      const beside = between(flow.samples, 25, 60);
      assert.ok(lowest(beside) > 80_000 && mean(beside) > 150_000, `seed ${seed}: ${lowest(beside)} ${mean(beside)}`);
      const after = between(flow.samples, 70, 80);
      assert.ok(lowest(after) > 400_000, `after TCP, seed ${seed}: ${lowest(after)}`);
    });
  });

  it('does not fall to the little that is sent on a radio link that loses 5 % of the packets', () => {
    withSeeds((seed) => {
      const flow = new MediaFlow(SOUND);
      runSimulation([{ flow }], {
        seconds: 120,
        path: { capacity: 5_000_000, delay: 50, jitter: 10, loss: 0.05 },
        seed,
      });
      const settled = between(flow.samples, 20, 120);
      assert.ok(lowest(settled) > 400_000, `seed ${seed}: ${lowest(settled)}`);
    });
  });

  it('is proven within 5 s on a path that carries what is wanted, also if it is as high before', () => {
    for (const wanted of [250_000, 400_000, 700_000, 1_500_000]) {
      const flow = new MediaFlow({ ...SOUND, start: 2_000_000, wanted, needsProof: true });
      runSimulation([{ flow }], { seconds: 5, path: { capacity: 5_000_000, delay: 50 } });
      const proven = flow.estimator.proven(5_000);
      assert.ok(proven >= wanted, `${wanted}: ${proven}`);
    }
  });

  it('falls by half of the loss, step by step', () => {
    const estimate = new BandwidthEstimator(500_000);
    estimate.isVideoSent = false;
    for (let now = 0; now < 10_000; now += 20) {
      estimate.onPacketSent(100, now);
      if (now % 1_000 === 0) estimate.onLossReport(0.4, now);
    }
    const steps = [0.2, ...Array.from({ length: 9 }, () => 0.4)].map((loss) => 1 - loss / 2);
    const expected = steps.reduce((bitrate, part) => bitrate * part, 500_000);
    assert.equal(estimate.bitsPerSecond, Math.max(50_000, Math.round(expected)));
  });
});

describe('the bandwidth estimate without transport feedback', () => {
  /** Sends at this rate for a second, a packet every 10 ms, and lets the viewer report. */
  function second(estimate: BandwidthEstimator, at: number, bitrate: number, say: (now: number) => void): void {
    for (let now = at * 1_000; now < (at + 1) * 1_000; now += 10) estimate.onPacketSent(bitrate / 800, now);
    say((at + 1) * 1_000);
    estimate.tick((at + 1) * 1_000);
  }

  it('keeps its start value until the viewer reports', () => {
    const estimate = new BandwidthEstimator(700_000);
    for (let at = 0; at < 10; at++) second(estimate, at, 500_000, () => {});
    assert.equal(estimate.bitsPerSecond, 700_000);
  });

  it("follows the viewer's own down at once, and up as it grows", () => {
    const estimate = new BandwidthEstimator();
    estimate.onRemb(400_000, 0);
    assert.equal(estimate.bitsPerSecond, 400_000);
    estimate.onRemb(600_000, 1_000);
    assert.equal(estimate.bitsPerSecond, 600_000);
    estimate.onRemb(3_000_000, 2_000);
    assert.equal(estimate.bitsPerSecond, 3_000_000);
  });

  it("is not held down by the viewer's own while that only follows what is sent", () => {
    const estimate = new BandwidthEstimator();
    estimate.onRemb(225_000, 0);
    for (let at = 1; at < 30; at++) second(estimate, at, 150_000, (now) => estimate.onRemb(225_000, now));
    assert.ok(estimate.bitsPerSecond > 625_000);
    for (let at = 30; at < 33; at++)
      second(estimate, at, 500_000, (now) => estimate.onRemb(225_000 * 1.08 ** (at - 29), now));
    assert.ok(estimate.bitsPerSecond > 625_000);
  });

  it('measures packets without sequence numbers, and does not limit them by the REMB', () => {
    const estimate = new BandwidthEstimator();
    estimate.onRemb(225_000, 0);
    for (let now = 1_000; now < 30_000; now += 1_000) {
      estimate.onUnnumberedPacketSent(150_000 / 8);
      estimate.onRemb(225_000, now);
    }
    assert.ok(estimate.bitsPerSecond > 625_000);
  });

  it('grows at low loss and falls at high loss', () => {
    const estimate = new BandwidthEstimator(500_000);
    for (let at = 0; at < 10; at++)
      second(estimate, at, estimate.bitsPerSecond, (now) => estimate.onLossReport(0.02, now));
    const grown = estimate.bitsPerSecond;
    assert.ok(grown > 1_000_000);
    for (let at = 10; at < 13; at++)
      second(estimate, at, estimate.bitsPerSecond, (now) => estimate.onLossReport(0.3, now));
    assert.ok(estimate.bitsPerSecond < 0.8 * grown);
  });

  it('ignores receiver reports while there is transport feedback', () => {
    const estimate = new BandwidthEstimator();
    const firstSequence = estimate.onPacketSent(100, 0);
    estimate.onTransportFeedback({ firstSequence, arrivals: Float64Array.of(20), count: 0 }, 40);
    for (let now = 1_000; now < 4_000; now += 1_000) estimate.onLossReport(0.9, now);
    assert.equal(estimate.bitsPerSecond, 2_000_000);
  });
});

it('knows the round-trip time, and follows when it becomes longer', () => {
  const estimate = new BandwidthEstimator();
  assert.equal(estimate.roundTripTime, undefined);
  const report = (now: number, delay: number) => {
    const firstSequence = estimate.onPacketSent(100, now);
    estimate.onTransportFeedback({ firstSequence, arrivals: Float64Array.of(now), count: 0 }, now + delay);
  };
  for (const delay of [90, 70, 120]) report(0, delay);
  assert.equal(estimate.roundTripTime, 70);
  for (let now = 1_000; now < 12_000; now += 100) report(now, 200);
  assert.equal(estimate.roundTripTime, 200);
});

it('survives invalid feedback and stays within its limits', () => {
  const numbers = fc.array(fc.oneof(fc.constant(NaN), fc.double({ noNaN: true, min: -1e9, max: 1e9 })), {
    minLength: 1,
  });
  const said = fc.record({
    firstSequence: fc.nat(0xffff),
    arrivals: numbers,
    loss: fc.float({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(said, { maxLength: 50 }), (all) => {
      const estimate = new BandwidthEstimator();
      all.forEach(({ firstSequence, arrivals, loss }, index) => {
        for (let sequence = 0; sequence < 20; sequence++) estimate.onPacketSent(1_200, index * 100);
        const first = index % 2 ? firstSequence : index * 20;
        estimate.onTransportFeedback(
          { firstSequence: first, arrivals: Float64Array.from(arrivals), count: 0 },
          index * 100,
        );
        estimate.onLossReport(loss, index * 100);
        estimate.onRemb(firstSequence, index * 100);
        estimate.tick(index * 100);
        assert.ok(estimate.bitsPerSecond >= 50_000 && estimate.bitsPerSecond <= 20_000_000);
      });
    }),
  );
});
