import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { FrameBatch, recycle } from '../../../../../server/media/embedded/relay/frame-batch.js';
import {
  RelayFrameReader,
  messageFrame,
  type RelayMessage,
} from '../../../../../server/media/embedded/relay/relay-frames.js';

interface ReceivedPacket {
  readonly source: number;
  readonly encoding: number;
  readonly sequence: number;
  readonly packet: string;
  readonly arrivedAt: number;
}
type Received = RelayMessage | ReceivedPacket;

function reader() {
  const received: Received[] = [];
  const frames = new RelayFrameReader({
    onMessage: (message) => received.push(message),
    onPacket: (source, encoding, { sequence, packet, arrivedAt }) =>
      void received.push({
        source,
        encoding,
        sequence,
        packet: packet.toString('hex'),
        arrivedAt: Math.round(arrivedAt),
      }),
  });
  return { frames, received };
}

const message: fc.Arbitrary<RelayMessage> = fc.oneof(
  fc.string({ unit: 'grapheme' }).map((stream) => ({ type: 'follow' as const, stream })),
  fc
    .tuple(fc.nat(), fc.nat(9), fc.constantFrom('urgent' as const, 'patient' as const))
    .map(([source, encoding, urgency]) => ({ type: 'keyframe' as const, source, encoding, urgency })),
);
const packet = fc
  .tuple(fc.nat({ max: 0xffff_ffff }), fc.nat(255), fc.maxSafeNat(), fc.uint8Array({ maxLength: 1_500 }), fc.nat())
  .map(([source, encoding, sequence, bytes, arrivedAt]) => ({
    source,
    encoding,
    sequence,
    packet: Buffer.from(bytes).toString('hex'),
    arrivedAt,
  }));

function add(batch: FrameBatch, sent: Received): void {
  if (!('packet' in sent)) return batch.add(messageFrame(sent));
  batch.addPacket(sent.source, sent.encoding, { ...sent, packet: Buffer.from(sent.packet, 'hex') });
}

describe('relay frames', () => {
  it('arrive as they were sent, however the bytes are split', () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1 });
    fc.assert(
      fc.property(fc.array(fc.oneof(message, packet)), cuts, (sent, sizes) => {
        const batch = new FrameBatch();
        for (const frame of sent) add(batch, frame);
        const bytes = Buffer.concat(batch.take());
        const { frames, received } = reader();
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length]!;
          frames.read(bytes.subarray(at, at + size));
          at += size;
        }
        assert.deepEqual(received, sent);
      }),
    );
  });

  it('arrive as they were sent where the buffers of one batch are used for another', () => {
    const large = fc
      .string({ minLength: 60_000, maxLength: 140_000 })
      .map((stream) => ({ type: 'follow' as const, stream }));
    const packets = fc.array(packet, { minLength: 1, maxLength: 120 });
    const batches = fc.array(fc.oneof({ weight: 9, arbitrary: packets }, { weight: 1, arbitrary: fc.tuple(large) }));
    fc.assert(
      fc.property(batches, (sent) => {
        const batch = new FrameBatch();
        const { frames, received } = reader();
        for (const group of sent) {
          for (const frame of group) add(batch, frame);
          const written = batch.take();
          assert.equal(batch.bytes, 0);
          // A copy, as the other process has one.
          frames.read(Buffer.concat(written));
          written.forEach(recycle);
        }
        assert.deepEqual(received, sent.flat());
      }),
      { numRuns: 50 },
    );
  });

  it('of an unknown form break the connection', () => {
    const broken = [
      Buffer.alloc(4),
      Buffer.from([0xff, 0, 0, 0]),
      Buffer.from([0, 0, 0, 2, 9, 9]),
      Buffer.from([0, 0, 0, 3, 1, 0, 0]),
      Buffer.from([0, 0, 0, 2, 0, 0x7b]),
    ];
    for (const bytes of broken) assert.throws(() => reader().frames.read(bytes), bytes.toString('hex'));
  });

  it('are delivered as soon as they are complete', () => {
    const { frames, received } = reader();
    const bytes = messageFrame({ type: 'current' });
    frames.read(bytes.subarray(0, -1));
    assert.deepEqual(received, []);
    frames.read(Buffer.concat([bytes.subarray(-1), bytes.subarray(0, 3)]));
    assert.deepEqual(received, [{ type: 'current' }]);
  });
});
