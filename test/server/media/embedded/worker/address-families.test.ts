import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loopbackAddresses } from '../../../../../server/media/embedded/transport/ice-candidates.js';
import { Sfu } from '../../../../../server/media/embedded/worker/sfu.js';
import { patient } from '../../../../support/media/patient-engine.js';
import { RtpPeer } from '../../../../support/media/rtp-peer.js';
import { until } from '../../../../support/media/until.js';
import { sfuListener } from '../../../../support/media/sfu-listener.js';
import { readOffer } from '../../../../../server/media/sdp/offer.js';

const addressesOf = (answer: string) =>
  new Set([...answer.matchAll(/a=candidate:\S+ 1 UDP \d+ (\S+) /g)].map(([, address]) => address!));

describe('the engine on all interfaces', () => {
  for (const address of loopbackAddresses()) {
    it(`connects publishers and viewers that have only ${address}, beside those of other families`, async (t) => {
      const sfu = patient(await Sfu.open({ udpPort: 0 }, sfuListener));
      t.after(() => sfu.close());
      const publisher = await RtpPeer.open({ role: 'publisher', address });
      const viewers = [await RtpPeer.open({ role: 'viewer', address }), await RtpPeer.open({ role: 'viewer' })];
      t.after(() => [publisher, ...viewers].forEach((peer) => peer.close()));

      const publishing = await sfu.publish('s', readOffer(publisher.offer));
      assert.ok(addressesOf(publishing.answer).has(address));
      await publisher.accept(publishing);
      for (const viewer of viewers) await viewer.accept(await sfu.view('s', readOffer(viewer.offer)));
      await until('every viewer has video', () => {
        publisher.sendFrame();
        return viewers.every((viewer) => viewer.received('video') > 0);
      });
    });
  }

  it('is reached at announced addresses of both families through one port', async (t) => {
    const announcedIps = loopbackAddresses();
    const sfu = patient(await Sfu.open({ udpPort: 0, announcedIps }, sfuListener));
    t.after(() => sfu.close());
    for (const address of announcedIps) {
      const viewer = await RtpPeer.open({ role: 'viewer', address });
      t.after(() => viewer.close());
      const session = await sfu.view('s', readOffer(viewer.offer));
      assert.deepEqual([...addressesOf(session.answer)], announcedIps);
      await viewer.accept(session);
    }
  });
});

describe('the engine on one address', () => {
  for (const address of loopbackAddresses()) {
    it(`names only ${address}, and is reached there`, async (t) => {
      const sfu = await Sfu.open({ udpPort: 0, bindAddress: address }, sfuListener);
      t.after(() => sfu.close());
      const viewer = await RtpPeer.open({ role: 'viewer', address });
      t.after(() => viewer.close());
      const session = await sfu.view('s', readOffer(viewer.offer));
      assert.deepEqual([...addressesOf(session.answer)], [address]);
      await viewer.accept(session);
    });
  }
});
