import fc from 'fast-check';
import { frameOf } from '../../../server/media/embedded/frames/frame-of.js';
import { nalUnitsOf, nalUnitsWithLengths } from '../../../server/media/embedded/frames/h264-nal-units.js';
import { payloadsOf } from '../../../server/media/embedded/frames/payloads-of.js';
import { FrameAssembler } from '../../../server/media/embedded/tap/frame-assembler.js';
import { PacketOrder } from '../../../server/media/embedded/tap/packet-order.js';
import { RelayFrameReader } from '../../../server/media/embedded/relay/relay-frames.js';
import { readPackets } from '../../../server/media/embedded/relay/packet-messages.js';
import type { VideoCodec } from '../../../server/media/engine/media-track.js';
import { costRow, MB, repeatedBytes, type BytesElement, type CheckedRow } from '../../support/cost.js';
import { sdpOffer } from '../../support/media/offer.js';
import { RouterFixture } from '../../support/media/router-fixture.js';
import { rtpPacket } from '../../support/media/rtp.js';

/** A keyframe of the highest bitrates. */
const FRAME = 1024 * 1024;
const PAYLOAD = 1_200;

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);
const anyBytes = fc.uint8Array({ minLength: 1, maxLength: 16 });
const oneOf = (...known: readonly BytesElement[]): fc.Arbitrary<BytesElement> =>
  fc.oneof(fc.constantFrom(...known), anyBytes);

/** The payloads of a frame: a first byte, by where it is among them, and parts of the frame. */
function payloadsWith(input: Buffer, first: (index: number, isLast: boolean) => Uint8Array): Buffer[] {
  const payloads: Buffer[] = [];
  for (let at = 0; at < input.length; at += PAYLOAD) {
    const isLast = at + PAYLOAD >= input.length;
    payloads.push(Buffer.concat([first(payloads.length, isLast), input.subarray(at, at + PAYLOAD)]));
  }
  return payloads;
}

/** How payloads begin that a frame is put together of. */
const FIRSTS: Readonly<Record<string, readonly [VideoCodec, (index: number, isLast: boolean) => Uint8Array]>> = {
  'of one OBU in many packets': ['av1', (index, isLast) => bytes(0x10 | (index && 0x80) | (isLast ? 0 : 0x40))],
  'of many OBUs': ['av1', () => bytes(0)],
  'of many NAL units in aggregates': ['h264', () => bytes(0x78)],
  'of one NAL unit in fragments': ['h264', (index, isLast) => bytes(0x7c, index === 0 ? 0x85 : isLast ? 0x45 : 5)],
  'of VP8': ['vp8', () => bytes()],
};
const partsOfFrames = repeatedBytes(
  oneOf(bytes(1, 0x30), bytes(0, 1, 0x65), bytes(0, 0, 1, 1), bytes(0, 0, 1), bytes(0), bytes(2, 0x32, 1), bytes(0x80)),
);

const OBUS = [bytes(0x32, 0), bytes(0x32, 1, 0), bytes(0x30), bytes(0x32, 0x80, 0)];

/** Collects a keyframe whose packets say each that they are the last. */
function collected(codec: VideoCodec, payloads: readonly Buffer[]): number {
  const fixture = new RouterFixture();
  const offer = sdpOffer({ direction: 'sendonly', kinds: ['video'], videoCodecs: [codec] });
  const publisher = fixture.publish(offer, null, codec);
  publisher.video(0, { codec, keyframe: true });
  let done = 0;
  fixture.router.collectKeyframe(null, () => done++, 0);
  const start = { timestamp: 3_000, marker: true };
  publisher.video(1, { codec, keyframe: true, ...start });
  for (const [index, payload] of payloads.entries()) publisher.video(index + 2, { codec, payload, ...start });
  return done;
}

export const frameRows: readonly CheckedRow[] = [
  ...Object.entries(FIRSTS).flatMap(([name, [codec, first]]) => [
    costRow({
      name: `a frame ${name}`,
      parsers: ['server/media/embedded/tap/frame-assembler.ts FrameAssembler'],
      limit: FRAME,
      inputs: partsOfFrames,
      read: (input) => {
        const payloads = payloadsWith(input, first);
        const assembler = new FrameAssembler(
          codec,
          () => {},
          () => {},
        );
        payloads.forEach((payload, index) =>
          assembler.push(rtpPacket({ payload, marker: index === payloads.length - 1 })),
        );
        assembler.end();
        return frameOf(codec, payloads);
      },
    }),
    costRow({
      name: `a keyframe ${name}, for a still`,
      parsers: [],
      limit: FRAME,
      inputs: partsOfFrames,
      read: (input) => collected(codec, payloadsWith(input, first)),
      // A router with its caches, which keep the packets too.
      fixedMemory: 4 * MB,
    }),
  ]),
  costRow({
    name: 'a frame of NAL units, of any sizes',
    parsers: [],
    limit: FRAME,
    inputs: repeatedBytes(oneOf(bytes(0, 0, 1), bytes(0, 0, 1, 1), bytes(0), bytes(0, 0, 0, 1), bytes(0, 0, 0, 0))),
    read: (input) => [
      nalUnitsOf(input).length,
      nalUnitsWithLengths(input).length,
      payloadsOf('h264', { data: input, isKeyframe: true, number: 1 }),
    ],
  }),
  costRow({
    name: 'a frame of OBUs',
    parsers: ['server/media/embedded/frames/leb128.ts readLeb128'],
    limit: FRAME,
    inputs: repeatedBytes(fc.constantFrom(...OBUS)),
    read: (input) => payloadsOf('av1', { data: input, isKeyframe: true, number: 1 }),
  }),
  costRow({
    name: 'a frame of OBUs, of any sizes',
    parsers: [],
    limit: FRAME,
    inputs: repeatedBytes(anyBytes),
    read: (input) => payloadsOf('av1', { data: input, isKeyframe: true, number: 1 }),
    // The size that an OBU names can be that of a large frame alone: a smaller one is refused at its start.
    maxGrowth: 1_000,
  }),
  costRow({
    name: 'packets that a recorder puts in order',
    parsers: [],
    limit: 64 * 1024,
    inputs: repeatedBytes(
      oneOf(
        (index) => bytes(index & 0xff, (index >> 8) & 0xff),
        (index) => bytes(0, 255 - index),
      ),
    ),
    read: (input) => {
      let count = 0;
      const onPacket = () => count++;
      const order = new PacketOrder({ waitMs: 500, maxWaiting: 512, onPacket, onGap: () => {}, onRestart: () => {} });
      for (let at = 0; at + 1 < input.length; at += 2) order.add(input.readUInt16BE(at), at, at / 100);
      order.end(0);
      return count;
    },
    // 512 packets may wait.
    fixedMemory: 3 * MB,
  }),
  costRow({
    name: 'frames of a relay between processes',
    parsers: ['server/media/embedded/relay/relay-frames.ts RelayFrameReader'],
    limit: 64 * 1024,
    inputs: repeatedBytes(
      oneOf(
        bytes(0, 0, 0, 3, 0, 0x7b, 0x7d),
        bytes(0, 0, 0, 22, 1, ...Array<number>(21).fill(0)),
        bytes(0, 0, 0xff, 0xff),
      ),
    ),
    read: (input) => {
      let count = 0;
      const reader = new RelayFrameReader({ onMessage: () => count++, onPacket: () => count++ });
      for (let at = 0; at < input.length; at += 100) reader.read(input.subarray(at, at + 100));
      return count;
    },
    // Node has an object for each view of the input.
    fixedMemory: 3 * MB,
  }),
  costRow({
    name: 'packets of a relay between servers',
    parsers: ['server/media/embedded/relay/packet-messages.ts readPackets'],
    limit: 64 * 1024,
    inputs: repeatedBytes(oneOf(bytes(0, 0, 0, 22, 1, ...Array<number>(21).fill(0)))),
    read: (input) => {
      let count = 0;
      readPackets(input, () => count++);
      return count;
    },
    // Node has an object for the view of each packet. The least of another server is much longer than these.
    fixedMemory: 3 * MB,
  }),
];
