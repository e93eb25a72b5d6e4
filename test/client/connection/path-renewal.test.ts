import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { Viewer } from '../../../src/client/viewer/viewer.js';
import { FakeBrowser } from '../../support/client/fake-browser.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A viewer whose media path fails after it was connected. */
async function withFailedPath(t: TestContext, origin: string) {
  const browser = new FakeBrowser(t);
  browser.origin = origin;
  const viewer = new Viewer();
  t.after(() => viewer.stop());
  const phases: string[] = [];
  viewer.addEventListener('phasechange', () => phases.push(viewer.phase.name));
  viewer.start({ endpoint: 'http://fake.test', accountId: 'acme', streamName: 'keynote' });
  while (viewer.phase.name !== 'waiting') await turn();
  phases.length = 0;
  browser.commands.length = 0;
  browser.peers[0]!.become('failed');
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await turn();
  };
  return { browser, phases, until };
}

it('renews the path in a browser that uses new DTLS keys for it', { timeout: 10_000 }, async (t) => {
  const { browser, phases, until } = await withFailedPath(t, 'o=- 4611731400430051336 2 IN IP4 127.0.0.1');
  await until(() => browser.peers[0]!.connectionState === 'connected');
  assert.deepEqual([browser.commands, browser.peers.length, phases], [['renew'], 1, []]);
});

it('applies both descriptions of a renewed path together, after the answer', { timeout: 10_000 }, async (t) => {
  const { browser, until } = await withFailedPath(t, 'o=- 4611731400430051336 2 IN IP4 127.0.0.1');
  const { log } = browser.peers[0]!;
  await until(() => log.at(-1) === 'remote answer' && log.includes('restartIce'));
  assert.deepEqual(log.slice(log.indexOf('restartIce')), ['restartIce', 'createOffer', 'local offer', 'remote answer']);
});

it('replaces the session in Firefox, which keeps the DTLS keys of the old path', { timeout: 10_000 }, async (t) => {
  const { browser, phases, until } = await withFailedPath(
    t,
    'o=mozilla...THIS_IS_SDPARTA-99.0 8040392737754120289 0 IN IP4 0.0.0.0',
  );
  await until(() => browser.peers[0]!.isClosed);
  assert.deepEqual(
    browser.peers.map(({ connectionState }) => connectionState),
    ['failed', 'connected'],
  );
  assert.deepEqual([browser.commands, browser.calls], [['view'], 1]);
  assert.deepEqual(
    phases.filter((name) => name !== 'waiting'),
    [],
    'the phase does not change',
  );
});
