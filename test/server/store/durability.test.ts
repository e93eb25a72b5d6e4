import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createSecretKey, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, it } from 'node:test';
import { typescriptArguments } from '../../../scripts/run-command.js';
import { openDatabase } from '../../../server/store/database.js';
import { openKeys } from '../../../server/store/keys/key-file.js';
import { SqlAccountStore } from '../../../server/store/tables/sql-account-store.js';
import { SqlTokenStore } from '../../../server/store/tables/sql-token-store.js';
import type { TokenStore } from '../../../server/tokens/token-store.js';
import { ValueSeal } from '../../../server/store/keys/value-seal.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { startPostgres } from '../../support/postgres.js';
import { writeTokens, WRITTEN, type AcknowledgedChange } from '../../support/write-tokens.js';

const WRITER = join(import.meta.dirname, '../../support/token-writer.ts');

describe('a write that was acknowledged', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  it('is in the file after the server is killed, each of six times', async () => {
    const folder = await dataFolder(cleanup);
    const acknowledged = new Map<number, AcknowledgedChange>();
    const last = new Set<number>();
    for (let round = 0; round < 6; round += 1) {
      last.add(await writeUntilKilled(folder, 1 + ((round * 37) % 160), acknowledged));
      const db = await openDatabase(folder);
      await findAll(new SqlTokenStore(db, new ValueSeal(openKeys(folder).sealKey)), acknowledged, last);
      await db.destroy();
    }
    assert.ok(acknowledged.size > 80);
  });

  it('is in PostgreSQL after PostgreSQL is killed, each of four times', async () => {
    const postgres = await startPostgres({ durable: true });
    cleanup.after(() => postgres.stop());
    const url = await postgres.newDatabase();
    const seal = new ValueSeal(createSecretKey(randomBytes(32)));
    const acknowledged = new Map<number, AcknowledgedChange>();
    const last = new Set<number>();
    for (let round = 0; round < 4; round += 1) {
      const db = await openDatabase('', url);
      await new SqlAccountStore(db).create('acme');
      const store = new SqlTokenStore(db, seal);
      await findAll(store, acknowledged, last);
      let left = 1 + ((round * 37) % 160);
      const written = writeTokens(store, (one) => {
        acknowledged.set(one.id, one);
        if ((left -= 1) === 0) void postgres.kill('SIGKILL');
      });
      await assert.rejects(written);
      last.add(Math.max(...acknowledged.keys()));
      await postgres.kill('SIGKILL');
      await db.destroy();
      await postgres.start();
    }
    const db = await openDatabase('', url);
    cleanup.after(() => db.destroy());
    await findAll(new SqlTokenStore(db, seal), acknowledged, last);
    assert.ok(acknowledged.size > 40);
  });
});

/** @param last the tokens that a writer was changing when it was killed: each may have one more change than the writer reported */
async function findAll(
  store: TokenStore,
  acknowledged: ReadonlyMap<number, AcknowledgedChange>,
  last: ReadonlySet<number>,
): Promise<void> {
  for (const { id, label, token, bound } of acknowledged.values()) {
    const found = await store.get(WRITTEN, id);
    const is = [found?.label ?? 'deleted', found?.boundIps.map(({ address }) => address) ?? bound];
    const further = last.has(id) && (is[0] !== label || found?.boundIps.length === bound.length + 1);
    if (!further) assert.deepEqual(is, [label, bound]);
    if (found) assert.equal(found.token, token);
  }
}

/** @returns the id that was reported last */
async function writeUntilKilled(
  folder: string,
  acknowledgements: number,
  acknowledged: Map<number, AcknowledgedChange>,
): Promise<number> {
  const writer = spawn(process.execPath, [...typescriptArguments, WRITER, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(writer, 'exit');
  let received = 0;
  let last = 0;
  for await (const line of createInterface({ input: writer.stdout })) {
    const change: AcknowledgedChange = JSON.parse(line);
    acknowledged.set((last = change.id), change);
    if ((received += 1) === acknowledgements) writer.kill('SIGKILL');
  }
  const [, signal] = await exit;
  assert.equal(signal, 'SIGKILL');
  return last;
}
