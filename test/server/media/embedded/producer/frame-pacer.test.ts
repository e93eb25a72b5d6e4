import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import {
  FramePacer,
  type HeldPacket,
  type PacedSink,
} from '../../../../../server/media/embedded/producer/frame-pacer.js';

interface Viewer extends PacedSink {
  readonly received: number[];
}

const viewer = (networkBitrate: number): Viewer => ({ networkBitrate, received: [] });
const packet = (sequence: number): HeldPacket => ({
  packet: Buffer.alloc(1_250),
  sequence,
  isShed: false,
  spatialId: -1,
  temporalId: -1,
});

describe('FramePacer', () => {
  let pacer: FramePacer<Viewer>;

  beforeEach(() => {
    pacer = new FramePacer();
  });

  /** Sends what is due at this time. Returns who caught up. */
  const advance = (now: number) =>
    pacer.advance(now, ({ sequence }, sinks) => sinks.forEach(({ received }) => received.push(sequence)));

  function hold(packets: number, viewers: readonly Viewer[], now = 0): void {
    pacer.start(viewers, now);
    for (let sequence = 0; sequence < packets; sequence++) pacer.add(packet(sequence), now);
  }

  it('sees a burst when more than 12 kB come faster than 2.5 times the bitrate', () => {
    const seen = Array.from({ length: 11 }, () => pacer.isBurst(1_250, 1_000_000, 1, 0));
    assert.equal(seen.indexOf(true), 9);
    assert.equal(pacer.isBurst(1_250, 1_000_000, 1, 1_000), false);
    const slow = new FramePacer<Viewer>();
    // 1,250 bytes in 4 ms are 2.5 Mbit/s.
    for (let now = 0; now < 400; now += 4.02) assert.equal(slow.isBurst(1_250, 1_000_000, 1, now), false);
  });

  it('sees a burst of fewer packets for many viewers, and does not count the time that sending to them takes', () => {
    const seen = Array.from({ length: 4 }, (_, index) => pacer.isBurst(1_250, 1_000_000, 400, index * 8));
    assert.deepEqual(seen, [false, false, true, true]);
  });

  it('sends to each viewer at 2.5 times of what its network carries', () => {
    const viewers = [viewer(2_000_000), viewer(4_000_000)];
    hold(16, viewers);
    advance(20);
    // 5 and 10 Mbit/s are 12.5 and 25 kB in 20 ms; the packet that begins before that is sent.
    assert.deepEqual(
      viewers.map(({ received }) => received.length),
      [11, 16],
    );
  });

  it('sends everything within 50 ms, evenly, however slow the network is', () => {
    const slow = viewer(50_000);
    hold(50, [slow]);
    const sent = [10, 20, 30, 40, 50].map((now) => (advance(now), slow.received.length));
    assert.deepEqual(sent, [11, 21, 31, 41, 50]);
    assert.equal(pacer.isActive, false);
  });

  it('sends at most 256 packets at once, and the rest after what arrived in between', () => {
    const viewers = Array.from({ length: 100 }, () => viewer(Infinity));
    hold(4, viewers);
    advance(1);
    assert.equal(viewers.flatMap(({ received }) => received).length, 256);
    assert.equal(pacer.state, 'now');
    advance(1);
    assert.equal(pacer.state, 'idle');
    for (const { received } of viewers) assert.deepEqual(received, [0, 1, 2, 3]);
  });

  it('holds the packets after the frame for viewers who did not catch up, and returns those who did', () => {
    const [fast, slow] = [viewer(Infinity), viewer(500_000)];
    hold(20, [fast, slow]);
    assert.deepEqual(advance(5), [fast]);
    pacer.add(packet(20), 5);
    assert.deepEqual([fast.received.length, pacer.has(slow), pacer.state], [20, true, 'later']);
    assert.deepEqual(advance(100), [slow]);
    assert.equal(slow.received.length, 21);
  });

  it('sends nothing to a viewer who left', () => {
    const leaving = viewer(500_000);
    hold(20, [leaving]);
    pacer.remove(leaving);
    advance(100);
    assert.deepEqual([leaving.received, pacer.state], [[], 'idle']);
  });

  it('sends each packet to each viewer once and in order, at any times', () => {
    const steps = fc.array(fc.record({ add: fc.nat(30), wait: fc.nat(30) }), { minLength: 1, maxLength: 20 });
    const rates = fc.array(fc.integer({ min: 50_000, max: 50_000_000 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(steps, rates, (all, bitrates) => {
        pacer = new FramePacer();
        const viewers = bitrates.map(viewer);
        const direct = new Set<Viewer>();
        pacer.start(viewers, 0);
        let [now, sequence] = [0, 0];
        for (const { add, wait } of all) {
          for (let count = 0; count < add; count++, sequence++) {
            for (const { received } of direct) received.push(sequence);
            if (pacer.isActive) pacer.add(packet(sequence), now);
          }
          now += wait;
          for (const caughtUp of advance(now)) direct.add(caughtUp);
        }
        for (now += 51; pacer.isActive;) advance(now);
        const expected = Array.from({ length: sequence }, (_, index) => index);
        for (const { received } of viewers) assert.deepEqual(received, expected);
      }),
    );
  });
});
