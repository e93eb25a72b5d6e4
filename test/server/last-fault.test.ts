import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { createStreamServer } from '../../server/composition/stream-server.js';
import { readConfig } from '../../server/config/config.js';
import { Cleanup } from '../support/cleanup.js';
import { dataFolder } from '../support/data-folder.js';
import { FakeEngine } from '../support/media/fake-engine.js';
import { until } from '../support/media/until.js';
import { startServer } from '../support/server-process.js';
import { sideBySide } from '../support/side-by-side.js';
import { askDirector, openSocket } from '../support/stream-server.js';
import { pino } from 'pino';

/** Loaded into the server: a fault outside everything that the server guards. */
const FAULTS = {
  SIGUSR2: "throw new Error('a fault of nobody')",
  SIGWINCH: "Promise.reject(new Error('a fault of nobody'))",
};
const faults = Object.entries(FAULTS).map(([signal, code]) => `process.on('${signal}', () => { ${code} });`);
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(faults.join(''))}`;

describe('a fault that belongs to nothing', () => {
  const beside = sideBySide();

  for (const signal of ['SIGUSR2', 'SIGWINCH'] as const) {
    beside(`ends the server in order: ${FAULTS[signal].split('(')[0]}`, async ({ cleanup }) => {
      const server = await startServer({ NODE_OPTIONS });
      cleanup.after(() => server.stop());
      const call = { streamName: 'main', streamAccountId: 'main' };
      const token = String((await server.cli('token', 'create', 'subscribe', '--stream', 'main'))['token']);
      const viewer = await openSocket(await askDirector(server, 'subscribe', token, call));
      const closed = once(viewer.socket, 'close');
      process.kill(server.pid, signal);
      const [closeCode] = await closed;
      assert.equal(closeCode, 1012, 'the client is told that the server stops');
      await until('the process has ended', () => server.exitCode() !== null);
      assert.equal(server.exitCode(), 1);
      assert.match(server.output(), /"level":60,.*a fault of nobody.*belongs to no session/);
    });
  }
});

describe('a server in the app of somebody else', () => {
  const cleanup = new Cleanup();
  after(() => cleanup.run());
  let counts: (readonly [string, number])[];
  const countsNow = () =>
    ['uncaughtException', 'unhandledRejection', 'SIGTERM', 'SIGINT'].map(
      (event) => [event, process.listenerCount(event)] as const,
    );
  before(() => {
    counts = countsNow();
  });

  it('leaves the process to its owner', async () => {
    const env = { HOST: '127.0.0.1', PORT: '0', DATA_DIR: await dataFolder(cleanup) };
    const server = await createStreamServer(readConfig(env), {
      engine: new FakeEngine(),
      log: pino({ level: 'silent' }),
    });
    cleanup.after(() => server.close());
    await server.listen();
    assert.deepEqual(countsNow(), counts);
  });
});
