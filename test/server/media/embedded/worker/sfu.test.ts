import assert from 'node:assert/strict';
import { once } from 'node:events';
import { it } from 'node:test';
import type { EncodingSink } from '../../../../../server/media/embedded/producer/rtp-encoding.js';
import type { Source } from '../../../../../server/media/embedded/producer/source.js';
import { Sfu } from '../../../../../server/media/embedded/worker/sfu.js';
import type { WorkerFigures } from '../../../../../server/media/embedded/worker/worker-figures.js';
import type { PeerMediaSession } from '../../../../../server/media/embedded/transport/peer-session-set.js';
import { MediaError } from '../../../../../server/media/engine/media-error.js';
import { sdpOffer } from '../../../../support/media/offer.js';
import { patient } from '../../../../support/media/patient-engine.js';
import { RtpPeer } from '../../../../support/media/rtp-peer.js';
import { until } from '../../../../support/media/until.js';
import { sfuListener } from '../../../../support/media/sfu-listener.js';
import { readOffer } from '../../../../../server/media/sdp/offer.js';

const open = () => Sfu.open({ bindAddress: '127.0.0.1', udpPort: 0 }, sfuListener);
const openPatient = async () => patient(await open());

it('starts the DTLS handshake, unless the peer wants to', async (t) => {
  const sfu = await openPatient();
  t.after(() => sfu.close());
  const setupOf = async (offer: string) => /a=setup:(\w+)/.exec((await sfu.view('s', readOffer(offer))).answer)?.[1];
  assert.equal(await setupOf(sdpOffer()), 'active');
  assert.equal(await setupOf(sdpOffer().replaceAll('setup:actpass', 'setup:passive')), 'active');
  assert.equal(await setupOf(sdpOffer().replaceAll('setup:actpass', 'setup:active')), 'passive');
});

it('removes a stream when its last session ended, for any reason', async (t) => {
  const sfu = await openPatient();
  t.after(() => sfu.close());
  const viewer = await sfu.view('s', readOffer(sdpOffer()));
  const publisher = await sfu.publish('s', readOffer(sdpOffer({ direction: 'sendonly' })));
  assert.deepEqual(sfu.counts, { streams: 1, sessions: 2 });
  await assert.rejects(
    sfu.publish('t', readOffer(sdpOffer({ direction: 'sendonly' }).replaceAll('sha-256 AB:', 'sha-1 AB:'))),
  );
  await sfu.stats('u');
  viewer.close();
  publisher.close();
  assert.deepEqual(sfu.counts, { streams: 0, sessions: 0 });
});

/** Has the event loop late until a viewer is refused. @returns the sessions of the viewers who were not */
async function overload(sfu: Sfu): Promise<readonly PeerMediaSession[]> {
  const viewers: PeerMediaSession[] = [await sfu.view('s', readOffer(sdpOffer()))];
  await until('a viewer is refused', async () => {
    const busyUntil = performance.now() + 400;
    while (performance.now() < busyUntil);
    const refused = await sfu.view('s', readOffer(sdpOffer())).then(
      (viewer) => void viewers.push(viewer),
      (error: unknown) => error,
    );
    return refused instanceof MediaError && refused.code === 'engine_unavailable';
  });
  return viewers;
}

it('refuses viewers and new streams while it is overloaded, and keeps what is connected', async (t) => {
  const sfu = await open();
  t.after(() => sfu.close());
  const lost: string[] = [];
  sfu.on('session-lost', (id) => lost.push(id));
  await overload(sfu);
  const refused = { code: 'engine_unavailable' };
  await assert.rejects(sfu.publish('t', readOffer(sdpOffer({ direction: 'sendonly' }))), refused);
  await assert.rejects(sfu.addSource('t', { video: { codec: 'vp8' } }), refused);
  await assert.doesNotReject(
    sfu.publish('s', readOffer(sdpOffer({ direction: 'sendonly' }))),
    'its viewer waits for it',
  );
  assert.deepEqual(lost, []);
});

it('has room again when its last session ends in an overload', async (t) => {
  const degrees: number[] = [];
  const listener = { ...sfuListener, onFigures: ({ loadDegree }: WorkerFigures) => void degrees.push(loadDegree) };
  const sfu = await Sfu.open({ bindAddress: '127.0.0.1', udpPort: 0 }, listener);
  t.after(() => sfu.close());
  for (const viewer of await overload(sfu)) viewer.close();
  assert.deepEqual([sfu.counts, degrees.at(-1)], [{ streams: 0, sessions: 0 }, 0]);
  await assert.doesNotReject(sfu.view('s', readOffer(sdpOffer())));
});

it('refuses viewers who cannot decode the video of the stream, and leaves nothing behind', async (t) => {
  const sfu = await openPatient();
  t.after(() => sfu.close());
  const high = (offer: string) => offer.replace('42e01f', '640028');
  await sfu.publish('s', readOffer(high(sdpOffer({ direction: 'sendonly', videoCodecs: ['h264'] }))));
  await assert.rejects(sfu.view('s', readOffer(sdpOffer())), {
    code: 'no_common_codec',
    message: 'the SDP offer has no H.264 of profile 6400, as the stream is',
  });
  await assert.rejects(sfu.view('s', readOffer(sdpOffer({ videoCodecs: ['vp8'] }))), { code: 'no_common_codec' });
  assert.deepEqual(sfu.counts, { streams: 1, sessions: 1 });
  await assert.doesNotReject(sfu.view('s', readOffer(high(sdpOffer()))));
  await assert.doesNotReject(sfu.view('s', readOffer(sdpOffer({ kinds: ['audio'] }))), 'it asks for no video');
});

it('shows that it works in a turn of the event loop that lasts for seconds, and sends less', async (t) => {
  const figures: { readonly inTurn: boolean; readonly loadDegree: number }[] = [];
  let inTurn = false;
  const sfu = await Sfu.open(
    { bindAddress: '127.0.0.1', udpPort: 0 },
    { ...sfuListener, onFigures: ({ loadDegree }) => figures.push({ inTurn, loadDegree }) },
  );
  const publisher = await RtpPeer.open({ role: 'publisher' });
  t.after(() => (publisher.close(), sfu.close()));
  await publisher.accept(await sfu.publish('s', readOffer(publisher.offer)));
  publisher.sendFrame();
  await once(sfu, 'live');

  const { router, release } = sfu.acquireRouter('s');
  t.after(release);
  const slowSink: EncodingSink = {
    isRelay: true,
    lastSentAt: undefined,
    onStart: () => {},
    forward() {
      if (!inTurn) setImmediate(() => (inTurn = false));
      inTurn = true;
      const until = performance.now() + 20;
      while (performance.now() < until);
      return false;
    },
    sendSenderReport: () => {},
    onEnd: () => {},
  };
  const onSourceAdded = ({ encodings }: Source) => {
    for (const encoding of encodings) encoding.addSink(slowSink, performance.now());
  };
  router.addObserver({ onSourceAdded, onSourceRemoved: () => {} });
  for (let sent = 0; sent < 90; sent++) publisher.sendFrame();
  await until('it reports twice in one turn', () => figures.filter((reported) => reported.inTurn).length >= 2);
  assert.ok(figures.at(-1)!.loadDegree > 0);
});
