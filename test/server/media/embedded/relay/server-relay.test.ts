import assert from 'node:assert/strict';
import { on } from 'node:events';
import { after, before, beforeEach, describe, it, type TestContext } from 'node:test';
import { createEmbeddedEngine, type EmbeddedEngine } from '../../../../../server/media/embedded/embedded-engine.js';
import { monotonicNow } from '../../../../../server/monotonic-now.js';
import { pictureLossIndication, readRtcp } from '../../../../../server/media/embedded/rtcp/rtcp.js';
import { ssrc } from '../../../../../server/media/embedded/rtp/packet.js';
import type { MediaEngineEvents } from '../../../../../server/media/engine/media-engine.js';
import type { LayerChoice } from '../../../../../server/media/engine/media-session.js';
import { FIREFOX_PAYLOAD_TYPES, PAYLOAD_TYPES } from '../../../../support/media/offer.js';
import { KEYFRAME_PAYLOADS, rtpPacket } from '../../../../support/media/rtp.js';
import { RtpPeer, type RtpPeerOptions } from '../../../../support/media/rtp-peer.js';
import { until } from '../../../../support/media/until.js';

const SIMULCAST_SSRCS = [500, 501, 502];

const open = (workers = 1) => createEmbeddedEngine({ bindAddress: '127.0.0.1', udpPort: 0, workers });

/** Two servers for all tests, each of which has a stream of its own. */
let origin: EmbeddedEngine;
let edge: EmbeddedEngine;
let stream: string;
let tests = 0;
before(async () => {
  [origin, edge] = await Promise.all([open(), open(2)]);
});
beforeEach(() => {
  stream = `s${(tests += 1)}`;
});
after(() => Promise.all([origin.close(), edge.close()]));

/** The next event of this stream, or of this session. */
async function next<Name extends 'live' | 'ended' | 'layers' | 'session-lost'>(
  engine: EmbeddedEngine,
  name: Name,
  isOf: (id: string) => boolean = (id) => id === stream,
): Promise<MediaEngineEvents[Name]> {
  for await (const news of on(engine, name)) if (isOf(news[0])) return news as MediaEngineEvents[Name];
  throw new Error('events do not end');
}

async function openPeer(t: TestContext, options: RtpPeerOptions): Promise<RtpPeer> {
  const peer = await RtpPeer.open(options);
  t.after(() => peer.close());
  return peer;
}

async function publish(t: TestContext, engine = origin) {
  const peer = await openPeer(t, { role: 'publisher' });
  const session = await engine.publish(stream, peer.offer);
  await peer.accept(session);
  return { peer, session };
}

async function view(t: TestContext, engine: EmbeddedEngine, layer?: LayerChoice) {
  const peer = await openPeer(t, { role: 'viewer', payloadTypes: FIREFOX_PAYLOAD_TYPES });
  const session = await engine.view(stream, peer.offer, { layer });
  await peer.accept(session);
  return { peer, session };
}

/** A publisher that sends a keyframe of each encoding every 20 ms until the test ends. */
async function publishSimulcast(t: TestContext): Promise<void> {
  const peer = await RtpPeer.open({ role: 'publisher', simulcastSsrcs: SIMULCAST_SSRCS });
  await peer.accept(await origin.publish(stream, peer.offer));
  let sequence = 0;
  const stop = peer.sendEvery(20, () => {
    sequence += 1;
    for (const ssrc of SIMULCAST_SSRCS) {
      const payload = KEYFRAME_PAYLOADS.vp8;
      const timestamp = sequence * 1_800;
      peer.send(rtpPacket({ payloadType: PAYLOAD_TYPES.vp8, sequence, timestamp, ssrc, marker: true, payload }));
    }
  });
  t.after(() => {
    stop();
    peer.close();
  });
}

const relay = (from = origin) =>
  edge.receiveRelay(stream, async (offer) => (await from.sendRelay(stream, offer)).answer);

async function published(t: TestContext) {
  const { peer: publisher, session } = await publish(t);
  const flow = async (viewer: RtpPeer) => {
    const [sound, pictures] = [viewer.received('audio'), viewer.received('video')];
    await until('the viewer receives sound and pictures', () => {
      publisher.sendFrame();
      return viewer.received('audio') > sound && viewer.received('video') > pictures;
    });
  };
  return { publisher, session, flow };
}

describe('a stream that is relayed to another server', () => {
  it('reaches its viewers there, who ask its publisher for keyframes', async (t) => {
    const { publisher, flow } = await published(t);
    await relay();
    const { peer: viewer } = await view(t, edge);
    await flow(viewer);
    const before = publisher.rtcp.length;
    const videoSsrc = ssrc(viewer.rtp.find((packet) => (packet[1]! & 0x7f) !== FIREFOX_PAYLOAD_TYPES.opus)!);
    await until('the publisher is asked', () => {
      viewer.send(pictureLossIndication(5, videoSsrc));
      const messages = publisher.rtcp.slice(before).flatMap((packet) => readRtcp(packet));
      return messages.some(({ type }) => type === 'keyframe-request');
    });
  });

  it('is live there while its publisher sends', async (t) => {
    const { publisher, session } = await published(t);
    const live = next(edge, 'live');
    const ended = next(edge, 'ended');
    await relay();
    publisher.sendFrame();
    assert.deepEqual(await live, [stream, null, ['audio', 'video']]);
    session.close();
    assert.deepEqual(await ended, [stream, null]);
  });

  it('reaches viewers in every media process there', async (t) => {
    const { flow } = await published(t);
    await relay();
    const viewers = [];
    const before = edge.workers.map(({ sessions }) => sessions);
    while (edge.workers.some(({ sessions }, index) => sessions === before[index])) viewers.push(await view(t, edge));
    for (const { peer } of viewers) await flow(peer);
  });

  it('does not keep others from coming from the same server, nor from going there', async (t) => {
    const from = await open();
    const to = await open();
    t.after(() => Promise.all([from.close(), to.close()]));
    for (const [name, source, target] of [
      ['one', from, to],
      ['two', from, to],
      ['back', to, from],
    ] as const) {
      stream = name;
      const { peer: publisher } = await publish(t, source);
      await target.receiveRelay(name, async (offer) => (await source.sendRelay(name, offer)).answer);
      const { peer: viewer } = await view(t, target);
      await until('the viewer receives pictures', () => {
        publisher.sendFrame();
        return viewer.received('video') > 0;
      });
    }
  });

  it('goes on when the publisher returns', async (t) => {
    const { session, flow } = await published(t);
    await relay();
    const { peer: viewer } = await view(t, edge);
    await flow(viewer);
    session.close();
    const again = await publish(t);
    const received = viewer.received('video');
    await until('the viewer receives pictures again', () => {
      again.peer.sendFrame();
      return viewer.received('video') > received;
    });
  });

  it('is not relayed while it has no publisher', async () => {
    await assert.rejects(relay(), { code: 'engine_unavailable' });
  });

  it('ends there at once when the relay is closed at its origin', async (t) => {
    const { flow } = await published(t);
    let close = () => {};
    const { id } = await edge.receiveRelay(stream, async (offer) => {
      const sent = await origin.sendRelay(stream, offer);
      close = () => sent.close();
      return sent.answer;
    });
    const lost = next(edge, 'session-lost', (session) => session === id);
    const { peer: viewer } = await view(t, edge);
    await flow(viewer);
    const ended = next(edge, 'ended');
    close();
    assert.deepEqual(await lost, [id, 'transport_lost']);
    assert.deepEqual(await ended, [stream, null]);
  });

  it('ends at its origin when the other server closes the relay', async (t) => {
    await published(t);
    let sent = '';
    const received = await edge.receiveRelay(stream, async (offer) => {
      const { id, answer } = await origin.sendRelay(stream, offer);
      sent = id;
      return answer;
    });
    const lost = next(origin, 'session-lost', (session) => session === sent);
    received.close();
    assert.deepEqual(await lost, [sent, 'transport_lost']);
  });

  it('ends there within seconds when its origin is stopped', async (t) => {
    const stopped = await open();
    await publish(t, stopped);
    const { id } = await relay(stopped);
    const lost = next(edge, 'session-lost', (session) => session === id);
    process.kill(stopped.pid!, 'SIGSTOP');
    t.after(async () => {
      if (stopped.pid !== undefined) process.kill(stopped.pid, 'SIGCONT');
      await stopped.close();
    });
    assert.deepEqual(await lost, [id, 'transport_lost']);
  });

  it('is not received with an answer of somebody else', async (t) => {
    await published(t);
    const forged = edge.receiveRelay(stream, async (offer) => {
      const { answer } = await origin.sendRelay(stream, offer);
      return answer.replace(/^a=fingerprint:sha-256 ../m, (line) =>
        line.endsWith('00') ? line.replace(/00$/, '11') : line.replace(/..$/, '00'),
      );
    });
    await assert.rejects(forged, { code: 'engine_unavailable' });
  });

  it('is dropped past the time until which the other server may carry it', async (t) => {
    const { publisher, flow } = await published(t);
    await relay();
    const { peer: viewer } = await view(t, edge);
    await flow(viewer);
    t.after(() => edge.publishUntil(monotonicNow() + 3_600_000));
    edge.publishUntil(0);
    const { peer: control } = await view(t, origin);
    await until('the origin sends', () => {
      publisher.sendFrame();
      return control.received('video') > 5;
    });
    const { packetsIn } = await edge.stats(stream);
    await flow(control);
    assert.equal((await edge.stats(stream)).packetsIn, packetsIn);
  });
});

describe('a simulcast that is relayed to another server', () => {
  it('is sent in the encodings that are watched there, and in no other', async (t) => {
    const known = next(origin, 'layers');
    await publishSimulcast(t);
    await known;
    const described = next(edge, 'layers');
    await relay();
    const packetsIn = async () => (await edge.stats(stream)).packetsIn;
    const active = (await described)[2].map(({ active, bitrate }) => active && bitrate > 0);
    assert.deepEqual(active, [true, true, true]);
    assert.equal(await packetsIn(), 0);

    const { peer: viewer } = await view(t, edge, { encodingId: '1' });
    const sent = viewer.rtp.length;
    await until('the viewer receives the encoding', () => viewer.rtp.length > sent + 20);
    const [before, received] = [await packetsIn(), viewer.rtp.length];
    await until('the viewer receives more', () => viewer.rtp.length > received + 50);
    const more = (await packetsIn()) - before;
    assert.ok(more < 2 * 60, `${more} packets came for 50 of one encoding`);
  });

  it('is sent in another encoding when a viewer there changes to it', async (t) => {
    const known = next(origin, 'layers');
    await publishSimulcast(t);
    await known;
    await relay();
    const { session } = await view(t, edge, { encodingId: '0' });
    const shown = async () => (await edge.deliveries(stream))[0]?.layer?.encodingId;
    await until('the viewer is shown the smallest', async () => (await shown()) === '0');
    await session.select({ encodingId: '2' });
    await until('the viewer is shown the largest', async () => (await shown()) === '2');
  });
});
