import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { createEmbeddedEngine, type EmbeddedEngine } from '../../../../../server/media/embedded/embedded-engine.js';
import { pictureLossIndication, readRtcp } from '../../../../../server/media/embedded/rtcp/rtcp.js';
import { ssrc } from '../../../../../server/media/embedded/rtp/packet.js';
import type { LayerState } from '../../../../../server/media/engine/media-figures.js';
import type { LayerChoice } from '../../../../../server/media/engine/media-session.js';
import { FIREFOX_PAYLOAD_TYPES, PAYLOAD_TYPES } from '../../../../support/media/offer.js';
import { KEYFRAME_PAYLOADS, rtpPacket } from '../../../../support/media/rtp.js';
import { RtpPeer, type RtpPeerOptions } from '../../../../support/media/rtp-peer.js';
import { until } from '../../../../support/media/until.js';

const SIMULCAST_SSRCS = [500, 501, 502];

async function openEngine(t: TestContext, workers = 1): Promise<EmbeddedEngine> {
  const engine = await createEmbeddedEngine({ bindAddress: '127.0.0.1', udpPort: 0, workers });
  t.after(() => engine.close());
  return engine;
}

async function openPeer(t: TestContext, options: RtpPeerOptions): Promise<RtpPeer> {
  const peer = await RtpPeer.open(options);
  t.after(() => peer.close());
  return peer;
}

async function publish(t: TestContext, engine: EmbeddedEngine) {
  const peer = await openPeer(t, { role: 'publisher' });
  const session = await engine.publish('s', peer.offer);
  await peer.accept(session);
  return { peer, session };
}

async function view(t: TestContext, engine: EmbeddedEngine, layer?: LayerChoice) {
  const peer = await openPeer(t, { role: 'viewer', payloadTypes: FIREFOX_PAYLOAD_TYPES });
  const session = await engine.view('s', peer.offer, { layer });
  await peer.accept(session);
  return { peer, session };
}

/** A publisher that sends a keyframe of each encoding every 20 ms until the test ends. */
async function publishSimulcast(t: TestContext, engine: EmbeddedEngine): Promise<void> {
  const peer = await RtpPeer.open({ role: 'publisher', simulcastSsrcs: SIMULCAST_SSRCS });
  await peer.accept(await engine.publish('s', peer.offer));
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

const relay = (origin: EmbeddedEngine, edge: EmbeddedEngine) =>
  edge.receiveRelay('s', async (offer) => (await origin.sendRelay('s', offer)).answer);

async function openPair(t: TestContext, workers?: number) {
  const [origin, edge] = [await openEngine(t), await openEngine(t, workers)];
  const { peer: publisher, session } = await publish(t, origin);
  const flow = async (viewer: RtpPeer) => {
    const [sound, pictures] = [viewer.received('audio'), viewer.received('video')];
    await until('the viewer receives sound and pictures', () => {
      publisher.sendFrame();
      return viewer.received('audio') > sound && viewer.received('video') > pictures;
    });
  };
  return { origin, edge, publisher, session, flow };
}

describe('a stream that is relayed to another server', () => {
  it('reaches its viewers there, who ask its publisher for keyframes', async (t) => {
    const { origin, edge, publisher, flow } = await openPair(t);
    await relay(origin, edge);
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
    const { origin, edge, publisher, session } = await openPair(t);
    const live = once(edge, 'live');
    const ended = once(edge, 'ended');
    await relay(origin, edge);
    publisher.sendFrame();
    assert.deepEqual(await live, ['s', null, ['audio', 'video']]);
    session.close();
    assert.deepEqual(await ended, ['s', null]);
  });

  it('reaches viewers in every media process there', async (t) => {
    const { origin, edge, flow } = await openPair(t, 2);
    await relay(origin, edge);
    const viewers = [];
    while (edge.workers.some(({ sessions }) => sessions === 0)) viewers.push(await view(t, edge));
    for (const { peer } of viewers) await flow(peer);
  });

  it('goes on when the publisher returns', async (t) => {
    const { origin, edge, session, flow } = await openPair(t);
    await relay(origin, edge);
    const { peer: viewer } = await view(t, edge);
    await flow(viewer);
    session.close();
    const again = await publish(t, origin);
    const received = viewer.received('video');
    await until('the viewer receives pictures again', () => {
      again.peer.sendFrame();
      return viewer.received('video') > received;
    });
  });

  it('is not relayed while it has no publisher', async (t) => {
    const [origin, edge] = [await openEngine(t), await openEngine(t)];
    await assert.rejects(relay(origin, edge), { code: 'engine_unavailable' });
  });

  it('ends there at once when the relay is closed at its origin', async (t) => {
    const { origin, edge, flow } = await openPair(t);
    let close = () => {};
    const lost = once(edge, 'session-lost');
    const { id } = await edge.receiveRelay('s', async (offer) => {
      const sent = await origin.sendRelay('s', offer);
      close = () => sent.close();
      return sent.answer;
    });
    const { peer: viewer } = await view(t, edge);
    await flow(viewer);
    const ended = once(edge, 'ended');
    close();
    assert.deepEqual(await lost, [id, 'transport_lost']);
    assert.deepEqual(await ended, ['s', null]);
  });

  it('ends at its origin when the other server closes the relay', async (t) => {
    const { origin, edge } = await openPair(t);
    const lost = once(origin, 'session-lost');
    const received = await relay(origin, edge);
    received.close();
    assert.equal((await lost)[1], 'transport_lost');
  });

  it('ends there within seconds when its origin is stopped', async (t) => {
    const { origin, edge } = await openPair(t);
    const lost = once(edge, 'session-lost');
    const { id } = await relay(origin, edge);
    process.kill(origin.pid!, 'SIGSTOP');
    t.after(() => {
      if (origin.pid !== undefined) process.kill(origin.pid, 'SIGCONT');
    });
    assert.deepEqual(await lost, [id, 'transport_lost']);
  });

  it('is not received with an answer of somebody else', async (t) => {
    const { origin, edge } = await openPair(t);
    const forged = edge.receiveRelay('s', async (offer) => {
      const { answer } = await origin.sendRelay('s', offer);
      return answer.replace(/^a=fingerprint:sha-256 ../m, (line) =>
        line.endsWith('00') ? line.replace(/00$/, '11') : line.replace(/..$/, '00'),
      );
    });
    await assert.rejects(forged, { code: 'engine_unavailable' });
  });

  it('is dropped past the time until which the other server may carry it', async (t) => {
    const { origin, edge, publisher, flow } = await openPair(t);
    await relay(origin, edge);
    const { peer: viewer } = await view(t, edge);
    await flow(viewer);
    edge.publishUntil(0);
    const { peer: control } = await view(t, origin);
    await until('the origin sends', () => {
      publisher.sendFrame();
      return control.received('video') > 5;
    });
    const { packetsIn } = await edge.stats('s');
    await flow(control);
    assert.equal((await edge.stats('s')).packetsIn, packetsIn);
  });
});

describe('a simulcast that is relayed to another server', () => {
  it('is sent in the encodings that are watched there, and in no other', async (t) => {
    const [origin, edge] = [await openEngine(t), await openEngine(t)];
    await publishSimulcast(t, origin);
    await once(origin, 'layers');
    const described = new Promise<readonly LayerState[]>((resolve) =>
      edge.once('layers', (_stream, _source, layers) => resolve(layers)),
    );
    await relay(origin, edge);
    const packetsIn = async () => (await edge.stats('s')).packetsIn;
    const active = (await described).map(({ active, bitrate }) => active && bitrate > 0);
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
    const [origin, edge] = [await openEngine(t), await openEngine(t)];
    await publishSimulcast(t, origin);
    await once(origin, 'layers');
    await relay(origin, edge);
    const { session } = await view(t, edge, { encodingId: '0' });
    const shown = async () => (await edge.deliveries('s'))[0]?.layer?.encodingId;
    await until('the viewer is shown the smallest', async () => (await shown()) === '0');
    await session.select({ encodingId: '2' });
    await until('the viewer is shown the largest', async () => (await shown()) === '2');
  });
});
