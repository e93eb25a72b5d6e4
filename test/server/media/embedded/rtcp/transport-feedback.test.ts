import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  readTransportFeedback,
  transportFeedback,
  type TransportFeedback,
} from '../../../../../server/media/embedded/rtcp/transport-feedback.js';

const LOST = NaN;
const feedback = (arrivals: readonly number[], parts: Partial<TransportFeedback> = {}): TransportFeedback => ({
  firstSequence: 1,
  count: 0,
  ...parts,
  arrivals: Float64Array.from(arrivals),
});
/** What follows the fixed part: chunks, deltas, padding. */
const body = (arrivals: readonly number[]) => transportFeedback(1, 2, feedback(arrivals)).toString('hex', 20);

describe('writing transport feedback', () => {
  it('writes the fixed part as the draft defines it', () => {
    const packet = transportFeedback(0x11111111, 0x22222222, feedback([640], { firstSequence: 0xfffe, count: 7 }));
    // Version, padding and format 15; type 205; length; sender; media; first; count; 10 times 64 ms; message count.
    assert.equal(
      packet.toString('hex', 0, 20),
      `afcd0005${'11111111'}${'22222222'}${'fffe'}${'0001'}${'00000a'}${'07'}`,
    );
  });

  it('writes a run of packets as one chunk, and their times in quarters of a millisecond', () => {
    assert.equal(body([64, 64.25, 65.25]), `2003${'00'}${'01'}${'04'}${'000003'}`);
  });

  it('writes a few received and lost packets as a vector of one bit each', () => {
    assert.equal(body([0, LOST, 1]), `a800${'00'}${'04'}`);
  });

  it('writes a large or negative delta with two bytes', () => {
    assert.equal(body([1, 0.75, 65]), `da00${'04'}${'ffff'}${'0101'}${'01'}`);
  });

  it('writes many lost packets as one chunk', () => {
    assert.equal(body([0, ...Array.from({ length: 5_000 }, () => LOST), 1]), `a000${'137b'}${'2001'}${'00'}${'04'}`);
  });

  it('counts reference times modulo 2^24, below zero too', () => {
    const reference = (ms: number) => transportFeedback(1, 2, feedback([ms])).toString('hex', 16, 19);
    assert.deepEqual(
      [reference(-1), reference(64 * 2 ** 24), reference(64 * (2 ** 24 - 1))],
      ['ffffff', '000000', 'ffffff'],
    );
  });
});

describe('reading transport feedback', () => {
  it('reads what was written, to a quarter of a millisecond', () => {
    const step = fc.oneof(fc.constant(LOST), fc.integer({ min: 0, max: 80 }), fc.integer({ min: -8_000, max: 8_000 }));
    fc.assert(
      fc.property(
        fc.integer({ min: -(2 ** 23) * 64 + 9_000_000, max: 2 ** 23 * 64 - 9_000_000 }),
        fc.nat(0xffff),
        fc.nat(0xff),
        fc.nat(20),
        fc.array(step, { maxLength: 300 }),
        (start, firstSequence, count, lost, steps) => {
          let time = start;
          const arrivals = [
            ...Array.from({ length: lost }, () => LOST),
            start,
            ...steps.map((by) => (Number.isNaN(by) ? LOST : (time += by / 4))),
          ];
          const written = transportFeedback(1, 2, feedback(arrivals, { firstSequence, count }));
          assert.equal(written.length, 4 * (written.readUInt16BE(2) + 1));
          assert.deepEqual(readTransportFeedback(written), feedback(arrivals, { firstSequence, count }));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('does not add up rounding errors', () => {
    const arrivals = Array.from({ length: 1_000 }, (_, index) => index * 1.1);
    const { arrivals: read } = readTransportFeedback(transportFeedback(1, 2, feedback(arrivals)))!;
    assert.ok(arrivals.every((arrival, index) => Math.abs(arrival - read[index]!) <= 0.125));
  });

  it('reads runs and vectors in one message', () => {
    const packet = Buffer.from(
      `8fcd0007${'00000001'}${'00000002'}${'0005'}${'0016'}${'000001'}${'03'}` +
        // Seven of two bits: received, late, lost, lost, received, lost, lost. Then 14 lost, then one received.
        `d810${'000e'}${'2001'}${'04'}${'fffc'}${'08'}${'10'}${'00'}`,
      'hex',
    );
    const { arrivals, firstSequence, count } = readTransportFeedback(packet)!;
    assert.deepEqual([firstSequence, count], [5, 3]);
    assert.deepEqual(
      [...arrivals],
      [65, 64, LOST, LOST, 66, LOST, LOST, ...Array.from({ length: 14 }, () => LOST), 70],
    );
  });

  it('rejects truncated messages, no or thousands of packets, and reserved statuses', () => {
    const whole = transportFeedback(1, 2, feedback([0, 1, LOST, 2]));
    const changed = (at: number, bytes: string) => {
      const packet = Buffer.from(whole);
      packet.write(bytes, at, 'hex');
      return packet;
    };
    for (const packet of [
      whole.subarray(0, 19),
      whole.subarray(0, 24),
      changed(14, '0000'),
      changed(14, 'ffff'),
      changed(20, '6004'),
      changed(20, '2000'),
      changed(1, 'ce'),
      changed(0, 'a1'),
    ]) {
      assert.equal(readTransportFeedback(packet), undefined);
    }
  });

  it('survives any input, with one arrival for each packet', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 120 }), fc.boolean(), (bytes, padded) => {
        const packet = Buffer.from(bytes);
        packet[0] = 0x8f | (padded ? 0x20 : 0);
        packet[1] = 205;
        packet.writeUInt16BE(packet.readUInt16BE(14) % 200, 14);
        const read = readTransportFeedback(packet);
        assert.ok(read === undefined || read.arrivals.length === packet.readUInt16BE(14));
      }),
      { numRuns: 5_000 },
    );
  });
});
