import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { extensionLength, findExtension } from '../../../../../server/media/embedded/rtp/header-extensions.js';
import { payloadStart, sequenceNumber } from '../../../../../server/media/embedded/rtp/packet.js';
import { nack } from '../../../../../server/media/embedded/rtcp/rtcp.js';
import type { LayerChoice } from '../../../../../server/media/engine/media-session.js';
import type { VideoCodec } from '../../../../../server/media/engine/media-track.js';
import { descriptorsOf, type DescriptorParts } from '../../../../support/media/dependency-descriptor.js';
import { RouterFixture } from '../../../../support/media/router-fixture.js';
import { sdpOffer, type OfferParts } from '../../../../support/media/offer.js';

interface Layer {
  readonly spatial?: number;
  readonly temporal: number;
}

/** The temporal layer of a picture: 0 2 1 2 …, as in L1T3. */
const TEMPORAL = [0, 2, 1, 2] as const;
const SPATIALS = [0, 1, 2] as const;
const PICTURE_MS = 33;

/** One source, its viewers, and a clock. */
function scalableStream(codec: VideoCodec) {
  const stream = new RouterFixture();
  const publisher = stream.publish(sdpOffer({ kinds: ['video'], direction: 'sendonly' }), null, codec);
  let now = 0;
  let sequence = 100;
  let picture = 0;
  /** Packets by the source’s sequence number. */
  const lost = new Map<number, () => void>();

  function send(payload: Buffer, { marker = false, lose = false } = {}) {
    const parts = { payload, marker, timestamp: picture * 3_000 };
    const number = sequence++;
    const arrive = () => publisher.video(number, parts, now);
    if (lose) lost.set(number, arrive);
    else arrive();
    return number;
  }

  return {
    stream,
    publisher,
    lost,
    send,
    get now() {
      return now;
    },
    get picture() {
      return picture;
    },
    view: (layer: LayerChoice = {}) => stream.view({ kinds: ['video'] }, { now, layer }),
    select: (viewer: ReturnType<RouterFixture['view']>, layer: LayerChoice) =>
      stream.router.select(viewer.viewer, layer, now),
    nextPicture() {
      picture++;
      now += PICTURE_MS;
      stream.router.tick(now);
    },
  };
}

function vp8(picture: number, temporal: number, { keyframe = false, sync = temporal > 0 } = {}): Buffer {
  const baseLayer = picture >> 2;
  return Buffer.from([
    0x90,
    0xe0,
    0x80 | (picture >> 8),
    picture & 0xff,
    baseLayer & 0xff,
    (temporal << 6) | (sync ? 0x20 : 0),
    keyframe ? 0 : 1,
    0,
    picture & 0xff,
    temporal,
  ]);
}

/** One packet for each layer of a picture with three spatial layers. */
function vp9(picture: number, { spatial = 0, temporal }: Layer, { keyframe = false } = {}): Buffer {
  const predicts = keyframe ? 0 : 0x40;
  const layers = (temporal << 5) | (temporal === 0 ? 0x10 : 0) | (spatial << 1) | (spatial ? 1 : 0);
  const baseLayer = (picture >> 2) & 0xff;
  return Buffer.from([
    0xa0 | predicts | 0x0c,
    0x80 | (picture >> 8),
    picture & 0xff,
    layers,
    baseLayer,
    picture & 0xff,
    spatial,
    temporal,
  ]);
}

const marked = (packet: Buffer) => (packet[1]! & 0x80) !== 0;

function assertNoGap(packets: readonly Buffer[]) {
  packets.slice(1).forEach((packet, index) => {
    const ahead = (sequenceNumber(packet) - sequenceNumber(packets[index]!)) & 0xffff;
    assert.equal(ahead, 1, `packet ${index + 1} of ${packets.length}`);
  });
}

describe('VP8 in temporal layers', () => {
  const PICTURE_ID = 2;
  const temporalOf = (packet: Buffer) => packet.at(-1)!;
  const pictureIdOf = (packet: Buffer) => packet.readUInt16BE(payloadStart(packet) + PICTURE_ID) & 0x7fff;

  function open() {
    const source = scalableStream('vp8');
    const pictures = (count: number, lose: (temporal: number) => boolean = () => false) => {
      for (let index = 0; index < count; index++) {
        const temporal = TEMPORAL[source.picture % 4]!;
        const keyframe = source.picture === 0;
        source.send(vp8(source.picture, temporal, { keyframe }), { marker: true, lose: lose(temporal) });
        source.nextPicture();
      }
    };
    return { ...source, pictures };
  }

  it('drops the layers above the choice without a gap in sequence numbers and picture ids', () => {
    const { view, pictures } = open();
    const viewers = [0, 1, 2].map((temporalLayerId) => view({ temporalLayerId }));
    pictures(120);
    viewers.forEach(({ sink }, highest) => {
      // In the first second the layers are measured.
      const packets = sink.rtp.slice(-20);
      assert.ok(packets.every((packet) => temporalOf(packet) <= highest));
      assert.equal(new Set(packets.map(temporalOf)).size, highest + 1);
      assertNoGap(sink.rtp);
      sink.rtp.slice(1).forEach((packet, index) => {
        assert.equal((pictureIdOf(packet) - pictureIdOf(sink.rtp[index]!)) & 0x7fff, 1);
      });
    });
  });

  it('goes up again at a picture that depends on the lowest layer alone', () => {
    const { view, pictures, select } = open();
    const viewer = view({ temporalLayerId: 0 });
    pictures(120);
    const before = viewer.sink.rtp.length;
    select(viewer, {});
    pictures(8);
    assert.deepEqual(viewer.sink.rtp.slice(before).map(temporalOf), [0, 2, 1, 2, 0, 2, 1, 2]);
    assertNoGap(viewer.sink.rtp);
  });

  it('is resent with the viewer’s sequence numbers', () => {
    const { view, pictures, now } = open();
    const viewer = view({ temporalLayerId: 1 });
    pictures(200);
    const wanted = viewer.sink.rtp.slice(-10);
    const before = viewer.sink.rtp.length;
    viewer.sendRtcp(nack(5, viewer.ssrcOf('video'), wanted.map(sequenceNumber)), now);
    assert.deepEqual(viewer.sink.rtp.slice(before), wanted);
  });

  it('sends an empty packet for a late packet of a dropped layer', () => {
    const { view, pictures, lost } = open();
    const viewer = view({ temporalLayerId: 0 });
    pictures(120);
    const before = viewer.sink.rtp.length;
    pictures(8, (temporal) => temporal === 1);
    const missing = viewer.sink.rtp.slice(before).map(sequenceNumber);
    assert.deepEqual(
      missing.map((number) => number - missing[0]!),
      [0, 2],
    );
    for (const arrive of lost.values()) arrive();
    const [filled] = viewer.sink.rtp.slice(-2).map((packet) => [sequenceNumber(packet) - missing[0]!, packet.length]);
    assert.deepEqual(filled, [1, 12]);
  });
});

describe('VP9 in spatial and temporal layers', () => {
  const spatialOf = (packet: Buffer) => packet.at(-2)!;
  const temporalOf = (packet: Buffer) => packet.at(-1)!;

  function open() {
    const source = scalableStream('vp9');
    const picture = (keyframe = false) => {
      const temporal = TEMPORAL[source.picture % 4]!;
      for (const spatial of SPATIALS) {
        source.send(vp9(source.picture, { spatial, temporal }, { keyframe }), { marker: spatial === 2 });
      }
      source.nextPicture();
    };
    const pictures = (count: number) => {
      for (let index = 0; index < count; index++) picture(source.picture === 0);
    };
    return { ...source, picture, pictures };
  }

  it('drops the layers above the choice without a gap, and marks the end of each picture', () => {
    for (const [spatialLayerId, temporalLayerId] of [
      [0, 0],
      [1, 2],
      [2, 1],
    ] as const) {
      const source = open();
      const seen = source.view({ spatialLayerId, temporalLayerId });
      source.pictures(140);
      const packets = seen.sink.rtp.slice(-24);
      assert.ok(
        packets.every((packet) => spatialOf(packet) <= spatialLayerId && temporalOf(packet) <= temporalLayerId),
      );
      assert.equal(new Set(packets.map(spatialOf)).size, spatialLayerId + 1);
      for (const packet of packets) assert.equal(marked(packet), spatialOf(packet) === spatialLayerId);
      assertNoGap(seen.sink.rtp);
    }
  });

  it('goes up to a higher spatial layer with a requested keyframe, and down at the next picture', () => {
    const { view, pictures, picture, select, publisher } = open();
    const viewer = view();
    pictures(120);
    const highest = () => Math.max(...viewer.sink.rtp.slice(-3).map(spatialOf));
    assert.equal(highest(), 2);
    const asked = publisher.sink.keyframeRequests.length;
    select(viewer, { spatialLayerId: 0 });
    pictures(3);
    assert.equal(highest(), 0);
    assert.equal(publisher.sink.keyframeRequests.length, asked);
    select(viewer, { spatialLayerId: 1 });
    assert.equal(publisher.sink.keyframeRequests.length, asked + 1);
    pictures(3);
    assert.equal(highest(), 0);
    picture(true);
    pictures(3);
    assert.equal(highest(), 1);
    assertNoGap(viewer.sink.rtp);
  });

  it('goes up to a higher temporal layer at a switching point', () => {
    const { view, pictures, select } = open();
    const viewer = view({ spatialLayerId: 0, temporalLayerId: 0 });
    pictures(121);
    const before = viewer.sink.rtp.length;
    select(viewer, { spatialLayerId: 0 });
    pictures(8);
    assert.deepEqual(viewer.sink.rtp.slice(before).map(temporalOf), [0, 2, 1, 2, 0]);
  });

  it('is reported as nine layers, each with its own bitrate', () => {
    const { pictures, stream } = open();
    pictures(100);
    const { layers } = stream.layers.at(-1)!;
    assert.deepEqual(
      layers.map(({ spatialLayerId, temporalLayerId }) => [spatialLayerId, temporalLayerId]),
      [0, 1, 2].flatMap((spatial) => [0, 1, 2].map((temporal) => [spatial, temporal])),
    );
    assert.ok(layers.every(({ active, bitrate, encodingId }) => active && bitrate > 0 && encodingId === '0'));
  });
});

describe('AV1', () => {
  /** A frame OBU with an extension that contains its layers. */
  const av1 = (temporal: number, keyframe: boolean) => Buffer.from([keyframe ? 0x18 : 0x10, 0x34, temporal << 5, 7]);
  const temporalOf = (packet: Buffer) => packet.at(-2)! >> 5;

  it('is one layer if it has one', () => {
    const source = scalableStream('av1');
    for (let index = 0; index < 100; index++) {
      source.send(av1(0, index === 0), { marker: true });
      source.nextPicture();
    }
    const [only, ...others] = source.stream.layers.at(-1)!.layers;
    assert.deepEqual([only!.spatialLayerId, only!.temporalLayerId, others.length], [undefined, undefined, 0]);
  });

  it('drops temporal layers above the choice, and goes up again with the lowest layer', () => {
    const source = scalableStream('av1');
    const viewer = source.view({ temporalLayerId: 0 });
    const pictures = (count: number) => {
      for (let index = 0; index < count; index++) {
        source.send(av1(source.picture % 2, source.picture === 0), { marker: true });
        source.nextPicture();
      }
    };
    pictures(120);
    assert.deepEqual(viewer.sink.rtp.slice(-4).map(temporalOf), [0, 0, 0, 0]);
    source.select(viewer, {});
    pictures(5);
    assert.deepEqual(viewer.sink.rtp.slice(-4).map(temporalOf), [1, 0, 1, 0]);
    assertNoGap(viewer.sink.rtp);
  });
});

describe('AV1 with dependency descriptors', () => {
  const DESCRIPTOR = 12;
  const URI = 'https://aomediacodec.github.io/av1-rtp-spec/#dependency-descriptor-rtp-header-extension';
  const SIZES = [0, 1];

  /** L2T1: two packets a picture, each with its descriptor. */
  function layeredStream() {
    const stream = new RouterFixture();
    const offered = { kinds: ['video'], videoCodecs: ['av1'], extensions: { [DESCRIPTOR]: URI } } as const;
    const publisher = stream.publish(sdpOffer({ ...offered, direction: 'sendonly' }), null, 'av1');
    const descriptors = descriptorsOf(2, 1);
    let now = 0;
    let picture = 0;
    let sequence = 0;
    const pictures = (count: number, { keyframe = false, activeTargets }: DescriptorParts = {}) => {
      for (let index = 0; index < count; index++) {
        const isKeyframe = picture === 0 || (keyframe && index === 0);
        for (const spatial of SIZES) {
          const structure = isKeyframe && spatial === 0;
          const descriptor = descriptors({
            spatial,
            frameNumber: sequence,
            keyframe: structure,
            ...(index === 0 && spatial === 0 && activeTargets !== undefined ? { activeTargets } : {}),
          });
          const payload = Buffer.from([structure ? 0x18 : 0x10, 0x30, spatial]);
          const parts = { payload, marker: spatial === 1, timestamp: picture * 3_000 };
          publisher.video(sequence++, { ...parts, ...twoByteExtension(DESCRIPTOR, descriptor) }, now);
        }
        picture++;
        now += PICTURE_MS;
        stream.router.tick(now);
      }
    };
    return {
      stream,
      publisher,
      pictures,
      view: (layer: LayerChoice = {}, offer: OfferParts = offered) => stream.view(offer, { now, layer }),
      select: (viewer: ReturnType<RouterFixture['view']>, layer: LayerChoice) =>
        stream.router.select(viewer.viewer, layer, now),
    };
  }
  const twoByteExtension = (id: number, value: Buffer) => ({
    extensionProfile: 0x1000,
    extension: Buffer.concat([Buffer.from([id, value.length]), value], 4 * Math.ceil((2 + value.length) / 4)),
  });
  const spatialOf = (packet: Buffer) => packet.at(-1);
  const descriptorOf = (packet: Buffer) => {
    const at = findExtension(packet, DESCRIPTOR);
    return packet.subarray(at, at + extensionLength(packet, at));
  };
  const endsPicture = (packet: Buffer) => packet[1]! >= 0x80;

  it('reaches viewers with them', () => {
    const source = layeredStream();
    const viewer = source.view();
    source.pictures(3);
    assert.deepEqual(viewer.sink.rtp.map(spatialOf), [0, 1, 0, 1, 0, 1]);
    assert.deepEqual(
      viewer.sink.rtp.map((packet) => descriptorOf(packet).readUInt16BE(1)),
      [0, 1, 2, 3, 4, 5],
    );
    assert.ok(descriptorOf(viewer.sink.rtp[0]!).length > 16, 'the structure of the layers');
  });

  it('is sent in its lowest spatial layer to viewers who do not read them, who could not show more', () => {
    const source = layeredStream();
    const viewer = source.view({}, { kinds: ['video'], videoCodecs: ['av1'] });
    source.pictures(60);
    assert.ok(viewer.sink.rtp.every((packet) => spatialOf(packet) === 0 && endsPicture(packet)));
    assert.equal(viewer.sink.rtp.length, 60);
    assertNoGap(viewer.sink.rtp);
    assert.deepEqual(source.publisher.sink.keyframeRequests, []);
  });

  it('is known in its layers, with their sizes', () => {
    const source = layeredStream();
    source.pictures(100);
    assert.deepEqual(
      source.stream.layers.at(-1)!.layers.map(({ spatialLayerId, height, active }) => [spatialLayerId, height, active]),
      [
        [0, 360, true],
        [1, 720, true],
      ],
    );
  });

  it('is sent in the layer of the choice, whose last packet ends the picture, and larger with the next keyframe', () => {
    const source = layeredStream();
    source.pictures(60);
    const viewer = source.view({ spatialLayerId: 0 });
    source.pictures(30, { keyframe: true });
    const smallest = viewer.sink.rtp.slice(-6);
    assert.deepEqual(smallest.map(spatialOf), [0, 0, 0, 0, 0, 0]);
    assert.ok(smallest.every(endsPicture));
    source.select(viewer, {});
    source.pictures(1);
    assert.equal(spatialOf(viewer.sink.rtp.at(-1)!), 0);
    source.pictures(1, { keyframe: true });
    assert.deepEqual(viewer.sink.rtp.slice(-2).map(spatialOf), [0, 1]);
    assertNoGap(viewer.sink.rtp);
  });

  it('has no layer that the encoder says it stopped', () => {
    const source = layeredStream();
    source.pictures(60);
    source.pictures(35, { activeTargets: 0b01 });
    assert.deepEqual(
      source.stream.layers.at(-1)!.layers.map(({ active }) => active),
      [true, false],
    );
  });
});
