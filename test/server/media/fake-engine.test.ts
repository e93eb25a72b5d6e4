import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FakeEngine } from '../../support/media/fake-engine.js';
import { fakeHarness } from '../../support/media/media-harness.js';
import { sdpOffer } from '../../support/media/offer.js';
import { mediaEngineContract } from './engine/media-engine.contract.js';
import { tapContract } from './engine/tap.contract.js';

mediaEngineContract('FakeEngine', async () => fakeHarness(new FakeEngine()));

tapContract('FakeEngine', async () => {
  const engine = new FakeEngine();
  return {
    engine,
    openTap: engine.taps.open,
    async publish(stream, sourceId) {
      const session = await engine.publish(stream, sdpOffer({ direction: 'sendonly' }), { sourceId, codec: 'vp8' });
      return {
        sendFrame: (isKeyframe) => engine.sendFrame(stream, sourceId, isKeyframe),
        get keyframeRequests() {
          return engine.taps.requests(stream, sourceId);
        },
        close: () => session.close(),
      };
    },
  };
});

it('loses every session when it crashes, and refuses calls until it recovers', async () => {
  const engine = new FakeEngine();
  const said: unknown[] = [];
  engine.on('ended', (...event) => said.push(event));
  engine.on('session-lost', (...event) => said.push(event));
  const publisher = await engine.publish('s', sdpOffer({ direction: 'sendonly' }));
  const viewer = await engine.view('s', sdpOffer());
  engine.sendFrame('s');
  engine.crash();
  assert.deepEqual(said, [
    ['s', null],
    [publisher.id, 'media_engine_restarted'],
    [viewer.id, 'media_engine_restarted'],
  ]);
  await assert.rejects(engine.view('s', sdpOffer()), { code: 'engine_unavailable' });
  assert.equal(engine.health().isUsable, false);
  engine.recover();
  await assert.doesNotReject(engine.view('s', sdpOffer()));
});

it('loses one session when its peer leaves', async () => {
  const engine = new FakeEngine();
  const said: unknown[] = [];
  engine.on('ended', (...event) => said.push(event));
  engine.on('session-lost', (...event) => said.push(event));
  const publisher = await engine.publish('s', sdpOffer({ direction: 'sendonly' }));
  const viewer = await engine.view('s', sdpOffer());
  engine.sendFrame('s');
  engine.loseSession(viewer.id);
  assert.equal(engine.has(viewer.id), false);
  assert.equal((await engine.stats('s')).viewers, 0);
  engine.loseSession(publisher.id);
  assert.deepEqual(said, [
    [viewer.id, 'transport_lost'],
    ['s', null],
    [publisher.id, 'transport_lost'],
  ]);
});
