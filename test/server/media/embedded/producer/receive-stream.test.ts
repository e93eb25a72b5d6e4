import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ReceiveStream } from '../../../../../server/media/embedded/producer/receive-stream.js';

describe('ReceiveStream', () => {
  let stream: ReceiveStream;
  /** A packet every 10 ms, with timestamps to match. */
  const receive = (sequence: number, now = sequence * 10) => stream.receive(sequence & 0xffff, now * 90, now);

  beforeEach(() => {
    stream = new ReceiveStream(7, 90_000);
  });

  it('extends sequence numbers across the wrap', () => {
    const extended = [65_534, 65_535, 65_536, 65_537].map((sequence) => receive(sequence)!);
    assert.deepEqual(
      extended.map((number) => number - extended[0]!),
      [0, 1, 2, 3],
    );
  });

  it('rejects packets from before the first packet', () => {
    receive(10);
    assert.equal(receive(9), undefined);
    assert.notEqual(receive(11), undefined);
  });

  it('accepts a packet once, however often it is sent', () => {
    const first = receive(1)!;
    receive(4);
    assert.equal(receive(2), first + 1);
    for (const sequence of [1, 2, 4]) assert.equal(receive(sequence), undefined);
    assert.equal(receive(3), first + 2);
    assert.deepEqual([stream.reportBlock(50).packetsLost, stream.takeNackList(100)], [0, []]);
  });

  it('does not count duplicates as received', () => {
    for (const sequence of [1, 2, 2, 2, 5]) receive(sequence);
    assert.equal(stream.reportBlock(60).packetsLost, 2);
  });

  it('knows which packets were received over many wraps', () => {
    const first = receive(1)!;
    for (let sequence = 2; sequence < 200_000; sequence++) {
      if (sequence % 7 !== 0) assert.equal(receive(sequence), first + sequence - 1);
      if (sequence % 7 !== 3 || sequence < 10) continue;
      assert.equal(receive(sequence - 3), first + sequence - 4, 'the late packet is accepted');
      assert.equal(receive(sequence - 2), undefined, 'the duplicate is rejected');
    }
  });

  it('rejects packets that are too old to be sent', () => {
    receive(1);
    receive(2_000);
    assert.equal(receive(976), undefined);
    assert.notEqual(receive(977), undefined);
  });

  it('requests missing packets, oldest first, and not those that arrived late', () => {
    receive(1);
    receive(5);
    receive(3);
    assert.deepEqual(stream.takeNackList(60), [2, 4]);
  });

  it('repeats a request after a while, and gives up in the end', () => {
    receive(1, 0);
    receive(3, 0);
    const askedAt: number[] = [];
    for (let now = 0; now < 2_000; now += 20) if (stream.takeNackList(now).length) askedAt.push(now);
    assert.deepEqual(askedAt, [0, 60, 120, 180, 240, 300, 360, 420]);
  });

  it('repeats a request to a distant sender no sooner than it can have answered', () => {
    receive(1, 0);
    receive(3, 0);
    assert.deepEqual(stream.takeNackList(0), [2]);
    receive(2, 200);
    receive(5, 300);
    const askedAt: number[] = [];
    for (let now = 300; now < 1_000; now += 10) if (stream.takeNackList(now).length) askedAt.push(now);
    assert.deepEqual(askedAt, [300, 550, 800]);
  });

  it('measures how long a late packet had been missing', () => {
    receive(1, 0);
    receive(3, 100);
    assert.equal(stream.recoveryDelay, 0);
    receive(2, 170);
    assert.equal(stream.recoveryDelay, 70);
    receive(4, 180);
    assert.equal(stream.recoveryDelay, 0);
  });

  it('gives up packets that are too old', () => {
    receive(1, 0);
    receive(3, 0);
    assert.deepEqual(stream.takeNackList(801), []);
  });

  it('requests nothing of a wide gap', () => {
    receive(1);
    receive(400);
    assert.deepEqual(stream.takeNackList(4_000), []);
  });

  it('limits the number of missing packets', () => {
    for (let sequence = 1; sequence < 30_000; sequence += 200) receive(sequence, 0);
    assert.ok(stream.takeNackList(0).length < 1_300);
  });

  it('reports the loss since the last report and in all', () => {
    receive(1);
    receive(2);
    receive(5);
    assert.deepEqual(
      [stream.reportBlock(50), stream.reportBlock(60)].map(({ fractionLost, packetsLost, highestSequence }) => ({
        fractionLost,
        packetsLost,
        highestSequence,
      })),
      [
        { fractionLost: Math.floor((2 / 5) * 256), packetsLost: 2, highestSequence: 5 },
        { fractionLost: 0, packetsLost: 2, highestSequence: 5 },
      ],
    );
  });

  it('reports jitter only for irregular packets', () => {
    for (let sequence = 1; sequence < 20; sequence++) receive(sequence);
    assert.equal(stream.reportBlock(200).jitter, 0);
    stream.receive(20, 200 * 90, 230);
    assert.equal(stream.reportBlock(230).jitter, Math.round((30 * 90) / 16));
  });

  it('reports how long ago the last sender report arrived', () => {
    receive(1);
    const never = stream.reportBlock(10);
    assert.deepEqual([never.lastSenderReport, never.delaySinceLastSenderReport], [0, 0]);
    const report = { ntpSeconds: 0x12345678, ntpFraction: 0x9abcdef0, rtpTimestamp: 0, packets: 0, bytes: 0 };
    stream.onSenderReport(report, 100);
    const later = stream.reportBlock(600);
    assert.deepEqual([later.lastSenderReport, later.delaySinceLastSenderReport], [0x56789abc, 32_768]);
  });
});
