import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, it } from 'node:test';
import { openDatabase } from '../../../server/store/database.js';
import { openKeys } from '../../../server/store/key-file.js';
import { SqlTokenStore } from '../../../server/store/sql-token-store.js';
import { ValueSeal } from '../../../server/tokens/value-seal.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';

const WRITER = join(import.meta.dirname, '../../support/token-writer.ts');
const scope = { accountId: 'acme', kind: 'subscribe' } as const;

describe('a write that was acknowledged', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  it('is there after kill -9, each of four times', async () => {
    const folder = await dataFolder(cleanup);
    const said = new Map<number, readonly [label: string, value: string]>();
    for (const acknowledgements of [1, 40, 90, 150]) {
      const last = await writeUntilKilled(folder, acknowledgements, said);
      const db = await openDatabase(folder);
      const store = new SqlTokenStore(db, new ValueSeal(openKeys(folder).sealKey));
      for (const [id, [label, value]] of said) {
        const token = await store.get(scope, id);
        // The writer may have got one step further with its last token than it lived to say.
        if (id === last && token?.label !== label) continue;
        assert.deepEqual([token?.label, token?.token], label === 'deleted' ? [undefined, undefined] : [label, value]);
      }
      await db.destroy();
    }
    assert.ok(said.size > 100);
  });
});

/** @returns the id that was spoken of last */
async function writeUntilKilled(
  folder: string,
  acknowledgements: number,
  said: Map<number, readonly [string, string]>,
): Promise<number> {
  const writer = spawn(process.execPath, ['--import', 'tsx', WRITER, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(writer, 'exit');
  let heard = 0;
  let last = 0;
  for await (const line of createInterface({ input: writer.stdout })) {
    const [id, label, value] = JSON.parse(line);
    said.set((last = id), [label, value]);
    if ((heard += 1) === acknowledgements) writer.kill('SIGKILL');
  }
  const [, signal] = await exit;
  assert.equal(signal, 'SIGKILL');
  return last;
}
