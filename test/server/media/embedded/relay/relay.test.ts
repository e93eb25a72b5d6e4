import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { beforeEach, describe, it, type TestContext } from 'node:test';
import { followFaults } from '../../../../../server/faults/fault.js';
import { addedSourceTracks } from '../../../../../server/media/embedded/frames/frame-packetizer.js';
import { SourceSender } from '../../../../../server/media/embedded/relay/source-sender.js';
import { MediaError } from '../../../../../server/media/engine/media-error.js';
import { RelayFrameReader, messageFrame } from '../../../../../server/media/embedded/relay/relay-frames.js';
import { PublishingDeadline } from '../../../../../server/media/embedded/worker/publishing-deadline.js';
import { Relay } from '../../../../../server/media/embedded/relay/relay.js';
import { sequenceNumber, timestamp } from '../../../../../server/media/embedded/rtp/packet.js';
import { nack, pictureLossIndication, senderReport } from '../../../../../server/media/embedded/rtcp/rtcp.js';
import { createSocketDirectory } from '../../../../../server/media/embedded/relay/socket-directory.js';
import { RouterFixture } from '../../../../support/media/router-fixture.js';
import { sdpOffer } from '../../../../support/media/offer.js';
import { until } from '../../../../support/media/until.js';

const VIDEO_ONLY = { kinds: ['video'] } as const;

/** Two workers that carry one stream, in one process: each has a router and a relay of its own. */
async function openPair(t: TestContext) {
  const folder = await createSocketDirectory();
  t.after(() => folder.remove());
  const open = async () => {
    const fixture = new RouterFixture();
    let holders = 0;
    const acquireRouter = () => {
      holders++;
      return { router: fixture.router, release: () => void holders-- };
    };
    const path = folder.newPath();
    const relay = await Relay.open(path, {
      acquireRouter,
      onPacket: () => performance.now(),
      mustTake: () => {},
      publishingDeadline: new PublishingDeadline(),
    });
    t.after(() => relay.close());
    return Object.assign(fixture, { relay, path, holders: () => holders });
  };
  return { home: await open(), away: await open() };
}

type Side = Awaited<ReturnType<typeof openPair>>['home'];

describe('a relayed stream', () => {
  let home: Side;
  let away: Side;

  beforeEach(async (t) => {
    ({ home, away } = await openPair(t as TestContext));
  });

  const follow = async () => {
    away.relay.follow('s', home.path);
    await away.relay.whenReady('s');
  };
  const now = () => performance.now();

  it('reaches viewers of the other worker, with their own sequence numbers', async () => {
    const publisher = home.publish();
    await follow();
    const viewer = away.view();
    publisher.audio(7, {}, now());
    publisher.video(8, { keyframe: true }, now());
    publisher.video(9, {}, now());
    await until('all packets arrived', () => viewer.sink.rtp.length === 3);
    assert.deepEqual(viewer.on('audio').map(sequenceNumber), [7]);
    assert.deepEqual(viewer.on('video').map(sequenceNumber), [8, 9]);
  });

  it('is reported by its home alone', async () => {
    await follow();
    const viewer = away.view();
    const publisher = home.publish();
    publisher.audio(1, {}, now());
    await until('the packet arrives', () => viewer.sink.rtp.length > 0);
    away.run(0, 2_000);
    publisher.end();
    await until('the session ended there', () => !away.router.has(null));
    assert.deepEqual(home.events, ['live audio,video', 'ended']);
    assert.deepEqual([away.events, away.layers], [[], []]);
  });

  it('counts received packets at the home, and sent packets where the viewers are', async () => {
    const publisher = home.publish(sdpOffer({ direction: 'sendonly', ...VIDEO_ONLY }));
    await follow();
    const viewer = away.view(VIDEO_ONLY);
    publisher.video(1, { keyframe: true }, now());
    await until('the packet arrives', () => viewer.sink.rtp.length === 1);
    const [there, here] = [home.router.stats(), away.router.stats()];
    assert.deepEqual(
      [there.live, there.viewers, there.packetsIn, there.packetsOut, there.keyframes],
      [true, 0, 1, 0, 1],
    );
    assert.deepEqual([here.live, here.viewers, here.packetsIn, here.packetsOut, here.keyframes], [false, 1, 0, 1, 0]);
  });

  it('passes keyframe requests of viewers on to the publisher', async () => {
    const publisher = home.publish();
    await follow();
    publisher.video(1, { keyframe: true }, now());
    const viewer = away.view();
    await until('the packet arrives', () => viewer.on('video').length > 0);
    const before = publisher.sink.keyframeRequests.length;
    await until('the publisher is asked', () => {
      viewer.sendRtcp(pictureLossIndication(5, viewer.ssrcOf('video')), now());
      return publisher.sink.keyframeRequests.length > before;
    });
    assert.equal(publisher.sink.keyframeRequests.at(-1), 2);
  });

  it('is resent to a viewer from the viewer’s own worker', async () => {
    const publisher = home.publish();
    await follow();
    const viewer = away.view();
    publisher.video(1, { keyframe: true }, now());
    publisher.video(2, {}, now());
    await until('the packet arrives', () => viewer.on('video').length === 2);
    viewer.sendRtcp(nack(5, viewer.ssrcOf('video'), [2]));
    assert.deepEqual(viewer.on('video').map(sequenceNumber).slice(2), [2]);
    assert.deepEqual([home.router.stats().nacksAnswered, away.router.stats().nacksAnswered], [0, 1]);
  });

  it('begins with a recent keyframe without a new request', async () => {
    const publisher = home.publish();
    publisher.video(1, { keyframe: true }, now());
    publisher.video(2, {}, now());
    await follow();
    const viewer = away.view();
    await until('the packet arrives', () => viewer.on('video').length === 2);
    assert.deepEqual(publisher.sink.keyframeRequests, []);
  });

  it('keeps audio and video in sync: sender reports are relayed', async () => {
    const publisher = home.publish();
    publisher.video(1, { keyframe: true, timestamp: 90_000 }, now());
    const report = { ntpSeconds: 100, ntpFraction: 0, rtpTimestamp: 90_000, packets: 1, bytes: 100 };
    publisher.send(senderReport(2, report, 'publisher'), now());
    await follow();
    const viewer = away.view();
    const reports = () => viewer.sink.messages.filter(({ type }) => type === 'sender-report');
    await until('the report is relayed', () => reports().length > 0);
    publisher.send(senderReport(2, { ...report, ntpSeconds: 101, rtpTimestamp: 180_000 }, 'publisher'), now());
    await until('the second report is relayed', () => reports().length > 1);
    const [sent] = viewer.on('video');
    const timestamps = reports().map(
      (message) => 'report' in message && message.report.rtpTimestamp - timestamp(sent!),
    );
    assert.deepEqual(timestamps, [0, 90_000]);
  });

  it('has all sources, including those that come later', async () => {
    home.publish(undefined, 'first');
    await follow();
    assert.deepEqual([away.router.has('first'), away.router.has('second')], [true, false]);
    const second = home.publish(undefined, 'second');
    await until('the other arrives', () => away.router.has('second'));
    second.end();
    await until('it was sent', () => !away.router.has('second'));
    assert.ok(away.router.has('first'));
  });

  it('ends on both sides when it is not followed any more', async () => {
    home.publish();
    await follow();
    assert.deepEqual([home.holders(), away.holders()], [1, 1]);
    away.relay.follow('s', undefined);
    assert.equal(away.router.has(null), false);
    await until('it is released', () => home.holders() === 0);
    assert.equal(away.holders(), 0);
  });

  it('moves to another home while viewers stay', async (t) => {
    const other = (await openPair(t as TestContext)).home;
    const first = home.publish();
    await follow();
    const viewer = away.view();
    first.video(1, { keyframe: true }, now());
    await until('the packet arrives', () => viewer.on('video').length === 1);
    const second = other.publish();
    away.relay.follow('s', other.path);
    await away.relay.whenReady('s');
    await until('more arrives', () => {
      second.video(500, { keyframe: true }, now());
      return viewer.on('video').length > 1;
    });
    assert.deepEqual(viewer.on('video').map(sequenceNumber).slice(0, 2), [1, 2]);
    assert.equal(away.holders(), 1);
  });

  it('reconnects when the home is back', async () => {
    const publisher = home.publish();
    await follow();
    await home.relay.close();
    await until('the session ended', () => !away.router.has(null));
    const again = await Relay.open(home.path, {
      acquireRouter: () => ({ router: home.router, release: () => {} }),
      onPacket: () => performance.now(),
      mustTake: () => {},
      publishingDeadline: new PublishingDeadline(),
    });
    await until('it is back', () => away.router.has(null));
    const viewer = away.view();
    publisher.audio(1, {}, now());
    await until('the packet arrives', () => viewer.sink.rtp.length > 0);
    await again.close();
  });

  it('is awaited only for a moment if its home does not answer', async () => {
    away.relay.follow('s', `${home.path}-nobody`);
    await away.relay.whenReady('s');
    assert.equal(away.router.has(null), false);
  });
});

describe('a follower that does not read fast enough', () => {
  /** Follows a stream, and reads only when it is told to. */
  function slowReader(path: string) {
    const socket: Socket = connect(path);
    const received: number[] = [];
    const frames = new RelayFrameReader({
      onMessage: () => {},
      onPacket: (_source, _encoding, { sequence }) => void received.push(sequence & 0xffff),
    });
    socket.on('data', (chunk) => frames.read(chunk));
    socket.write(messageFrame({ type: 'follow', stream: 's' }));
    return { socket, received };
  }

  it('loses video once it is late by two tenths of a second, until the next keyframe', async (t) => {
    const { home } = await openPair(t);
    // Whole: of a fraction, what is 200 ms later may be more than that.
    let now = Math.ceil(performance.now());
    t.mock.method(performance, 'now', () => now);
    const publisher = home.publish(sdpOffer({ direction: 'sendonly', ...VIDEO_ONLY }));
    const { socket, received } = slowReader(home.path);
    t.after(() => socket.destroy());
    await until('it is followed', () => home.holders() === 1);
    let sequence = 1;
    publisher.video(sequence, { keyframe: true }, now);
    await until('media begins', () => received.length === 1);

    socket.pause();
    const payload = Buffer.concat([Buffer.from([0x10, 0x01]), randomBytes(1_100)]);
    const send = async (count: number) => {
      for (let sent = 0; sent < count; sent += 1) publisher.video(++sequence, { payload }, now);
      // What is sent in a turn is written after it.
      await new Promise((resolve) => setImmediate(resolve));
    };
    // Far more than the sockets between them can buffer.
    for (let turn = 0; turn < 100; turn += 1) await send(10);
    now += 200;
    await send(10);
    const kept = sequence;
    now += 1;
    await send(10);
    const asked = publisher.sink.keyframeRequests.length;

    socket.resume();
    await until('a keyframe is requested', () => {
      home.run(now, now);
      return publisher.sink.keyframeRequests.length > asked;
    });
    await send(1);
    const keyframe = ++sequence;
    publisher.video(keyframe, { keyframe: true }, now);
    await send(1);
    await until('media continues', () => received.at(-1) === sequence);
    assert.deepEqual(received, [...Array.from({ length: kept }, (_, index) => index + 1), keyframe, sequence]);
  });

  it('does not delay another follower', async (t) => {
    const { home, away } = await openPair(t);
    // On a busy machine, the other would be late by itself.
    const now = performance.now();
    t.mock.method(performance, 'now', () => now);
    const publisher = home.publish(sdpOffer({ direction: 'sendonly', ...VIDEO_ONLY }));
    const slow = slowReader(home.path);
    t.after(() => slow.socket.destroy());
    slow.socket.pause();
    away.relay.follow('s', home.path);
    await until('both follow', () => home.holders() === 2);
    const viewer = away.view(VIDEO_ONLY);
    const payload = Buffer.concat([Buffer.from([0x10, 0x01]), randomBytes(1_100)]);
    publisher.video(1, { keyframe: true }, performance.now());
    for (let sequence = 2; sequence <= 3_000; sequence++) {
      publisher.video(sequence, { payload }, performance.now());
      if (sequence % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await until('all packets arrived', () => viewer.sink.rtp.length === 3_000);
  });
});

it('a source that the server adds is refused with the reason of the worker', async (t) => {
  const folder = await createSocketDirectory();
  t.after(() => folder.remove());
  const path = folder.newPath();
  const mustTake = (stream: string) => {
    if (stream === 'another') throw new MediaError('engine_unavailable', 'the media engine is overloaded');
  };
  const fixture = new RouterFixture();
  const relay = await Relay.open(path, {
    acquireRouter: () => ({ router: fixture.router, release: () => {} }),
    mustTake,
    onPacket: () => performance.now(),
    publishingDeadline: new PublishingDeadline(),
  });
  t.after(() => relay.close());
  const add = async (stream: string) =>
    await SourceSender.connect(
      path,
      { stream, id: null, tracks: addedSourceTracks({ video: { codec: 'vp8' } }) },
      { onKeyframeRequest() {}, onClosed() {} },
    );
  await assert.rejects(add('another'), { code: 'engine_unavailable', message: 'the media engine is overloaded' });
  const added = await add('s');
  await assert.rejects(add('s'), { code: 'stream_in_use' });
  added.close();
});

it('a connection that sends something else is closed', async (t) => {
  const { home } = await openPair(t);
  const faults: string[] = [];
  t.after(followFaults(({ error }) => faults.push(String(error))));
  const socket = connect(home.path);
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.on('error', () => {});
  socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff, 0]));
  await closed;
  assert.equal(home.holders(), 0);
  assert.deepEqual(faults, ['RangeError: invalid frame length: 4294967295 bytes']);
});
