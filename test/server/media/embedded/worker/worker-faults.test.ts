import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createEmbeddedEngine } from '../../../../../server/media/embedded/embedded-engine.js';
import { followFaults } from '../../../../../server/faults/fault.js';
import { Sfu } from '../../../../../server/media/embedded/worker/sfu.js';
import { sfuListener } from '../../../../support/media/sfu-listener.js';
import { until } from '../../../../support/media/until.js';

it('a fault in the work of one stream keeps no other stream waiting', async (t) => {
  const faults: unknown[] = [];
  t.after(followFaults(({ error, of }) => faults.push([String(error), of.stream])));
  const sfu = await Sfu.open({ bindAddress: '127.0.0.1', udpPort: 0 }, sfuListener);
  t.after(() => sfu.close());
  const broken = sfu.acquireRouter('main/broken');
  const other = sfu.acquireRouter('main/other');
  t.after(() => [broken, other].forEach((handle) => handle.release()));
  let ticks = 0;
  t.mock.method(broken.router, 'tick', () => {
    throw new Error('a tick failed');
  });
  t.mock.method(other.router, 'tick', () => void (ticks += 1));
  await until('the other stream goes on', () => ticks > 2);
  assert.deepEqual(faults[0], ['Error: a tick failed', 'main/broken']);
});

it('a fault that belongs to nothing ends a media process in order, and its server tells it', async (t) => {
  const faults: string[] = [];
  t.after(followFaults(({ part, error }) => faults.push(`${part} ${String(error).split('\n')[0]}`)));
  const log: { readonly message: string; readonly how?: unknown; readonly pid?: unknown }[] = [];
  const code = `process.on('SIGUSR2', () => { throw new Error('of nobody'); });`;
  // A child loads what this process loads.
  process.execArgv.push(`--import=data:text/javascript,${encodeURIComponent(code)}`);
  t.after(() => void process.execArgv.pop());
  const engine = await createEmbeddedEngine({
    workers: 1,
    sandboxed: false,
    bindAddress: '127.0.0.1',
    udpPort: 0,
    onLog: (entry) => log.push(entry),
  });
  t.after(() => engine.close());
  process.kill(Number(log.find(({ pid }) => pid !== undefined)!.pid), 'SIGUSR2');
  await until(
    'it runs again',
    () => log.filter(({ message }) => message === 'the media engine is running').length === 2,
  );
  assert.deepEqual(faults, ['media_process Error: of nobody']);
  assert.ok(
    log.some(({ how }) => how === 'code 1'),
    JSON.stringify(log),
  );
});
