import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createSecretKey, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { typescriptArguments } from '../../../scripts/run-command.js';
import { TargetAddresses } from '../../../server/outbound/target-addresses.js';
import { openDatabase } from '../../../server/store/database.js';
import { openKeys } from '../../../server/store/keys/key-file.js';
import { SqlAccountStore } from '../../../server/store/tables/sql-account-store.js';
import { SqlDeliveryStore } from '../../../server/store/tables/sql-delivery-store.js';
import { SqlTokenStore } from '../../../server/store/tables/sql-token-store.js';
import { SqlWebhookStore } from '../../../server/store/tables/sql-webhook-store.js';
import type { TokenStore } from '../../../server/tokens/token-store.js';
import { ValueSeal } from '../../../server/store/keys/value-seal.js';
import { Dispatcher } from '../../../server/webhooks/dispatcher.js';
import { callWebhook } from '../../../server/webhooks/webhook-call.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { until } from '../../support/media/until.js';
import { startPostgres } from '../../support/postgres.js';
import { aWebhook } from '../../support/webhook.js';
import { webhookReceiver } from '../../support/webhook-receiver.js';
import { writeTokens, WRITTEN, type AcknowledgedChange } from '../../support/write-tokens.js';

const TOKEN_WRITER = join(import.meta.dirname, '../../support/token-writer.ts');
const OCCURRENCE_WRITER = join(import.meta.dirname, '../../support/occurrence-writer.ts');
const addresses = new TargetAddresses(['127.0.0.1']);

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

  it('is sent, if it is an event for a webhook, by the next server', async () => {
    const folder = await dataFolder(cleanup);
    const receiver = await webhookReceiver(cleanup);
    const db = await openDatabase(folder);
    cleanup.after(() => db.destroy());
    await new SqlAccountStore(db).create('acme');
    const seal = new ValueSeal(openKeys(folder).sealKey);
    await new SqlWebhookStore(db, seal).add(aWebhook({ url: receiver.url }), Date.now());
    const written: string[] = [];
    for (let round = 1; round <= 2; round += 1) {
      // Lines that were on their way when a writer was killed are counted, too.
      await killedWriter(OCCURRENCE_WRITER, folder, (line) => written.push(line) >= round * 11);
    }
    const dispatcher = new Dispatcher({
      store: new SqlDeliveryStore(db, seal),
      call: (message, closing) => callWebhook(message, { addresses, timeoutMs: 5_000, now: Date.now }, closing),
      now: Date.now,
      pollMs: 10,
      log: pino({ level: 'silent' }),
    });
    cleanup.after(() => dispatcher.close());
    dispatcher.start();
    const waiting = () => db.selectFrom('webhook_delivery').select('id').where('state', '=', 'waiting').execute();
    await until('nothing waits', async () => (await waiting()).length === 0);
    const received = receiver.calls.map(({ headers }) => headers['webhook-id']);
    for (const event of written) assert.ok(received.includes(event), `${event} was lost`);
    assert.equal(new Set(received).size, received.length);
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
  let received = 0;
  let last = 0;
  await killedWriter(TOKEN_WRITER, folder, (line) => {
    const change: AcknowledgedChange = JSON.parse(line);
    acknowledged.set((last = change.id), change);
    return (received += 1) === acknowledgements;
  });
  return last;
}

/** Runs a process that writes to a data folder, until a line of its output is the last. */
async function killedWriter(program: string, folder: string, isLast: (line: string) => boolean): Promise<void> {
  const writer = spawn(process.execPath, [...typescriptArguments, program, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(writer, 'close');
  for await (const line of createInterface({ input: writer.stdout })) if (isLast(line)) writer.kill('SIGKILL');
  const [, signal] = await closed;
  assert.equal(signal, 'SIGKILL');
}
