import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { sequenceNumber, timestamp } from '../../../../../server/media/embedded/rtp/packet.js';
import { sdpOffer } from '../../../../support/media/offer.js';
import { RouterFixture } from '../../../../support/media/router-fixture.js';
import { rtpPacket } from '../../../../support/media/rtp.js';
import { openSimulcast } from '../../../../support/media/simulcast-fixture.js';

const FRAME_MS = 33;
const PACKETS_PER_FRAME = 3;

describe('a stream whose packets wait too long', () => {
  let stream: RouterFixture;
  let publisher: ReturnType<RouterFixture['publish']>;
  let now: number;
  let frames: number;

  beforeEach(() => {
    stream = new RouterFixture();
    publisher = stream.publish();
    now = 0;
    frames = 0;
  });

  /** Sends a frame of VP8 in some packets, and sound. */
  function frame({ keyframe = false, temporal = 0 } = {}): void {
    for (let index = 0; index < PACKETS_PER_FRAME; index++) {
      const isFirst = index === 0;
      const descriptor = [0x80 | (isFirst ? 0x10 : 0), 0xe0, 0x80 | (frames >> 8), frames & 0xff];
      const layers = [(frames >> 2) & 0xff, (temporal << 6) | (temporal ? 0x20 : 0)];
      const payload = Buffer.from([...descriptor, ...layers, isFirst && keyframe ? 0 : 1, 0, 0, frames & 0xff]);
      const parts = { ssrc: 2, payload, marker: index === PACKETS_PER_FRAME - 1, timestamp: frames * 3_000 };
      publisher.send(rtpPacket({ ...parts, sequence: frames * PACKETS_PER_FRAME + index }), now);
    }
    publisher.audio(frames, {}, now);
    frames++;
    now += FRAME_MS;
    stream.router.tick(now);
  }

  /** The frames that a viewer received. None is received in part, and no sequence number is missing. */
  function framesOf(viewer: ReturnType<RouterFixture['view']>): number[] {
    const packets = viewer.on('video');
    packets.slice(1).forEach((packet, index) => {
      assert.equal((sequenceNumber(packet) - sequenceNumber(packets[index]!)) & 0xffff, 1);
    });
    const seen = new Map<number, number>();
    for (const packet of packets) seen.set(timestamp(packet), (seen.get(timestamp(packet)) ?? 0) + 1);
    assert.ok([...seen.values()].every((count) => count === PACKETS_PER_FRAME));
    const begin = packets[0] ? timestamp(packets[0]) : 0;
    return [...seen.keys()].map((time) => ((time - begin) >>> 0) / 3_000);
  }

  it('is sent without its higher temporal layers, then without video, and always with sound', () => {
    const viewer = stream.view();
    const temporal = [0, 2, 1, 2];
    const send = (count: number) => {
      for (let sent = 0; sent < count; sent++) frame({ keyframe: frames === 0, temporal: temporal[frames % 4]! });
    };
    send(8);
    publisher.setWait(120);
    send(12);
    publisher.setWait(200);
    send(12);
    const received = framesOf(viewer);
    assert.deepEqual(received.slice(0, 8), [0, 1, 2, 3, 4, 5, 6, 7]);
    const later = received.slice(8);
    assert.ok(
      later.filter((number) => number >= 12 && number < 20).every((number) => number % 4 === 0),
      later.join(),
    );
    assert.ok(
      later.some((number) => number >= 12),
      later.join(),
    );
    assert.ok(Math.max(...later) <= 24, later.join());
    assert.equal(viewer.on('audio').length, 32);
  });

  it('is sent from a requested keyframe on when packets are in time again', () => {
    const viewer = stream.view();
    frame({ keyframe: true });
    publisher.setWait(300);
    for (let sent = 0; sent < 30; sent++) frame();
    const before = framesOf(viewer).length;
    const asked = publisher.sink.keyframeRequests.length;
    publisher.setWait(0);
    frame();
    assert.equal(publisher.sink.keyframeRequests.length, asked + 1);
    frame({ keyframe: true });
    frame();
    assert.equal(framesOf(viewer).length, before + 2);
    assert.equal(viewer.on('audio').length, 34);
  });

  it('is counted in the reception of the source', () => {
    const viewer = stream.view();
    const shed = () => stream.receptions.reduce((sum, { state }) => sum + state.shed, 0);
    const send = (count: number) => {
      for (let sent = 0; sent < count; sent++) frame({ keyframe: sent === 0 });
    };
    send(60);
    assert.equal(shed(), 0);
    publisher.setWait(300);
    send(60);
    publisher.setWait(0);
    send(60);
    assert.ok(shed() > 30);
    assert.equal(shed() + framesOf(viewer).length, frames);
  });

  it('is relayed whole: the other process decides by itself', () => {
    const viewer = stream.view();
    frame({ keyframe: true });
    const relayed: number[] = [];
    const [encoding] = [...publisher.transport.source.video];
    encoding!.addSink(
      {
        isRelay: true,
        lastSentAt: undefined,
        onStart: () => {},
        forward: ({ sequence }) => Boolean(relayed.push(sequence)),
        sendSenderReport: () => {},
        onEnd: () => {},
      },
      now,
    );
    publisher.setWait(300);
    for (let sent = 0; sent < 20; sent++) frame();
    assert.equal(relayed.length, 21 * PACKETS_PER_FRAME);
    assert.ok(framesOf(viewer).length < 10);
  });
});

it('counts the packets that could not be sent to each viewer', () => {
  const stream = new RouterFixture();
  const publisher = stream.publish();
  const [reached, unreached] = [stream.view(), stream.view()];
  unreached.sink.send = () => false;
  publisher.video(1, { keyframe: true });
  publisher.audio(1);
  const failed = [reached, unreached].map(({ viewer }) => viewer.delivery('id').failedSends);
  assert.deepEqual(failed, [0, 2]);
});

describe('a worker with too much load', () => {
  /** The encoding that was sent last: each payload names its own in its last byte. */
  const lastEncoding = (viewer: Pick<ReturnType<RouterFixture['view']>, 'on'>) => viewer.on('video').at(-1)!.at(-1);

  it('sends lower encodings to all viewers, and the best again when the load is over', () => {
    const simulcast = openSimulcast(undefined, { sound: true });
    const viewer = simulcast.watch({});
    const setShare = (share: number) => simulcast.stream.router.setLoadShare(share, simulcast.now);
    simulcast.pass(5, viewer);
    const seen = [1, 1 / 2, 1 / 4, 1 / 8, 1].map((share) => {
      setShare(share);
      simulcast.pass(3, viewer);
      return lastEncoding(viewer);
    });
    assert.deepEqual(seen, [2, 1, 0, 0, 2]);
    assert.deepEqual(viewer.paused, []);
  });

  it('sends the sound alone at last', () => {
    const simulcast = openSimulcast(undefined, { sound: true });
    const viewer = simulcast.watch({});
    simulcast.pass(5, viewer);
    simulcast.stream.router.setLoadShare(0, simulcast.now);
    const before = { video: viewer.on('video').length, audio: viewer.on('audio').length };
    simulcast.pass(2, viewer);
    assert.equal(viewer.on('video').length, before.video);
    assert.ok(viewer.on('audio').length - before.audio >= 98);
    assert.deepEqual(viewer.paused, [['1']]);
    simulcast.stream.router.setLoadShare(1, simulcast.now);
    simulcast.pass(2, viewer);
    assert.equal(lastEncoding(viewer), 2);
    assert.deepEqual(viewer.paused, [['1'], []]);
  });

  it('pauses the video of some viewers if it has no layers, and keeps that of the others whole', () => {
    const stream = new RouterFixture();
    const publisher = stream.publish(sdpOffer({ kinds: ['video'], direction: 'sendonly' }));
    const viewers = Array.from({ length: 400 }, () => stream.view({ kinds: ['video'] }));
    let now = 0;
    let sequence = 0;
    const payload = Buffer.alloc(1_000, 1);
    payload[0] = 0x10;
    const second = () => {
      for (let frame = 0; frame < 30; frame++) {
        payload[1] = frame === 0 ? 0 : 1;
        publisher.video(++sequence, { payload }, now);
        now += FRAME_MS;
        stream.router.tick(now);
      }
    };
    second();
    second();
    stream.router.setLoadShare(1 / 4, now);
    const before = viewers.map((viewer) => viewer.on('video').length);
    second();
    second();
    const received = viewers.map((viewer, index) => viewer.on('video').length - before[index]!);
    const watching = received.filter((packets) => packets === 60).length;
    assert.equal(received.filter((packets) => packets === 0).length, viewers.length - watching);
    assert.ok(watching > 80 && watching < 220, `${watching} of 400`);
  });
});
