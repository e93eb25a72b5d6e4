import assert from 'node:assert/strict';
import { on } from 'node:events';
import { after, before, describe, it, type TestContext } from 'node:test';
import { createEmbeddedEngine, type EmbeddedEngine } from '../../../../../server/media/embedded/embedded-engine.js';
import { pictureLossIndication, readRtcp } from '../../../../../server/media/embedded/rtcp/rtcp.js';
import { ssrc } from '../../../../../server/media/embedded/rtp/packet.js';
import type { MediaEngineEvents } from '../../../../../server/media/engine/media-engine.js';
import type { LayerChoice } from '../../../../../server/media/engine/media-session.js';
import { patient } from '../../../../support/media/patient-engine.js';
import { FIREFOX_PAYLOAD_TYPES, PAYLOAD_TYPES } from '../../../../support/media/offer.js';
import { KEYFRAME_PAYLOADS, rtpPacket } from '../../../../support/media/rtp.js';
import { RtpPeer, type RtpPeerOptions } from '../../../../support/media/rtp-peer.js';
import { until } from '../../../../support/media/until.js';

const SIMULCAST_SSRCS = [500, 501, 502];

const open = async (workers = 1) =>
  patient(await createEmbeddedEngine({ bindAddress: '127.0.0.1', udpPort: 0, workers }));

/** Two servers for all tests, each of which has a stream of its own. */
let origin: EmbeddedEngine;
let edge: EmbeddedEngine;
let streams = 0;
before(async () => {
  [origin, edge] = await Promise.all([open(), open(2)]);
});
after(() => Promise.all([origin.close(), edge.close()]));

/** The next event of a stream or of a session. */
async function next<Name extends 'live' | 'ended' | 'layers' | 'session-lost'>(
  engine: EmbeddedEngine,
  name: Name,
  id: string,
): Promise<MediaEngineEvents[Name]> {
  for await (const news of on(engine, name)) if (news[0] === id) return news as MediaEngineEvents[Name];
  throw new Error('events do not end');
}

async function openPeer(t: TestContext, options: RtpPeerOptions): Promise<RtpPeer> {
  const peer = await RtpPeer.open(options);
  t.after(() => peer.close());
  return peer;
}

/** A stream of the test. */
function streamOf(t: TestContext, from = origin, to = edge) {
  const stream = `s${(streams += 1)}`;
  const publish = async () => {
    const peer = await openPeer(t, { role: 'publisher' });
    const session = await from.publish(stream, peer.offer);
    await peer.accept(session);
    const flow = async (viewer: RtpPeer) => {
      const [sound, pictures] = [viewer.received('audio'), viewer.received('video')];
      await until('the viewer receives sound and pictures', () => {
        peer.sendFrame();
        return viewer.received('audio') > sound && viewer.received('video') > pictures;
      });
    };
    return { publisher: peer, session, flow };
  };
  const view = async (layer?: LayerChoice, engine = to) => {
    const peer = await openPeer(t, { role: 'viewer', payloadTypes: FIREFOX_PAYLOAD_TYPES });
    const session = await engine.view(stream, peer.offer, { layer });
    await peer.accept(session);
    return { viewer: peer, session };
  };
  const relay = () => to.receiveRelay(stream, async (offer) => (await from.sendRelay(stream, offer)).answer);
  return { stream, publish, view, relay };
}

/** A publisher that sends a keyframe of each encoding every 20 ms until the test ends. */
async function publishSimulcast(t: TestContext, stream: string): Promise<void> {
  const known = next(origin, 'layers', stream);
  const peer = await openPeer(t, { role: 'publisher', simulcastSsrcs: SIMULCAST_SSRCS });
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
  t.after(stop);
  await known;
}

// They wait for seconds until a link is silent, or until what is sent is described.
describe('a stream that is relayed to another server', { concurrency: true }, () => {
  it('reaches its viewers there, who ask its publisher for keyframes', async (t) => {
    const { publish, view, relay } = streamOf(t);
    const { publisher, flow } = await publish();
    await relay();
    const { viewer } = await view();
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
    const { stream, publish, relay } = streamOf(t);
    const { publisher, session } = await publish();
    const live = next(edge, 'live', stream);
    const ended = next(edge, 'ended', stream);
    await relay();
    publisher.sendFrame();
    assert.deepEqual(await live, [stream, null, ['audio', 'video']]);
    session.close();
    assert.deepEqual(await ended, [stream, null]);
  });

  it('reaches viewers in every media process there', async (t) => {
    const { stream, publish, relay } = streamOf(t);
    const { flow } = await publish();
    await relay();
    const ports = new Set<string>();
    while (ports.size < edge.workers.length) {
      const viewer = await openPeer(t, { role: 'viewer', payloadTypes: FIREFOX_PAYLOAD_TYPES });
      const session = await edge.view(stream, viewer.offer);
      await viewer.accept(session);
      await flow(viewer);
      ports.add(/ (\d+) typ host/.exec(session.answer)![1]!);
    }
  });

  it('does not keep others from coming from the same server, nor from going there', async (t) => {
    const from = await open();
    const to = await open();
    t.after(() => Promise.all([from.close(), to.close()]));
    for (const [source, target] of [
      [from, to],
      [from, to],
      [to, from],
    ] as const) {
      const { publish, view, relay } = streamOf(t, source, target);
      const { flow } = await publish();
      await relay();
      await flow((await view()).viewer);
    }
  });

  it('goes on when the publisher returns', async (t) => {
    const { publish, view, relay } = streamOf(t);
    const { session, flow } = await publish();
    await relay();
    const { viewer } = await view();
    await flow(viewer);
    session.close();
    const again = await publish();
    const received = viewer.received('video');
    await until('the viewer receives pictures again', () => {
      again.publisher.sendFrame();
      return viewer.received('video') > received;
    });
  });

  it('is not relayed while it has no publisher', async (t) => {
    await assert.rejects(streamOf(t).relay(), { code: 'engine_unavailable' });
  });

  it('ends there at once when the relay is closed at its origin', async (t) => {
    const { stream, publish, view } = streamOf(t);
    const { flow } = await publish();
    let close = () => {};
    const { id } = await edge.receiveRelay(stream, async (offer) => {
      const sent = await origin.sendRelay(stream, offer);
      close = () => sent.close();
      return sent.answer;
    });
    const lost = next(edge, 'session-lost', id);
    await flow((await view()).viewer);
    const ended = next(edge, 'ended', stream);
    close();
    assert.deepEqual(await lost, [id, 'transport_lost']);
    assert.deepEqual(await ended, [stream, null]);
  });

  it('ends at its origin when the other server closes the relay', async (t) => {
    const { stream, publish } = streamOf(t);
    await publish();
    let sent = '';
    const received = await edge.receiveRelay(stream, async (offer) => {
      const { id, answer } = await origin.sendRelay(stream, offer);
      sent = id;
      return answer;
    });
    const lost = next(origin, 'session-lost', sent);
    received.close();
    assert.deepEqual(await lost, [sent, 'transport_lost']);
  });

  it('ends there within seconds when its origin is stopped', async (t) => {
    const stopped = await open();
    const { publish, relay } = streamOf(t, stopped);
    await publish();
    const { id } = await relay();
    const lost = next(edge, 'session-lost', id);
    process.kill(stopped.pid!, 'SIGSTOP');
    t.after(async () => {
      if (stopped.pid !== undefined) process.kill(stopped.pid, 'SIGCONT');
      await stopped.close();
    });
    assert.deepEqual(await lost, [id, 'transport_lost']);
  });

  it('is not received with an answer of somebody else', async (t) => {
    const { stream, publish } = streamOf(t);
    await publish();
    const forged = edge.receiveRelay(stream, async (offer) => {
      const { answer } = await origin.sendRelay(stream, offer);
      return answer.replace(/^a=fingerprint:sha-256 ../m, (line) =>
        line.endsWith('00') ? line.replace(/00$/, '11') : line.replace(/..$/, '00'),
      );
    });
    await assert.rejects(forged, { code: 'engine_unavailable' });
  });

  it('is dropped past the time until which the other server may carry it', async (t) => {
    const other = await open();
    t.after(() => other.close());
    const { stream, publish, view, relay } = streamOf(t, origin, other);
    const { publisher, flow } = await publish();
    await relay();
    await flow((await view()).viewer);
    other.publishUntil(0);
    const { viewer: control } = await view({}, origin);
    await until('the origin sends', () => {
      publisher.sendFrame();
      return control.received('video') > 5;
    });
    const { packetsIn } = await other.stats(stream);
    await flow(control);
    assert.equal((await other.stats(stream)).packetsIn, packetsIn);
  });

  it('is sent in the encodings that are watched there, and in no other', async (t) => {
    const { stream, view, relay } = streamOf(t);
    await publishSimulcast(t, stream);
    const described = next(edge, 'layers', stream);
    await relay();
    const packetsIn = async () => (await edge.stats(stream)).packetsIn;
    const active = (await described)[2].map(({ active, bitrate }) => active && bitrate > 0);
    assert.deepEqual(active, [true, true, true]);
    assert.equal(await packetsIn(), 0);

    const { viewer } = await view({ encodingId: '1' });
    const sent = viewer.rtp.length;
    await until('the viewer receives the encoding', () => viewer.rtp.length > sent + 20);
    const [before, received] = [await packetsIn(), viewer.rtp.length];
    await until('the viewer receives more', () => viewer.rtp.length > received + 50);
    const more = (await packetsIn()) - before;
    assert.ok(more < 2 * 60, `${more} packets came for 50 of one encoding`);
  });

  it('is sent in another encoding when a viewer there changes to it', async (t) => {
    const { stream, view, relay } = streamOf(t);
    await publishSimulcast(t, stream);
    await relay();
    const { session } = await view({ encodingId: '0' });
    const shown = async () => (await edge.deliveries(stream))[0]?.layer?.encodingId;
    await until('the viewer is shown the smallest', async () => (await shown()) === '0');
    await session.select({ encodingId: '2' });
    await until('the viewer is shown the largest', async () => (await shown()) === '2');
  });
});
