import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { setImmediate as immediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { Webhook as Verifier } from 'standardwebhooks';
import { openDatabase } from '../../../server/store/database.js';
import { openKeys } from '../../../server/store/keys/key-file.js';
import { ValueSeal } from '../../../server/store/keys/value-seal.js';
import type { Database } from '../../../server/store/schema.js';
import { SqlAccountStore } from '../../../server/store/tables/sql-account-store.js';
import { SqlDeliveryStore } from '../../../server/store/tables/sql-delivery-store.js';
import { SqlWebhookStore } from '../../../server/store/tables/sql-webhook-store.js';
import { webhookTest } from '../../../server/webhooks/occurrence.js';
import { CLAIM_MS, Dispatcher } from '../../../server/webhooks/dispatcher.js';
import { TargetAddresses } from '../../../server/outbound/target-addresses.js';
import { callWebhook } from '../../../server/webhooks/webhook-call.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { putMigratedDatabase } from '../../support/database-template.js';
import { until } from '../../support/media/until.js';
import { aStart, aWebhook, anEnd } from '../../support/webhook.js';
import { webhookReceiver } from '../../support/webhook-receiver.js';

const HOUR = 3_600_000;

describe('the dispatcher', () => {
  const cleanup = new Cleanup();
  const clock = { now: 0 };
  const addresses = new TargetAddresses(['127.0.0.1']);
  let folder: string;
  let db: Database;
  let seal: ValueSeal;
  let deliveries: SqlDeliveryStore;

  beforeEach(async () => {
    clock.now = Date.now();
    folder = await dataFolder(cleanup);
    await putMigratedDatabase(folder);
    db = await openDatabase(folder);
    cleanup.after(() => db.destroy());
    await new SqlAccountStore(db).create('acme');
    seal = new ValueSeal(openKeys(folder).sealKey);
    deliveries = new SqlDeliveryStore(db, seal);
  });
  afterEach(() => cleanup.run());

  const addWebhook = async (url: string, accountId = 'acme') => {
    const webhook = await new SqlWebhookStore(db, seal).add(aWebhook({ url, accountId }), clock.now);
    assert.ok(webhook !== 'full');
    return webhook;
  };
  const startDispatcher = (store = deliveries, timeoutMs = 5_000) => {
    const dispatcher = new Dispatcher({
      store,
      call: (message, closing) => callWebhook(message, { addresses, timeoutMs, now: () => clock.now }, closing),
      now: () => clock.now,
      random: () => 0.5,
      pollMs: 10,
      log: pino({ level: 'silent' }),
    });
    cleanup.after(() => dispatcher.close());
    dispatcher.start();
    return dispatcher;
  };
  const logOf = async (id: number, state?: 'delivered' | 'waiting' | 'failed' | 'dropped') =>
    (await deliveries.listDeliveries(id, { page: 1, itemsOnPage: 100, state })).deliveries;
  /** Whether no call is under way. */
  const isIdle = async () => {
    const rows = await db.selectFrom('webhook_delivery').select('id').where('claim', 'is not', null).execute();
    return rows.length === 0;
  };
  it('sends what waits, signed, with the id of the event', async () => {
    const receiver = await webhookReceiver(cleanup);
    const { id, keys } = await addWebhook(receiver.url);
    const event = aStart();
    await deliveries.write([event]);
    startDispatcher();
    const [call] = await receiver.received(1);
    const verified = new Verifier(`whsec_${keys!.current}`).verify(call!.body, call!.headers as Record<string, string>);
    assert.equal((verified as { type: string }).type, 'stream.started');
    assert.equal(call!.headers['webhook-id'], event.eventId);
    await until('it is delivered', async () => (await logOf(id, 'delivered')).length === 1);
  });

  it('asks again for what comes at any moment of a look, without waiting for the next second', async () => {
    for (let moment = 0; moment < 12; moment += 1) {
      let looks = 0;
      const dispatcher = new Dispatcher({
        store: { claim: async () => ((looks += 1), []), conclude: async () => true },
        call: () => assert.fail('nothing is claimed'),
        now: () => 0,
        pollMs: HOUR,
        log: pino({ level: 'silent' }),
      });
      dispatcher.start();
      for (let passed = 0; passed < moment; passed += 1) await Promise.resolve();
      const before = looks;
      dispatcher.wake();
      await immediate();
      assert.ok(looks > before, `woken ${moment} microtasks after the look began`);
      await dispatcher.close();
    }
  });

  it('tries again for a day while the receiver answers 500, and keeps the order of the stream', async () => {
    let status = 500;
    const receiver = await webhookReceiver(cleanup, (response) => response.writeHead(status).end());
    const { id } = await addWebhook(receiver.url);
    await deliveries.write([aStart('a', clock.now), anEnd('a', clock.now)]);
    startDispatcher();
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      await until(
        'the attempt is over',
        async () => (await logOf(id)).at(-1)!.attempts === attempt && (await isIdle()),
      );
      clock.now = (await logOf(id)).at(-1)!.dueOn;
    }
    assert.deepEqual(new Set(receiver.types()), new Set(['stream.started']));
    status = 204;
    await until('it is delivered', async () => (await logOf(id, 'delivered')).length === 2);
    assert.deepEqual(receiver.types().slice(-2), ['stream.started', 'stream.ended']);
  });

  it('gives an event up after a day, and goes on with the next one', async () => {
    const receiver = await webhookReceiver(cleanup, (response) => response.writeHead(500).end());
    const { id } = await addWebhook(receiver.url);
    await deliveries.write([aStart('a', clock.now - 23 * HOUR), anEnd('a', clock.now - HOUR)]);
    clock.now += 2 * HOUR;
    startDispatcher();
    await until(
      'the first is given up',
      async () =>
        (await logOf(id)).map(({ state, attempts }) => `${state} ${attempts}`).join() === 'waiting 1,failed 1',
    );
  });

  it('sends a test once', async () => {
    const receiver = await webhookReceiver(cleanup, (response) => response.writeHead(500).end());
    const { id } = await addWebhook(receiver.url);
    await deliveries.writeFor(id, webhookTest({ accountId: 'acme', time: clock.now }, id));
    startDispatcher();
    await until('it has failed', async () => (await logOf(id, 'failed')).length === 1);
  });

  it('disables a webhook whose receiver answers 410', async () => {
    const receiver = await webhookReceiver(cleanup, (response) => response.writeHead(410).end());
    const { id } = await addWebhook(receiver.url);
    await deliveries.write([aStart('a'), anEnd('a')]);
    startDispatcher();
    const found = () => new SqlWebhookStore(db, seal).find('acme', id);
    await until('it is disabled', async () => (await found())?.disabled?.reason === 'gone');
    assert.deepEqual(
      (await logOf(id)).map(({ state }) => state),
      ['dropped', 'failed'],
    );
    assert.equal(receiver.calls.length, 1);
  });

  it('sends to others while a receiver hangs', async () => {
    const hanging = await webhookReceiver(cleanup, () => {});
    await addWebhook(hanging.url);
    const receiver = await webhookReceiver(cleanup);
    await addWebhook(receiver.url);
    await deliveries.write(Array.from({ length: 50 }, (_, index) => aStart(`s${index}`)));
    startDispatcher(deliveries, 60_000);
    await receiver.received(50);
    assert.ok(hanging.calls.length < 8, `${hanging.calls.length} calls hang`);
  });

  it('sends to another account while all receivers of one account hang', async () => {
    await new SqlAccountStore(db).create('other');
    const hanging = await webhookReceiver(cleanup, () => {});
    for (let webhook = 0; webhook < 20; webhook += 1) await addWebhook(hanging.url);
    const receiver = await webhookReceiver(cleanup);
    await addWebhook(receiver.url, 'other');
    await deliveries.write(Array.from({ length: 10 }, (_, index) => aStart(`s${index}`, clock.now)));
    startDispatcher(deliveries, 60_000);
    await hanging.received(12);
    await deliveries.write([aStart('theirs', clock.now, 'other')]);
    await receiver.received(1);
    assert.equal(hanging.calls.length, 12);
  });

  it('sends each event once, of four servers on one database', async () => {
    const receiver = await webhookReceiver(cleanup);
    const { id } = await addWebhook(receiver.url);
    for (let server = 0; server < 4; server += 1) startDispatcher();
    for (let count = 0; count < 10; count += 1) {
      await deliveries.write(Array.from({ length: 10 }, (_, index) => aStart(`s${index}`)));
    }
    await until('it is delivered', async () => (await logOf(id, 'delivered')).length === 100);
    assert.equal(receiver.calls.length, 100);
    assert.equal(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size, 100);
  });

  it('takes over what a lost server had claimed', async () => {
    const receiver = await webhookReceiver(cleanup);
    await addWebhook(receiver.url);
    await deliveries.write([aStart()]);
    const shares = { most: 9, mostOfOne: 9, busy: [], mostOfAccount: 9, moreOf: new Map() };
    const lost = { claim: 'lost', now: clock.now, until: clock.now + CLAIM_MS, ...shares };
    assert.equal((await deliveries.claim(lost)).length, 1);
    startDispatcher();
    clock.now += CLAIM_MS;
    await receiver.received(1);
  });

  it('makes calls again that a stop of the server broke off', async () => {
    let isHanging = true;
    const receiver = await webhookReceiver(cleanup, (response) => {
      if (!isHanging) response.writeHead(204).end();
    });
    const { id } = await addWebhook(receiver.url);
    await deliveries.write([aStart()]);
    const first = startDispatcher();
    await receiver.received(1);
    await first.close();
    isHanging = false;
    startDispatcher();
    await until('it is delivered', async () => (await logOf(id, 'delivered')).length === 1);
  });

  it('opens the keys only with the key of the server', async () => {
    const { id } = await addWebhook('https://receiver.example/');
    const other = new ValueSeal(createSecretKey(randomBytes(32)));
    const found = await new SqlWebhookStore(db, other).find('acme', id);
    assert.deepEqual([found?.keys, found?.fault], [null, 'key']);
  });
});
