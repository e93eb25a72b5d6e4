import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ServerRelays } from '../../../../../server/media/embedded/worker/server-relays.js';
import { Sfu } from '../../../../../server/media/embedded/worker/sfu.js';
import { sfuListener } from '../../../../support/media/sfu-listener.js';
import { until } from '../../../../support/media/until.js';

it('an offer that no server answers is forgotten when its link gives up', async (t) => {
  const sfu = await Sfu.open({ bindAddress: '127.0.0.1', udpPort: 0, tcpPort: undefined }, sfuListener);
  t.after(() => sfu.close());
  const host = {
    acquireRouter: (stream: string) => sfu.acquireRouter(stream),
    mustTake: (stream: string) => sfu.mustTake(stream),
    onPacket: () => sfu.arrivalWindow().now,
    publishingDeadline: sfu.publishingDeadline,
  };
  const lost: string[] = [];
  const relays = new ServerRelays({ sfu, host, onLost: (id) => lost.push(id) });
  t.after(() => relays.closeAll());
  const { id } = await relays.offer('main/main');
  assert.equal(sfu.counts.streams, 1);
  await until('the link gave up', () => sfu.counts.streams === 0);
  await assert.rejects(relays.accept(id, 'answer'), { message: 'the relay has ended' });
  assert.equal(relays.close(id), false);
  assert.deepEqual(lost, [], 'it was never open');
});
