import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, describe, it, mock } from 'node:test';
import { followFaults } from '../../../server/faults/fault.js';
import { SupervisedProcess } from '../../../server/recording/supervised-process.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { until } from '../../support/media/until.js';

const FAULTS = new URL('../../../server/faults/child-process.ts', import.meta.url).href;

describe('a process that is supervised', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  const supervise = async (main: string) => {
    const file = join(await dataFolder(cleanup), 'main.mjs');
    await writeFile(file, main);
    const log: string[] = [];
    const child = new SupervisedProcess<{ readonly type: 'work' | 'close' }, { readonly type: string }>({
      name: 'worker',
      file,
      onLog: ({ message, how }) => log.push(`${message}${how === undefined ? '' : ` ${how}`}`),
      closeTimeoutMs: 1_000,
    });
    cleanup.after(() => child.close());
    const received: string[] = [];
    child.on('message', ({ type }) => received.push(type));
    return { child, log, received };
  };
  const ANSWERS = `process.on('message', ({ type }) => {
    if (type === 'close') process.disconnect();
    if (type === 'ping') process.send({ type: 'pong' });
    if (type === 'work') work();
  });
  process.send({ type: 'ready' });`;

  it('runs where the system does not permit another priority', async () => {
    const refusing = mock.method(os, 'setPriority', () => {
      throw new Error('ESRCH');
    });
    syncBuiltinESMExports();
    cleanup.after(() => {
      refusing.mock.restore();
      syncBuiltinESMExports();
    });
    const { child, log } = await supervise(`const work = () => {}; ${ANSWERS}`);
    child.start();
    await until('it runs', () => log.includes('the worker is running'));
    assert.equal(refusing.mock.callCount(), 1);
  });

  it('tells its faults, and ends in order at one that belongs to nothing', async () => {
    const faults: string[] = [];
    cleanup.after(followFaults(({ part, error }) => faults.push(`${part} ${String(error).split('\\n')[0]}`)));
    const main = `import { guardChildProcess } from ${JSON.stringify(FAULTS)};
      guardChildProcess(async () => process.send({ type: 'closed' }));
      const work = () => setImmediate(() => { throw new Error('of nobody'); });
      ${ANSWERS}`;
    const { child, log, received } = await supervise(main);
    child.start();
    await until('it runs', () => child.isReady);
    child.send({ type: 'work' });
    await until('it runs again', () => log.filter((line) => line === 'the worker is running').length === 2);
    assert.deepEqual(
      faults.map((text) => text.split('\n')[0]),
      ['recording Error: of nobody'],
    );
    assert.ok(received.includes('closed'), 'it ended what it did');
    assert.ok(log.includes('the worker died and is started again code 1'), log.join('\n'));
  });
});
