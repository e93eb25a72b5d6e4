import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Sfu } from '../../../../../server/media/embedded/worker/sfu.js';
import { sdpOffer } from '../../../../support/media/offer.js';
import { RtpPeer } from '../../../../support/media/rtp-peer.js';
import { until } from '../../../../support/media/until.js';
import { sfuListener } from '../../../../support/media/sfu-listener.js';
import { readOffer } from '../../../../../server/media/sdp/offer.js';

it('sessions of peers that fall silent or never connect are lost, and their stream ends', async (t) => {
  const sfu = await Sfu.open({ bindAddress: '127.0.0.1', udpPort: 0 }, sfuListener);
  t.after(() => sfu.close());
  const said: unknown[][] = [];
  sfu.on('ended', (...event) => said.push(['ended', ...event]));
  sfu.on('session-lost', (...event) => said.push(['session-lost', ...event]));
  const publisher = await RtpPeer.open({ role: 'publisher' });
  const viewer = await RtpPeer.open({ role: 'viewer' });
  const published = await sfu.publish('s', readOffer(publisher.offer));
  const viewed = await sfu.view('s', readOffer(viewer.offer));
  await Promise.all([publisher.accept(published), viewer.accept(viewed)]);
  await until('media flows', async () => {
    publisher.sendFrame();
    return (await sfu.stats('s')).packetsOut > 0;
  });

  const neverCame = [
    await sfu.view('s', readOffer(sdpOffer())),
    await sfu.publish('t', readOffer(sdpOffer({ direction: 'sendonly' }))),
  ];

  publisher.close();
  viewer.close();
  await until('all sessions are lost', () => said.length >= 5);
  assert.deepEqual(
    said.toSorted((a, b) => String(a).localeCompare(String(b))),
    [
      ['ended', 's', null],
      ...[published, viewed, ...neverCame]
        .map(({ id }) => id)
        .sort()
        .map((id) => ['session-lost', id, 'transport_lost']),
    ],
  );
  assert.deepEqual(sfu.counts, { streams: 0, sessions: 0 });
  await assert.doesNotReject(sfu.publish('s', readOffer(publisher.offer)), 'the stream is free again');
});
