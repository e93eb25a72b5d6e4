import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Viewer } from '../../../src/client/viewer/viewer.js';
import { FakeBrowser } from '../../support/client/fake-browser.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('asks for leave at most once in each step of the back-off, however many viewers lost the service, and not at all to come back', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(Math, 'random', () => 1);
  const browser = new FakeBrowser(t);
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 100) {
      for (let step = 0; step < 3; step++) await turn();
      t.mock.timers.tick(Math.min(100, left));
    }
    for (let step = 0; step < 3; step++) await turn();
  };
  const viewers = Array.from({ length: 20 }, () => new Viewer());
  for (const viewer of viewers)
    viewer.start({ endpoint: 'http://fake.test', accountId: 'acme', streamName: 'keynote' });
  await pass(100);
  assert.ok(viewers.every(({ phase }) => phase.name === 'waiting'));
  assert.equal(browser.calls, viewers.length);

  browser.calls = 0;
  browser.goDown();
  // Waits of 0.5, 1, 2, 4, 8 and 10 s, and then of 10 s each: with every one at its longest, the seventh is on its way.
  await pass(30_000);
  assert.deepEqual(new Set(viewers.map(({ phase }) => phase.name === 'reconnecting' && phase.attempt)), new Set([7]));
  assert.equal(browser.calls, viewers.length * 6);

  browser.calls = 0;
  browser.isUp = true;
  await pass(10_000);
  assert.ok(viewers.every(({ phase }) => phase.name === 'waiting'));
  assert.equal(browser.calls, viewers.length);

  // A break that the service outlives: what it left them opens the way back.
  browser.calls = 0;
  for (const socket of browser.sockets) socket.end();
  await pass(10_100);
  assert.ok(viewers.every(({ phase }) => phase.name === 'waiting'));
  assert.equal(browser.calls, 0);
  for (const viewer of viewers) viewer.stop();
});
