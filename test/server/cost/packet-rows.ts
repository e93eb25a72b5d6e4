import fc from 'fast-check';
import { readRtcp } from '../../../server/media/embedded/rtcp/rtcp.js';
import { readTransportFeedback } from '../../../server/media/embedded/rtcp/transport-feedback.js';
import { readDependencyDescriptor } from '../../../server/media/embedded/rtp/dependency-descriptor.js';
import { findExtension, readTextExtension } from '../../../server/media/embedded/rtp/header-extensions.js';
import { keepExtensions } from '../../../server/media/embedded/rtp/kept-extensions.js';
import { readPayload } from '../../../server/media/embedded/rtp/payload.js';
import { emptyPayloadInfo } from '../../../server/media/embedded/rtp/payload-info.js';
import { unpackRedundancy } from '../../../server/media/embedded/rtp/redundant-audio.js';
import { unwrapRetransmission } from '../../../server/media/embedded/rtp/retransmission.js';
import { TcpFrameReader } from '../../../server/media/embedded/transport/tcp-framing.js';
import type { VideoCodec } from '../../../server/media/engine/media-track.js';
import { readIceCheck } from '../../../server/media/embedded/transport/ice-check.js';
import { PACKET_SIZES } from '../../../server/media/embedded/transport/ice-tcp-connection.js';
import { DEPENDENCY_DESCRIPTOR, MID, RID, TRANSPORT_SEQUENCE } from '../../../server/media/sdp/extension-uris.js';
import { costRow, MB, repeatedBytes, type BytesElement, type CheckedRow } from '../../support/cost.js';
import { sdpOffer } from '../../support/media/offer.js';
import { RouterFixture } from '../../support/media/router-fixture.js';
import { rtpPacket } from '../../support/media/rtp.js';

/** Networks carry no larger packet of a peer. */
const PACKET = 1_200;
/** 64 kB of packets are half a second of a good picture. They may take as long as any other 64 kB. */
const BURST = 64 * 1024;
const PACKET_MS = (20 * PACKET) / BURST;

/** What a burst of packets contains behind their fixed headers. */
function packetsOf(bytes: Buffer, size = PACKET): Buffer[] {
  const packets: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) packets.push(bytes.subarray(at, at + size));
  return packets;
}

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);
const anyBytes = fc.uint8Array({ minLength: 1, maxLength: 16 });
const oneOf = (...known: readonly BytesElement[]): fc.Arbitrary<BytesElement> =>
  fc.oneof(fc.constantFrom(...known), anyBytes);

/** The first byte of each payload, and what may be repeated after it. */
const PAYLOADS: Readonly<Record<VideoCodec, readonly [first: number, elements: fc.Arbitrary<BytesElement>]>> = {
  // An aggregate of sequence parameter sets that end too early, or of units without bytes.
  h264: [
    0x78,
    oneOf(
      bytes(0, 0),
      bytes(0, 1, 0x67),
      bytes(0, 4, 0x67, 100, 0, 31),
      bytes(0, 8, 0x67, 100, 0, 31, 0xac, 0xff, 0xff, 0xff),
      bytes(0, 8, 0x67, 66, 0, 31, 0x9a, 0x02, 0x02, 0xff),
      bytes(0, 1, 0x65),
    ),
  ],
  // OBUs with their lengths: sequence headers, and empty ones.
  av1: [
    0x08,
    oneOf(bytes(0), bytes(1, 0x08), bytes(2, 0x08, 0x00), bytes(4, 0x0a, 0x0b, 0xff, 0xff), bytes(0x80, 0x80)),
  ],
  vp9: [0x0a, oneOf(bytes(0xff), bytes(0xf8, 0xff), bytes(0x18, 0xff, 0x0c), bytes(0))],
  vp8: [0x90, oneOf(bytes(0xff), bytes(0x00))],
};

const payloadRows = Object.entries(PAYLOADS).map(([codec, [first, elements]]) =>
  costRow({
    name: `packets of ${codec}`,
    parsers: [
      'server/media/embedded/rtp/payload.ts readPayload',
      `server/media/embedded/rtp/${codec}.ts read${codec[0]!.toUpperCase()}${codec.slice(1)}`,
    ],
    limit: PACKET,
    inputs: repeatedBytes(elements, () => bytes(first)),
    read: (payload) => {
      const info = emptyPayloadInfo();
      readPayload(codec as VideoCodec, rtpPacket({ payload }), info);
      return info;
    },
    // Node has an object for the view of each OBU.
    fixedMemory: 0.5 * MB,
    maxMs: PACKET_MS,
  }),
);

const ID = 7;
/** Header extensions in the form of one byte, then in that of two. */
const extensionRows = [0xbede, 0x1000].map((extensionProfile) =>
  costRow({
    name: `packets with header extensions of the form ${extensionProfile.toString(16)}`,
    parsers: [
      'server/media/embedded/rtp/header-extensions.ts readTextExtension',
      'server/media/embedded/rtp/header-extensions.ts readTransportSequence',
      'server/media/embedded/rtp/header-extensions.ts readSendTime',
    ],
    limit: PACKET,
    inputs: repeatedBytes(oneOf(bytes(0), bytes(0x10, 0), bytes(0x1f), bytes(1, 0), bytes(1, 1, 1), bytes(0xf0))),
    read: (words) => {
      const extension = Buffer.alloc(PACKET);
      words.copy(extension);
      const packet = rtpPacket({ extension, extensionProfile });
      return [
        findExtension(packet, ID),
        readTextExtension(packet, ID),
        keepExtensions(packet, { dependencyDescriptor: ID, captureTime: ID + 1 }).length,
      ];
    },
    maxMs: PACKET_MS,
  }),
);

const VIEWER = { extensions: { 3: TRANSPORT_SEQUENCE }, congestionFeedback: ['transport-cc'] } as const;
const EXTENSIONS = { 1: TRANSPORT_SEQUENCE, 2: DEPENDENCY_DESCRIPTOR, 5: RID, 6: MID };

/** An RTCP message with its length in its header. */
function rtcp(first: number, type: number, ...body: readonly number[]): Uint8Array {
  return bytes(0x80 | first, type, (body.length / 4) >> 8, (body.length / 4) & 0xff, ...body);
}
const zeros = (count: number): number[] => Array<number>(count).fill(0);
const ones = (count: number): number[] => Array<number>(count).fill(0xff);
const RTCP_MESSAGES: readonly Uint8Array[] = [
  rtcp(0, 201, ...zeros(4)),
  rtcp(31, 201, ...zeros(4)),
  rtcp(1, 201, ...zeros(28)),
  rtcp(0, 200, ...zeros(24)),
  rtcp(1, 205, ...zeros(8), ...ones(4)),
  rtcp(1, 205, ...zeros(8), ...ones(1_100)),
  rtcp(1, 206, ...zeros(8)),
  rtcp(4, 206, ...zeros(16)),
  rtcp(15, 206, ...zeros(8), 0x52, 0x45, 0x4d, 0x42, ...zeros(4)),
  // Transport feedback for 4,096 packets: all lost, and all received.
  rtcp(15, 205, ...zeros(8), 0, 0, 0x10, 0, 0, 0, 0, 0, 0x10, 0, 0, 0),
  rtcp(15, 205, ...zeros(8), 0, 0, 0x01, 0, 0, 0, 0, 0, 0x21, 0, ...zeros(258)),
];
const ofRtcp = oneOf(...RTCP_MESSAGES);
/** Many messages in as few packets as carry them. */
const rtcpPacketsOf = (input: Buffer): Buffer[] =>
  packetsOf(input).map((part) => (part[0]! >> 6 === 2 ? part : Buffer.concat([rtcp(0, 201, ...zeros(4)), part])));

let now = 0;
/** A viewer who was sent what can be asked for again. The viewer's SSRC is that of no message. */
const viewerOfManyPackets = lazily(() => {
  const fixture = new RouterFixture();
  const publisher = fixture.publish();
  const viewer = fixture.view(VIEWER);
  for (let sequence = 0; sequence < 500; sequence++) {
    publisher.video(sequence, { keyframe: sequence === 0, payload: Buffer.alloc(1_000, 1) }, (now += 1));
  }
  viewer.sink.packets.length = 0;
  return viewer;
});

function lazily<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}

const rtcpRows = [
  costRow({
    name: 'RTCP compounds of any messages',
    parsers: [
      'server/media/embedded/rtcp/rtcp.ts readRtcp',
      'server/media/embedded/rtcp/transport-feedback.ts readTransportFeedback',
    ],
    limit: PACKET,
    inputs: repeatedBytes(ofRtcp),
    read: (input) =>
      readRtcp(input).map((message) =>
        message.type === 'transport-feedback' ? readTransportFeedback(message.packet) : message,
      ),
    // Feedback on 4,096 packets in each of some messages, in numbers.
    fixedMemory: 0.75 * MB,
    maxMs: PACKET_MS,
  }),
  costRow({
    name: 'RTCP of a viewer',
    parsers: [],
    limit: BURST,
    inputs: repeatedBytes(ofRtcp),
    read: (input) => {
      const { sendRtcp, sink } = viewerOfManyPackets();
      for (const packet of rtcpPacketsOf(input)) sendRtcp(packet, (now += 20));
      sink.packets.length = 0;
    },
    // What is sent again in an RTT is limited, and the viewer of the test keeps it.
    fixedMemory: 12 * MB,
  }),
];

/** Packets of a publisher whose numbers, times and sizes are not those of any encoder. */
const publisherRows = (['vp8', 'h264', 'vp9', 'av1'] as const).map((codec) =>
  costRow({
    name: `${codec} of a publisher with any sequence numbers and extensions`,
    parsers: ['server/media/embedded/producer/packet-reader.ts PacketReader'],
    limit: BURST,
    inputs: fc
      .tuple(fc.constantFrom(1, 2, 255, 1_000, 2_999, 4_000, 65_535), fc.nat(0xffff), repeatedBytes(anyBytes))
      .map(([step, jump, grow]) => (size) => {
        const input = grow(size);
        for (let at = 0, index = 0; at + 4 < input.length; at += 120, index++) {
          input.writeUInt16BE((index * step + (index % 2) * jump) & 0xffff, at);
        }
        return input;
      }),
    read: (input) => {
      const fixture = new RouterFixture();
      const offer = sdpOffer({
        direction: 'sendonly',
        kinds: ['video'],
        videoCodecs: [codec],
        extensions: EXTENSIONS,
        congestionFeedback: ['transport-cc', 'goog-remb'],
      });
      const publisher = fixture.publish(offer, null, codec);
      fixture.view(VIEWER);
      packetsOf(input, 120).forEach((part, index) => {
        const sequence = part.length > 2 ? part.readUInt16BE(0) : index;
        const extension = Buffer.alloc(40);
        part.copy(extension, 3, 2);
        extension.set([0x11, part[0]!, part[1] ?? 0]);
        publisher.video(sequence, { codec, payload: part.subarray(4), extension, timestamp: part[4] ?? 0 }, index);
        if (index % 20 === 0) fixture.router.tick(index);
      });
    },
    // A router with its caches, and a viewer of the test who keeps a copy of each packet, again after keyframes.
    fixedMemory: 32 * MB,
  }),
);

export const packetRows: readonly CheckedRow[] = [
  ...payloadRows,
  ...extensionRows,
  ...rtcpRows,
  ...publisherRows,
  costRow({
    name: 'packets with redundant blocks',
    parsers: ['server/media/embedded/rtp/redundant-audio.ts unpackRedundancy'],
    limit: PACKET,
    inputs: repeatedBytes(oneOf(bytes(0xef, 0, 0, 0), bytes(0xef, 0, 4, 0), bytes(0xef, 0, 4, 1), bytes(111))),
    read: (input) => unpackRedundancy(rtpPacket({ payload: Buffer.concat([input, bytes(111)]) }), 111),
    maxMs: PACKET_MS,
  }),
  costRow({
    name: 'packets that are sent again',
    parsers: ['server/media/embedded/rtp/retransmission.ts unwrapRetransmission'],
    limit: PACKET,
    inputs: repeatedBytes(oneOf(bytes(0))),
    read: (payload) => unwrapRetransmission(rtpPacket({ payload }), { payloadType: 96, ssrc: 1 }),
    maxMs: PACKET_MS,
  }),
  costRow({
    name: 'dependency descriptors',
    parsers: ['server/media/embedded/rtp/dependency-descriptor.ts readDependencyDescriptor'],
    // Of the longest header extension.
    limit: 255,
    // With a structure of templates, decode targets and chains, as many as there can be.
    inputs: repeatedBytes(oneOf(bytes(0), bytes(0xff), bytes(0x55), bytes(0xaa), bytes(0x11), bytes(0x44, 0x00)), () =>
      bytes(0xc0, 0, 1, 0x80 | 31),
    ),
    read: (extension) => readDependencyDescriptor(extension, 0, extension.length, []),
    maxMs: PACKET_MS,
  }),
  costRow({
    name: 'ICE-TCP frames',
    parsers: ['server/media/embedded/transport/tcp-framing.ts TcpFrameReader'],
    limit: BURST,
    inputs: repeatedBytes(
      oneOf(bytes(0, 1, 1), bytes(0, 14, ...zeros(14)), bytes(0, 20, ...zeros(20)), bytes(8, 0, ...zeros(2_048))),
    ),
    read: (input) => new TcpFrameReader(PACKET_SIZES).read(input),
  }),
  costRow({
    name: 'ICE checks over TCP',
    parsers: ['server/media/embedded/transport/ice-check.ts readIceCheck'],
    limit: PACKET_SIZES.most,
    inputs: repeatedBytes(oneOf(bytes(0, 7, 0, 0), bytes(0, 6, 0, 4, 97, 97, 97, 97)), (length) =>
      bytes(0, 1, length >> 8, length & 0xff, 0x21, 0x12, 0xa4, 0x42, ...zeros(12)),
    ),
    read: readIceCheck,
    maxMs: PACKET_MS,
  }),
  costRow({
    name: 'an ICE-TCP frame that comes byte by byte',
    parsers: ['server/media/embedded/transport/tcp-framing.ts TcpFrameReader'],
    limit: PACKET_SIZES.most,
    inputs: repeatedBytes(bytes(1), (length) => bytes(length >> 8, length & 0xff)),
    read: (input) => {
      const reader = new TcpFrameReader(PACKET_SIZES);
      return packetsOf(input, 1).flatMap((part) => reader.read(part));
    },
    // Node has an object for the view of each byte.
    fixedMemory: MB,
  }),
];
