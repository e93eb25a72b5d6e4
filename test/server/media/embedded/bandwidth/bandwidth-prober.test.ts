import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BandwidthProber, type ProbeResult } from '../../../../../server/media/embedded/bandwidth/bandwidth-prober.js';
import { SimulatedPath, type PathConditions } from '../../../../support/media/simulated-path.js';

const TICK_MS = 20;
const PACKET = 500;

interface Ask {
  readonly wanted?: number;
  readonly estimate?: number;
  readonly now?: number;
}

/** Starts a probe and sends it through a network, whose feedback arrives after the probe. */
function probe(probing: BandwidthProber, path: Partial<PathConditions>, ask: Ask = {}) {
  const { wanted = 10_000_000, estimate = 1_000_000, now: begins = 0 } = ask;
  const network = new SimulatedPath(path);
  const ends = probing.start(wanted, estimate, begins);
  const underWay: { sentAt: number; arrival: number }[] = [];
  const send = (now: number) => {
    probing.onPacketSent(PACKET, now);
    underWay.push({ sentAt: now, arrival: network.send(PACKET, now) });
  };
  let sent = 0;
  for (let now = begins; now <= begins + 200; now += TICK_MS) {
    for (let owed = probing.bytesDue(now); owed > 0; owed -= PACKET, sent += PACKET) send(now);
  }
  send(begins + 220);
  let result: ProbeResult | undefined;
  for (const { sentAt, arrival } of underWay) {
    if (!Number.isNaN(arrival)) result = probing.onPacketArrived(sentAt, arrival, PACKET) ?? result;
  }
  return { result, sent, ends };
}

describe('a probe', () => {
  it('shows that a wide path carries the probed bitrate', () => {
    const { result } = probe(new BandwidthProber(), {});
    assert.equal(result?.isFull, false);
    assert.ok(result.bitsPerSecond > 1_900_000 && result.bitsPerSecond < 2_200_000, `${result.bitsPerSecond}`);
  });

  it('measures the capacity of a narrow path', () => {
    for (const capacity of [700_000, 1_500_000]) {
      const { result } = probe(new BandwidthProber(), { capacity });
      assert.equal(result?.isFull, true);
      assert.ok(Math.abs(result.bitsPerSecond - capacity) < 0.1 * capacity, `${capacity}: ${result.bitsPerSecond}`);
    }
  });

  it('measures the same on a path with a long delay and jitter', () => {
    const { result } = probe(new BandwidthProber(), { capacity: 700_000, delay: 200, jitter: 10 });
    assert.ok(Math.abs(result!.bitsPerSecond - 700_000) < 140_000, `${result!.bitsPerSecond}`);
  });

  it('tries at most twice the estimate, for a short time, and no more than is wanted', () => {
    const sentFor = (ask: Ask) => probe(new BandwidthProber(), {}, ask).sent;
    const inAMoment = (bitsPerSecond: number) => (bitsPerSecond * 0.12) / 8;
    assert.ok(Math.abs(sentFor({ estimate: 1_000_000 }) - inAMoment(2_000_000)) <= PACKET);
    assert.ok(Math.abs(sentFor({ estimate: 1_000_000, wanted: 1_000_000 }) - inAMoment(1_100_000)) <= PACKET);
  });

  it('adds padding to the media that is sent', () => {
    const probing = new BandwidthProber();
    probing.start(10_000_000, 1_000_000, 0);
    probing.onPacketSent(3_000, 10);
    assert.equal(probing.bytesDue(20), 2_000);
    probing.onPacketSent(2_000, 20);
    assert.equal(probing.bytesDue(20), 0);
  });

  it('has no result when no padding was sent', () => {
    const probing = new BandwidthProber();
    const ends = probing.start(10_000_000, 1_000_000, 0)!;
    assert.equal(probing.onPacketArrived(10, 30, PACKET), undefined);
    assert.equal(probing.onPacketArrived(ends + 1, ends + 21, PACKET), undefined);
  });

  it('has no result when its first burst was lost', () => {
    const probing = new BandwidthProber();
    const ends = probing.start(10_000_000, 1_000_000, 0)!;
    for (let now = 0; now <= ends; now += TICK_MS) {
      const owed = probing.bytesDue(now);
      probing.onPacketSent(owed, now);
      if (now > TICK_MS) assert.equal(probing.onPacketArrived(now, now + 20, owed), undefined);
    }
    assert.equal(probing.onPacketArrived(ends + 1, ends + 21, PACKET), undefined);
    assert.notEqual(probing.start(10_000_000, 1_000_000, 1_000), undefined);
  });

  it('is given up after two seconds without feedback', () => {
    const probing = new BandwidthProber();
    probing.start(10_000_000, 1_000_000, 0);
    assert.equal(probing.start(10_000_000, 1_000_000, 2_000), undefined);
    probing.start(10_000_000, 1_000_000, 2_100);
    assert.notEqual(probing.start(10_000_000, 1_000_000, 10_000), undefined);
  });
});

describe('the pause between probes', () => {
  /** How long after the end of a probe the next one starts. */
  function pause(probing: BandwidthProber, from: number): number {
    for (let now = from; now < from + 60_000; now += 100) {
      if (probing.start(10_000_000, 1_000_000, now) !== undefined) return now - from;
    }
    return Infinity;
  }

  it('becomes longer after each probe without news, short after news, and none after a probe that was carried', () => {
    const probing = new BandwidthProber();
    const pauses: number[] = [];
    let now = 0;
    probing.start(10_000_000, 1_000_000, now);
    for (const outcome of ['useless', 'useless', 'useless', 'useless', 'raised', 'useless', 'carried'] as const) {
      probing.finish(outcome, now);
      pauses.push(pause(probing, now));
      now += pauses.at(-1)!;
    }
    assert.deepEqual(pauses, [1_000, 2_000, 4_000, 6_000, 500, 1_000, 0]);
  });

  it('ends when more is wanted, but not soon after congestion', () => {
    const probing = new BandwidthProber();
    probing.finish('useless', 0);
    probing.restart();
    assert.equal(pause(probing, 0), 0);
    probing.onCongestion(0);
    probing.restart();
    assert.equal(pause(probing, 0), 1_000);
  });

  it('no probe starts soon after congestion', () => {
    const probing = new BandwidthProber();
    probing.start(10_000_000, 1_000_000, 0);
    probing.onCongestion(50);
    assert.equal(probing.bytesDue(60), 0);
    assert.equal(probing.start(10_000_000, 1_000_000, 1_049), undefined);
    assert.notEqual(probing.start(10_000_000, 1_000_000, 1_050), undefined);
  });
});
