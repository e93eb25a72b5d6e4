import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { Sfu } from '../../../../../server/media/embedded/worker/sfu.js';
import { MediaError } from '../../../../../server/media/engine/media-error.js';
import { patient } from '../../../../support/media/patient-engine.js';
import { sdpOffer } from '../../../../support/media/offer.js';
import { RtpPeer } from '../../../../support/media/rtp-peer.js';
import { until } from '../../../../support/media/until.js';
import { SfuEngine } from '../../../../support/media/sfu-engine.js';
import { sfuListener } from '../../../../support/media/sfu-listener.js';
import { readOffer } from '../../../../../server/media/sdp/offer.js';

async function open(t: TestContext): Promise<Sfu> {
  const sfu = patient(await Sfu.open({ bindAddress: '127.0.0.1', udpPort: 0 }, sfuListener));
  t.after(() => sfu.close());
  return sfu;
}

const refused = (code: string) => (error: unknown) => error instanceof MediaError && error.code === code;
const NOTHING = { streams: 0, sessions: 0 };

describe('an offer that cannot be used', () => {
  const video = (mid: number) => {
    const lines = sdpOffer({ kinds: ['video'] });
    return lines.slice(lines.indexOf('m=video')).replace('a=mid:0', `a=mid:${mid}`);
  };
  const session = (mids: number) =>
    `v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\na=group:BUNDLE ${[...Array(mids).keys()].join(' ')}\r\n`;
  const lines = (count: number) => session(count) + [...Array(count).keys()].map(video).join('');

  const bad: Record<string, [offer: string, code: string]> = {
    'has a hundred m-lines': [lines(100), 'invalid_sdp'],
    'is longer than 64 KB': [sdpOffer().padEnd(65_537, '\r\n'), 'invalid_sdp'],
    'has no supported codec': [sdpOffer().replaceAll(/VP8|H264|VP9|AV1|opus/g, 'H261'), 'no_common_codec'],
    'has neither audio nor video': [sdpOffer().replaceAll(/m=(?:audio|video)/g, 'm=application'), 'invalid_sdp'],
    'has no m-line': [session(0), 'invalid_sdp'],
  };
  for (const [what, [offer, code]] of Object.entries(bad)) {
    it(`is refused and leaves nothing behind if it ${what}`, async (t) => {
      const sfu = await open(t);
      const engine = new SfuEngine(sfu);
      await assert.rejects(engine.view('s', offer), refused(code));
      await assert.rejects(engine.publish('s', offer.replaceAll('recvonly', 'sendonly')), refused(code));
      assert.deepEqual(sfu.counts, NOTHING);
    });
  }

  it('is not merely a long one: 60 KB and 60 m-lines are answered', async (t) => {
    const sfu = await open(t);
    // Long lines, because an m-line may have 512 of them.
    const offer = lines(60).padEnd(60 * 1024, `a=x-padding:${'x'.repeat(200)}\r\n`);
    const { answer } = await sfu.view('s', readOffer(offer));
    assert.equal(answer.match(/^m=video 9 /gm)?.length, 60);
  });
});

it('is not one of audio alone or video alone', async (t) => {
  const sfu = await open(t);
  for (const kind of ['audio', 'video'] as const) {
    await assert.doesNotReject(sfu.view(kind, readOffer(sdpOffer({ kinds: [kind] }))));
    await assert.doesNotReject(sfu.publish(kind, readOffer(sdpOffer({ kinds: [kind], direction: 'sendonly' }))));
  }
});

/** RTP and RTCP of every kind that is read, complete or truncated, filled with random bytes. */
function nonsense(): Buffer {
  const packet = randomBytes(1 + Math.floor(Math.random() * 1_200));
  packet[0] = 0x80 | (packet[0]! & 0x3f);
  const types = [96, 97, 108, 111, 200, 201, 202, 205, 206, 207, 224, 72];
  if (packet.length > 1) packet[1] = types[packet[1]! % types.length]!;
  if (packet.length > 12 && packet[2]! & 1) packet.writeUInt32BE(1002, 8);
  return packet;
}

/** The peer’s own SRTP rejects packets that claim a longer header than they have. */
function sendNonsense(peer: RtpPeer): boolean {
  try {
    peer.send(nonsense());
    return true;
  } catch (error) {
    assert.match(String(error), /SRTC?P/);
    return false;
  }
}

it('any packets of connected peers leave the media of others undisturbed', async (t) => {
  const sfu = await open(t);
  const connect = async (role: 'publisher' | 'viewer') => {
    const peer = await RtpPeer.open({ role });
    t.after(() => peer.close());
    return peer;
  };
  const peers = [await connect('publisher'), await connect('viewer')];
  const [other, watching] = [await connect('publisher'), await connect('viewer')];
  const sessions = [
    await sfu.publish('s', readOffer(peers[0]!.offer)),
    await sfu.view('s', readOffer(peers[1]!.offer)),
    await sfu.publish('s', readOffer(other.offer), { sourceId: 'other' }),
    await sfu.view('s', readOffer(watching.offer), { pinnedSourceId: 'other' }),
  ];
  await Promise.all([...peers, other, watching].map((peer, index) => peer.accept(sessions[index]!)));
  for (let turn = 0; turn < 40; turn++) {
    const sent = Array.from({ length: 50 }, () => peers.map(sendNonsense)).flat();
    assert.ok(sent.includes(true));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const before = watching.received('video');
  await until('a picture arrives', () => {
    other.sendFrame();
    return watching.received('video') > before;
  });
  for (const session of sessions) session.close();
  assert.deepEqual(sfu.counts, NOTHING);
});

it('commands of a viewer who is not connected yet take effect on connection', async (t) => {
  const sfu = await open(t);
  const publisher = await RtpPeer.open({ role: 'publisher' });
  const viewer = await RtpPeer.open({ role: 'viewer' });
  t.after(() => [publisher, viewer].forEach((peer) => peer.close()));
  await publisher.accept(await sfu.publish('s', readOffer(publisher.offer), { sourceId: 'cam' }));
  const session = await sfu.view('s', readOffer(viewer.offer), { excludedSourceIds: ['cam'] });
  await session.select({ encodingId: '3' });
  await session.project('cam', [{ kind: 'video' }]);
  await session.unproject([session.mids.audio!]);
  await viewer.accept(session);
  await until('the video arrives', () => {
    publisher.sendFrame();
    return viewer.received('video') > 2;
  });
  assert.equal(viewer.received('audio'), 0);
});
