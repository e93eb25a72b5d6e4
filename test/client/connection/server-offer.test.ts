import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { Viewer } from '../../../src/client/viewer/viewer.js';
import { FakeBrowser } from '../../support/client/fake-browser.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A viewer whose server makes the offer. */
async function viewerOfOffer(t: TestContext, grant: object = {}) {
  const browser = new FakeBrowser(t);
  browser.grant = grant;
  browser.answer = (command) =>
    command === 'view' ? { type: 'offer', sdp: 'v=0 of the server', resumeToken: 'back' } : {};
  const viewer = new Viewer();
  t.after(() => viewer.stop());
  viewer.start({ endpoint: 'http://fake.test', accountId: 'acme', streamName: 'keynote' });
  while (viewer.phase.name !== 'waiting' || !browser.commands.includes('answer')) await turn();
  return { browser, viewer };
}

it('answers an offer of the server on another connection, and closes its own', { timeout: 10_000 }, async (t) => {
  const { browser } = await viewerOfOffer(t);
  const [own, offered, ...others] = browser.peers;
  assert.equal(others.length, 0);
  assert.equal(own!.isClosed, true);
  assert.deepEqual(offered!.log, ['remote offer', 'createAnswer', 'local answer']);
  assert.deepEqual(browser.commands, ['view', 'answer']);
  assert.deepEqual(browser.commandData.at(-1), { sdp: 'v=0 of the browser' });
});

it('says to the server that it takes an offer', { timeout: 10_000 }, async (t) => {
  const { browser } = await viewerOfOffer(t);
  const { view } = browser.bodies[0] as { view: { takesOffer: boolean } };
  assert.equal(view.takesOffer, true);
});

it('uses the ICE servers of the grant for it', { timeout: 10_000 }, async (t) => {
  const iceServers = [{ urls: 'turn:turn.example.com' }];
  const { browser } = await viewerOfOffer(t, { iceServers });
  assert.deepEqual(browser.peers[1]!.iceServers, iceServers);
});

it('replaces the session when its path fails', { timeout: 10_000 }, async (t) => {
  const { browser } = await viewerOfOffer(t);
  browser.peers[1]!.become('failed');
  while (!browser.peers[1]!.isClosed) await turn();
  assert.equal(browser.commands.includes('renew'), false);
  assert.equal(browser.peers.at(-1)!.connectionState, 'connected');
});
