import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Viewer } from '../../../src/client/viewer/viewer.js';
import { FakeBrowser } from '../../support/client/fake-browser.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

it(
  'opens no websocket for a viewer that is stopped while the browser applies the offer',
  { timeout: 10_000 },
  async (t) => {
    const browser = new FakeBrowser(t);
    let applied = (): void => {};
    browser.describing = new Promise((resolve) => (applied = resolve));
    const viewer = new Viewer();
    viewer.start({ endpoint: 'http://fake.test', accountId: 'acme', streamName: 'keynote' });
    while (browser.calls === 0) await turn();
    const before = browser.sockets.length;
    viewer.stop();
    applied();
    for (let step = 0; step < 20; step++) await turn();
    assert.deepEqual([viewer.phase.name, browser.sockets.length, browser.commands], ['idle', before, []]);
    assert.ok(browser.peers.every(({ isClosed }) => isClosed));
  },
);
