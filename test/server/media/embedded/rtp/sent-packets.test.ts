import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SentPackets } from '../../../../../server/media/embedded/rtp/sent-packets.js';

const HEADER_BYTES = 12;
const SIZE = 8;

/** A source's packet, and the same as it was sent: with extensions, another header and another start of the payload. */
function packets({ extensionBytes = 20, payloadBytes = 100, fill = 1 } = {}) {
  const original = Buffer.alloc(HEADER_BYTES + payloadBytes, fill);
  const sent = Buffer.concat([Buffer.alloc(HEADER_BYTES + extensionBytes, fill + 1), original.subarray(HEADER_BYTES)]);
  sent.fill(fill + 2, HEADER_BYTES + extensionBytes, HEADER_BYTES + extensionBytes + Math.min(payloadBytes, 16));
  return { original, sent };
}

function remember(sent: SentPackets, sequence: number, options: Parameters<typeof packets>[0] = {}): Buffer {
  const made = packets(options);
  const asSent = Buffer.from(made.sent);
  sent.add(sequence, made.sent, made.original, HEADER_BYTES);
  // The buffer that was sent is used again for the next receiver.
  made.sent.fill(0);
  return asSent;
}

describe('the packets sent to a receiver without RTX', () => {
  it('are found bit by bit as they were sent', () => {
    const sent = new SentPackets(SIZE);
    const packet = remember(sent, 70_000);
    assert.deepEqual(sent.find(70_000), packet);
  });

  it('are unknown under any other number, and before they are sent', () => {
    const sent = new SentPackets(SIZE);
    assert.equal(sent.find(0), undefined);
    remember(sent, 3);
    assert.deepEqual(
      [3 + SIZE, 3 - SIZE, 4].map((sequence) => sent.find(sequence)),
      [undefined, undefined, undefined],
    );
  });

  it('are the last ones, as many as the size says', () => {
    const sent = new SentPackets(SIZE);
    for (let sequence = 0; sequence <= SIZE; sequence++) remember(sent, sequence);
    assert.equal(sent.find(0), undefined);
    assert.ok(sent.find(1) && sent.find(SIZE));
  });

  it('are found from the first one on whose header is longer than usual', () => {
    const sent = new SentPackets(SIZE);
    remember(sent, 1);
    const long = remember(sent, 2, { extensionBytes: 80 });
    const next = remember(sent, 3);
    assert.deepEqual(
      [1, 2, 3].map((sequence) => sent.find(sequence)),
      [undefined, long, next],
    );
  });

  it('are not those whose header is longer than any that the server writes', () => {
    const sent = new SentPackets(SIZE);
    remember(sent, 1);
    remember(sent, 1 + SIZE, { extensionBytes: 200 });
    assert.deepEqual(
      [1, 1 + SIZE].map((sequence) => sent.find(sequence)),
      [undefined, undefined],
    );
  });

  it('are never mixed up, whatever their lengths', () => {
    const packet = fc.record({
      extensionBytes: fc.integer({ min: 0, max: 90 }),
      payloadBytes: fc.integer({ min: 0, max: 40 }),
      fill: fc.integer({ min: 0, max: 200 }),
    });
    fc.assert(
      fc.property(fc.array(packet, { maxLength: 40 }), fc.nat(2 ** 33), (all, first) => {
        const sent = new SentPackets(SIZE);
        const expected = all.map((options, index) => remember(sent, first + index, options));
        expected.forEach((bytes, index) => {
          const found = sent.find(first + index);
          if (found) assert.deepEqual(found, bytes);
        });
        const newest = expected.at(-1);
        if (newest) assert.deepEqual(sent.find(first + all.length - 1), newest);
      }),
    );
  });
});
