import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { followFaults } from '../../../../server/faults/fault.js';
import { PackagerProcess } from '../../../../server/recording/packager/packager-process.js';
import type { ProcessLogEntry } from '../../../../server/recording/supervised-process.js';
import { until } from '../../../support/media/until.js';

it('a fault that belongs to nothing ends the packager in order, its server tells it, and starts another one', async (t) => {
  const faults: string[] = [];
  t.after(followFaults(({ part, error }) => faults.push(`${part} ${String(error).split('\n')[0]}`)));
  const log: ProcessLogEntry[] = [];
  const code = `process.on('SIGUSR2', () => { throw new Error('of nobody'); });`;
  // A child loads what this process loads.
  process.execArgv.push(`--import=data:text/javascript,${encodeURIComponent(code)}`);
  t.after(() => void process.execArgv.pop());
  const packager = new PackagerProcess({ onLog: (entry) => log.push(entry) });
  t.after(() => packager.close());
  const unreadable = () => packager.readPart(join(import.meta.dirname, 'no-part.mkv'));
  await assert.rejects(unreadable(), { reason: 'unreadable' });
  process.kill(packager.pid!, 'SIGUSR2');
  await until('it has died', () => packager.isAway);
  assert.deepEqual(faults, ['recording Error: of nobody']);
  assert.ok(
    log.some(({ how }) => how === 'code 1'),
    JSON.stringify(log),
  );
  await assert.rejects(unreadable(), { reason: 'unreadable' });
  assert.equal(packager.isAway, false);
});
