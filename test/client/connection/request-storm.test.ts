import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Viewer } from '../../../src/client/viewer/viewer.js';
import { FakeBrowser } from '../../support/client/fake-browser.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('calls the director at most once for each backoff step of each viewer, and not at all to resume', async (t) => {
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
  // The longest waits are 0.5, 1, 2, 4, 8 s and then 10 s each. The seventh wait has begun after 30 s.
  await pass(30_000);
  assert.deepEqual(new Set(viewers.map(({ phase }) => phase.name === 'reconnecting' && phase.attempt)), new Set([7]));
  assert.equal(browser.calls, viewers.length * 6);

  browser.calls = 0;
  browser.isUp = true;
  await pass(10_000);
  assert.ok(viewers.every(({ phase }) => phase.name === 'waiting'));
  assert.equal(browser.calls, viewers.length);

  // The connections break and the server stays: the viewers resume their sessions.
  browser.calls = 0;
  for (const socket of browser.sockets) socket.end();
  await pass(10_100);
  assert.ok(viewers.every(({ phase }) => phase.name === 'waiting'));
  assert.equal(browser.calls, 0);
  for (const viewer of viewers) viewer.stop();
});
