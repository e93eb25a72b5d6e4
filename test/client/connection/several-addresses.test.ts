import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { Viewer } from '../../../src/client/viewer/viewer.js';
import { FakeBrowser } from '../../support/client/fake-browser.js';

const urls = ['ws://a.test/ws', 'ws://b.test/ws', 'ws://c.test/ws'] as const;

/** A viewer of a server that names three websocket addresses, with mocked time. */
function start(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const browser = new FakeBrowser(t);
  browser.urls = urls;
  const viewer = new Viewer();
  t.after(() => viewer.stop());
  return {
    browser,
    viewer,
    /** The addresses of the websockets, without the preconnected one. */
    tried: () => browser.sockets.map(({ url }) => url.split('?')[0]!).filter((url) => !url.includes('/v2/')),
    watch: () => viewer.start({ endpoint: 'http://fake.test', accountId: 'acme', streamName: 'keynote' }),
    async pass(ms: number) {
      for (let left = ms; left >= 0; left -= 500) {
        for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
        if (left > 0) t.mock.timers.tick(Math.min(500, left));
      }
    },
  };
}

it('opens only the first address if that answers', async (t) => {
  const { viewer, tried, watch, pass } = start(t);
  watch();
  await pass(0);
  assert.deepEqual([viewer.phase.name, tried()], ['waiting', urls.slice(0, 1)]);
});

it('opens the next address if one refuses', async (t) => {
  const { browser, viewer, tried, watch, pass } = start(t);
  browser.refusing.add(urls[0]).add(urls[1]);
  watch();
  await pass(0);
  assert.deepEqual([viewer.phase.name, tried(), browser.calls], ['waiting', [...urls], 1]);
});

it('waits for a silent address for its part of the time, and closes that websocket', async (t) => {
  const { browser, viewer, tried, watch, pass } = start(t);
  browser.silent.add(urls[0]);
  watch();
  await pass(4_500);
  assert.deepEqual([viewer.phase.name, tried()], ['connecting', urls.slice(0, 1)]);
  await pass(1_000);
  assert.deepEqual([viewer.phase.name, tried()], ['waiting', urls.slice(0, 2)]);
  assert.deepEqual(
    browser.sockets.filter(({ url }) => url.startsWith(urls[0])).map(({ readyState }) => readyState),
    [3],
  );
});

it('asks the director again where no address answers', async (t) => {
  const { browser, viewer, tried, watch, pass } = start(t);
  t.mock.method(Math, 'random', () => 1);
  for (const url of urls) browser.refusing.add(url);
  watch();
  await pass(0);
  assert.deepEqual([viewer.phase.name, tried(), browser.calls], ['reconnecting', [...urls], 1]);
  browser.refusing.clear();
  await pass(1_000);
  assert.deepEqual([viewer.phase.name, browser.calls], ['waiting', 2]);
});

it('resumes at another address after a loss', async (t) => {
  const { browser, viewer, watch, pass } = start(t);
  watch();
  await pass(0);
  browser.refusing.add(urls[0]);
  for (const socket of browser.sockets) socket.end();
  await pass(1_000);
  assert.deepEqual([viewer.phase.name, browser.calls], ['waiting', 1]);
});
