import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { TransportFeedbackGenerator } from '../../../../../server/media/embedded/bandwidth/transport-feedback-generator.js';
import { readTransportFeedback } from '../../../../../server/media/embedded/rtcp/transport-feedback.js';

const NO_SEND_TIME = -1;
/** In the format of `abs-send-time`. */
const sendTime = (ms: number) => Math.round(ms * 262.144) & 0xffffff;

describe('TransportFeedbackGenerator', () => {
  let record: TransportFeedbackGenerator;
  const note = (sequence: number, now: number) =>
    record.onPacket(sequence & 0xffff, NO_SEND_TIME, 2, { notBefore: now, now });
  /** Each reported packet, as [sequence number, arrival]. */
  const reported = (now: number) =>
    record.takeFeedback(now).flatMap((packet) => {
      const { firstSequence, arrivals } = readTransportFeedback(packet)!;
      return [...arrivals].map((arrival, index) => [(firstSequence + index) & 0xffff, arrival]);
    });

  beforeEach(() => {
    record = new TransportFeedbackGenerator(1);
  });

  it('reports each packet once, received or lost', () => {
    note(65_534, 100);
    note(65_535, 101);
    note(1, 110);
    assert.deepEqual(reported(110), [
      [65_534, 100],
      [65_535, 101],
      [0, NaN],
      [1, 110],
    ]);
    note(2, 150);
    assert.deepEqual(reported(200), [[2, 150]]);
  });

  it('writes both SSRCs and counts its messages', () => {
    note(1, 0);
    const [first] = record.takeFeedback(0);
    note(2, 60);
    const [second] = record.takeFeedback(60);
    assert.deepEqual([first!.readUInt32BE(4), first!.readUInt32BE(8), first![19], second![19]], [1, 2, 0, 1]);
  });

  it('reports nothing while nothing arrived, and not too often', () => {
    assert.deepEqual(record.takeFeedback(0), []);
    note(1, 0);
    assert.equal(record.takeFeedback(0).length, 1);
    assert.deepEqual(record.takeFeedback(100), []);
    note(2, 120);
    assert.equal(record.takeFeedback(120).length, 1);
    note(3, 130);
    assert.deepEqual(record.takeFeedback(169), []);
    assert.equal(record.takeFeedback(170).length, 1);
  });

  it('reports a late packet again that was reported lost', () => {
    note(1, 0);
    note(3, 0);
    assert.deepEqual(
      reported(0).map(([, arrival]) => arrival),
      [0, NaN, 0],
    );
    note(2, 70);
    assert.deepEqual(reported(80), [
      [2, 70],
      [3, 0],
    ]);
  });

  it('ignores packets without a number and packets that are too late', () => {
    note(1_000, 0);
    note(1_600, 0);
    reported(0);
    record.onPacket(-1, NO_SEND_TIME, 2, { notBefore: 0, now: 0 });
    note(1_050, 100);
    assert.deepEqual(reported(100), []);
  });

  it('starts anew after a jump of the sequence numbers', () => {
    note(1, 0);
    reported(0);
    note(30_000, 100);
    assert.deepEqual(reported(100), [[30_000, 100]]);
  });

  it('splits a report that is too long for one message, or whose deltas are too large', () => {
    for (let sequence = 0; sequence < 1_000; sequence++) note(sequence, sequence);
    const packets = record.takeFeedback(1_000);
    assert.equal(packets.length, 3);
    assert.equal(
      packets.reduce((sum, packet) => sum + readTransportFeedback(packet)!.arrivals.length, 0),
      1_000,
    );
    note(1_000, 2_000);
    note(1_001, 20_000);
    assert.deepEqual(reported(20_000), [
      [1_000, 2_000],
      [1_001, 20_000],
    ]);
  });

  it('reports every packet of a long call with loss exactly once', () => {
    const came = (sequence: number) => sequence % 7 !== 3;
    const seen: (number | undefined)[][] = [];
    for (let sequence = 0; sequence <= 200_020; sequence++) {
      if (came(sequence)) note(sequence, sequence);
      if (sequence % 20 === 0) seen.push(...reported(sequence));
    }
    seen.push(...reported(300_000));
    assert.equal(seen.length, 200_021);
    assert.ok(
      seen.every(
        ([sequence, arrival], index) => sequence === (index & 0xffff) && !Number.isNaN(arrival) === came(index),
      ),
    );
  });
});

describe('the estimated arrival times of packets with a send time', () => {
  /** Sent every 5 ms by a clock that is 70 s behind ours. The delay is 20 ms plus `delayed`. */
  function arrivals(
    stalls: (now: number) => number,
    delayed = (_sent: number) => 0,
  ): { came: number; noted: number }[] {
    const record = new TransportFeedbackGenerator(1);
    const all: { came: number; noted: number }[] = [];
    let handedOver = 0;
    for (let sequence = 0; sequence < 4_000; sequence++) {
      const sent = sequence * 5;
      const came = sent + 20 + delayed(sent);
      const now = Math.max(handedOver, stalls(came));
      const notBefore = now > came ? Math.min(handedOver, came) : came;
      record.onPacket(sequence & 0xffff, sendTime(sent), 2, { notBefore, now });
      if (now > handedOver) handedOver = now;
      const [packet] = record.takeFeedback(now + sequence * 100);
      all.push({ came, noted: readTransportFeedback(packet!)!.arrivals.at(-1)! });
    }
    return all;
  }
  const error = ({ came, noted }: { came: number; noted: number }) => Math.abs(noted - came);
  /** The loop is busy for 50 ms of every 200 ms. */
  const stalling = (now: number) => (now % 200 < 50 ? now - (now % 200) + 50 : now);

  it('are exact when the event loop is idle', () => {
    assert.ok(arrivals((now) => now).every((packet) => error(packet) < 0.2));
  });

  it('are exact when the event loop hands packets over late and in bursts, after one was not delayed', () => {
    assert.ok(
      arrivals(stalling)
        .slice(20)
        .every((packet) => error(packet) < 0.2),
    );
  });

  it('show a delay of the network, whether the event loop is busy or not', () => {
    // From 10 s on a queue grows by 10 ms every 100 ms.
    const queue = (sent: number) => Math.max(0, (sent - 10_000) / 10);
    for (const stalls of [(now: number) => now, stalling]) {
      const packets = arrivals(stalls, queue).slice(2_000);
      assert.ok(packets.every((packet) => error(packet) <= 50.2));
      assert.ok(packets.at(-1)!.noted - packets[0]!.noted > packets.at(-1)!.came - packets[0]!.came - 51);
    }
  });

  it('stay within the arrival window', () => {
    const record = new TransportFeedbackGenerator(1);
    let random = 7;
    const next = (below: number) => (random = (random * 48_271) % 0x7fffffff) % below;
    for (let sequence = 0, now = 0; sequence < 5_000; sequence++) {
      now += next(100);
      const notBefore = now - next(80);
      record.onPacket(sequence & 0xffff, next(0x1000000), 2, { notBefore, now });
      const [packet] = record.takeFeedback(now + sequence * 200);
      const noted = readTransportFeedback(packet!)!.arrivals.at(-1)!;
      assert.ok(noted >= notBefore - 0.2 && noted <= now + 0.2);
    }
  });
});
