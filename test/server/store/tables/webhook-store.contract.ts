import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { AuditStore } from '../../../../server/oversight/audit-store.js';
import type { RecordingStore } from '../../../../server/recording/recording-store.js';
import type { Database } from '../../../../server/store/schema.js';
import type { TokenStore } from '../../../../server/tokens/token-store.js';
import {
  MOST_ASKED_FOR,
  type CallConclusion,
  type CallReport,
  type ClaimedDelivery,
  type ClaimRequest,
  type DeliveryStore,
  type TokenEventStore,
  type WebhookStore,
} from '../../../../server/webhooks/webhook-store.js';
import { sessionsRefused, webhookTest } from '../../../../server/webhooks/occurrence.js';
import { MAX_WEBHOOKS } from '../../../../src/wire/management/webhook.js';
import { TEST_EVENT, webhookEvent } from '../../../../src/wire/webhook-event.js';
import { Cleanup } from '../../../support/cleanup.js';
import { aRecording } from '../../../support/recording.js';
import { aTokenRecord } from '../../../support/token.js';
import { aStart, aWebhook, anEnd } from '../../../support/webhook.js';

export interface WebhookStores {
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  readonly tokenEvents: TokenEventStore;
  readonly recordings: RecordingStore;
  readonly tokens: TokenStore;
  readonly audit: AuditStore;
  readonly db: Database;
}

const DAY = 24 * 3_600_000;
const OK: CallReport = { on: 5_000, durationMs: 12, status: 200, fault: null };
const FAILED: CallReport = { on: 5_000, durationMs: 12, status: 500, fault: 'status' };

/** The contract of WebhookStore, DeliveryStore and TokenEventStore. `open` returns empty stores with the accounts acme and other. */
export function webhookStoreContract(name: string, open: (cleanup: Cleanup) => Promise<WebhookStores>): void {
  describe(`${name} as a store of webhooks`, () => {
    const cleanup = new Cleanup();
    let { webhooks, deliveries, tokenEvents, recordings, tokens, audit, db }: WebhookStores = {} as WebhookStores;

    beforeEach(async () => {
      ({ webhooks, deliveries, tokenEvents, recordings, tokens, audit, db } = await open(cleanup));
    });
    afterEach(() => cleanup.run());

    const add = async (fields: Parameters<typeof aWebhook>[0] = {}) => {
      const webhook = await webhooks.add(aWebhook(fields), 1_000);
      assert.ok(webhook !== 'full');
      return webhook;
    };
    const claim = async (fields: Partial<ClaimRequest> = {}): Promise<readonly ClaimedDelivery[]> =>
      await deliveries.claim({
        claim: 'A',
        now: 10_000,
        until: 70_000,
        most: 10,
        mostOfOne: 10,
        busy: [],
        mostOfAccount: 10,
        moreOf: new Map(),
        ...fields,
      });
    const claimedTypes = async (fields: Partial<ClaimRequest> = {}) => (await claim(fields)).map(({ type }) => type);
    const logged = async (webhookId: number) =>
      (await deliveries.listDeliveries(webhookId, { page: 1, itemsOnPage: 100, state: undefined })).deliveries;
    const conclude = async (delivery: ClaimedDelivery, conclusion: CallConclusion, report = OK, by = 'A') =>
      await deliveries.conclude(delivery, by, report, conclusion);
    const actions = async () =>
      (await audit.list('acme', { page: 1, itemsOnPage: 9, action: undefined })).entries
        .filter(({ target }) => target.kind === 'webhook')
        .map(({ action, targetName, before, after }) => {
          if (before?.['url'] !== null) assert.ok(targetName, `${action} names the webhook`);
          return { action, before, after };
        });

    it('returns what was saved, to its account only', async () => {
      const keys = { current: 'bmV3', old: { key: 'b2xk', expiresOn: 9_000 } };
      const webhook = await add({ keys, description: 'Zwei 🎥', events: ['token.expiring'] });
      assert.deepEqual(await webhooks.find('acme', webhook.id), webhook);
      assert.equal(await webhooks.find('other', webhook.id), undefined);
      assert.equal(await webhooks.remove('other', webhook.id, 1), undefined);
    });

    it('stores no key as it is', async () => {
      const { id, keys } = await add({ keys: { current: 'bmV3bmV3', old: { key: 'b2xkb2xk', expiresOn: 9 } } });
      const row = await db.selectFrom('webhook').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      assert.ok(!JSON.stringify(row).includes(keys!.current));
      assert.ok(!JSON.stringify(row).includes(keys!.old!.key));
    });

    it('lists from an id on, in both orders', async () => {
      const ids = [(await add()).id, (await add()).id, (await add()).id] as const;
      await add({ accountId: 'other' });
      const listed = async (startingId: number | undefined, isDescending: boolean, itemCount = 10) =>
        (await webhooks.list('acme', { startingId, isDescending, itemCount })).map(({ id }) => id);
      assert.deepEqual(await listed(undefined, false), [...ids]);
      assert.deepEqual(await listed(ids[1], false), ids.slice(1));
      assert.deepEqual(await listed(ids[1], true), [ids[1], ids[0]]);
      assert.deepEqual(await listed(undefined, true, 2), [ids[2], ids[1]]);
    });

    it('takes as many as an account may have, also of two at once', async () => {
      for (let count = 1; count < MAX_WEBHOOKS; count += 1) await add();
      const results = await Promise.all([webhooks.add(aWebhook(), 1), webhooks.add(aWebhook(), 1)]);
      assert.equal(results.filter((result) => result === 'full').length, 1);
    });

    it('writes changes to the audit log, without the secret part of addresses', async () => {
      const { id } = await add({ events: ['stream.started'] });
      const audited = { action: 'webhook_changed', now: 2_000 } as const;
      const changed = await webhooks.change(
        { accountId: 'acme', id },
        (one) => ({ ...one, description: 'b' }),
        audited,
      );
      assert.deepEqual([changed?.description, changed?.updatedOn], ['b', 2_000]);
      await webhooks.change({ accountId: 'acme', id }, (one) => one, audited);
      await webhooks.remove('acme', id, 3_000);
      const fields = { url: 'https://receiver.example', description: '', events: ['stream.started'], disabled: null };
      assert.deepEqual(await actions(), [
        { action: 'webhook_deleted', before: { ...fields, description: 'b' }, after: null },
        { action: 'webhook_changed', before: fields, after: { ...fields, description: 'b' } },
        { action: 'webhook_created', before: null, after: fields },
      ]);
    });

    const fill = async (webhookId: number, state: 'waiting' | 'delivered', count: number): Promise<void> => {
      await sql`insert into webhook_delivery
        (webhook_id, event_id, type, order_key, payload, state, created_on, due_on, attempts)
        with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < ${count})
        select ${sql.lit(webhookId)}, 'e', 't', 'o', '{}', ${sql.lit(state)}, 1, 1, 0 from numbers`.execute(db);
    };

    it('writes an event at the cost of one for which nothing waits, however much does', async () => {
      for (let count = 0; count < 5; count += 1) {
        await add({ accountId: 'other' });
        const { id } = await add();
        await fill(id, 'waiting', 9_000);
        await fill(id, 'delivered', 9_000);
      }
      // As PostgreSQL does by itself, within a minute.
      await sql`analyze`.execute(db);
      // Other processes only add to what is measured, so the least of many rounds is the truest.
      const least = { acme: Infinity, other: Infinity };
      for (let round = 1; round <= 60 && !(round > 3 && least.acme < 3 * least.other); round += 1) {
        for (const account of ['acme', 'other'] as const) {
          // In one transaction: what the disk takes for it is not the question.
          const events = Array.from({ length: 30 }, (_, time) => aStart('one', time, account));
          const start = performance.now();
          await deliveries.write(events);
          least[account] = Math.min(least[account], performance.now() - start);
        }
      }
      const [full, empty] = [least.acme, least.other];
      assert.ok(full < 3 * empty, `${full.toFixed(2)} ms, and ${empty.toFixed(2)} ms where nothing waits`);
    });

    it('writes no more for a webhook for which some 10,000 events wait', async () => {
      const [full, next] = [await add(), await add()];
      await fill(full.id, 'waiting', 10_100);
      await fill(next.id, 'waiting', 9_800);
      await fill(next.id, 'delivered', 5_000);
      await deliveries.write([aStart('one', 2)]);
      const written = await db
        .selectFrom('webhook_delivery')
        .select('webhook_id')
        .where('type', '=', 'stream.started')
        .execute();
      assert.deepEqual(
        written.map(({ webhook_id }) => Number(webhook_id)),
        [next.id],
      );
    });

    it('says how much waits, and since when, for all accounts', async () => {
      assert.deepEqual(await deliveries.backlog(), { waiting: 0, oldestOn: null });
      await add();
      await add({ accountId: 'other' });
      await deliveries.write([aStart('one', 3_000), aStart('two', 2_000), aStart('three', 4_000, 'other')]);
      assert.deepEqual(await deliveries.backlog(), { waiting: 3, oldestOn: 2_000 });
      const oldest = (await claim()).find(({ createdOn }) => createdOn === 2_000);
      await conclude(oldest!, { state: 'delivered' });
      assert.deepEqual(await deliveries.backlog(), { waiting: 2, oldestOn: 3_000 });
    });

    it('sends to others what waits while the key of one webhook cannot be read, until it is rotated', async () => {
      const bad = await add();
      await add({ accountId: 'other' });
      await db.updateTable('webhook').set({ key_sealed: 'damaged' }).where('id', '=', bad.id).execute();
      await deliveries.write([aStart('one', 3_000), aStart('two', 4_000, 'other')]);
      assert.deepEqual(
        (await claim()).map(({ accountId }) => accountId),
        ['other'],
      );
      const [waiting] = await logged(bad.id);
      assert.deepEqual([waiting?.state, waiting?.attempts], ['waiting', 0]);
      const [listed] = await webhooks.list('acme', { startingId: undefined, isDescending: false, itemCount: 10 });
      assert.deepEqual(listed, { ...bad, keys: null, fault: 'key' });

      const keys = { current: 'bmV3', old: null };
      const audited = { action: 'webhook_key_rotated', now: 20_000 } as const;
      const subject = { accountId: 'acme', id: bad.id };
      assert.deepEqual(await webhooks.change(subject, (one) => ({ ...one, keys }), audited), {
        ...bad,
        keys,
        updatedOn: 20_000,
      });
      assert.deepEqual(
        (await claim({ claim: 'B', now: 20_000 })).map(({ accountId }) => accountId),
        ['acme'],
      );
    });

    it('gives up a delivery that cannot be read, and sends those after it', async () => {
      const { id } = await add();
      await deliveries.write([aStart('one', 3_000)]);
      await deliveries.write([aStart('one', 4_000)]);
      const [last, first] = await logged(id);
      await db.updateTable('webhook_delivery').set({ created_on: 9e15 }).where('id', '=', first!.id).execute();
      assert.deepEqual(await claim(), []);
      assert.deepEqual(
        (await claim({ claim: 'B' })).map((one) => one.id),
        [last!.id],
      );
    });

    it('removes a webhook of which nothing can be read', async () => {
      const { id } = await add();
      const damage = { url: 'damaged', events: '{', disabled_reason: 'damaged' as 'owner', created_on: 9e15 };
      await db.updateTable('webhook').set(damage).where('id', '=', id).execute();
      const removed = await webhooks.remove('acme', id, 3_000);
      assert.deepEqual([removed?.id, removed?.fault], [id, 'row']);
      assert.equal((await actions())[0]?.action, 'webhook_deleted');
    });

    it('writes an event for each active webhook of its account that wants it', async () => {
      const wants = await add({ events: ['stream.started'] });
      const others = [
        await add({ events: ['stream.ended'] }),
        await add({ disabled: { reason: 'owner', on: 1 } }),
        await add({ accountId: 'other' }),
      ];
      const start = aStart();
      await deliveries.write([start]);
      const [delivery, ...rest] = await logged(wants.id);
      assert.deepEqual(rest, []);
      assert.deepEqual(delivery, {
        id: delivery!.id,
        webhookId: wants.id,
        eventId: start.eventId,
        type: 'stream.started',
        payload: delivery!.payload,
        state: 'waiting',
        attempts: 0,
        createdOn: 1_000,
        dueOn: 1_000,
        last: null,
      });
      assert.deepEqual(webhookEvent.parse(JSON.parse(delivery!.payload)), {
        type: 'stream.started',
        version: 1,
        timestamp: '1970-01-01T00:00:01.000Z',
        accountId: 'acme',
        data: { streamName: 'keynote', streamId: 'acme/keynote', startedOn: '1970-01-01T00:00:01.000Z' },
      });
      for (const { id } of others) assert.deepEqual(await logged(id), []);
    });

    it('gives the only account what names no account', async () => {
      const { id } = await add();
      const [from, to] = ['1970-01-01T00:00:00.000Z', '1970-01-01T00:01:00.000Z'];
      const refused = () =>
        sessionsRefused({ accountId: '', time: 1 }, { from, to, refusals: 1, groups: [], notListed: 1 });
      await deliveries.write([refused()]);
      assert.equal((await logged(id)).length, 0);
      await db.deleteFrom('account').where('id', '=', 'other').execute();
      await deliveries.write([refused()]);
      assert.equal((await logged(id)).length, 1);
    });

    it('claims of each stream the first event that waits', async () => {
      await add();
      await deliveries.write([aStart('a'), anEnd('a'), aStart('b')]);
      const [ofA, ofB] = await claim();
      assert.deepEqual([ofA?.type, ofB?.type], ['stream.started', 'stream.started']);
      assert.deepEqual(await claimedTypes(), []);
      await conclude(ofA!, { state: 'waiting', dueOn: 60_000 }, FAILED);
      assert.deepEqual(await claimedTypes(), [], 'a failed call keeps the place of its event');
      const [again] = await claim({ now: 60_000, until: 90_000 });
      assert.deepEqual([again?.type, again?.attempts], ['stream.started', 2]);
      await conclude(again!, { state: 'failed' }, FAILED);
      assert.deepEqual(await claimedTypes({ now: 60_000, until: 90_000 }), ['stream.ended']);
    });

    it('has a claimed delivery again when its server is lost, and ignores what that server says then', async () => {
      const { id } = await add();
      await deliveries.write([aStart()]);
      const [lost] = await claim();
      assert.deepEqual(await claim({ claim: 'B', now: 69_999 }), []);
      const [taken] = await claim({ claim: 'B', now: 70_000, until: 130_000 });
      assert.equal(taken?.id, lost?.id);
      assert.equal(await conclude(lost!, { state: 'delivered' }, OK, 'A'), false);
      assert.equal((await logged(id))[0]?.state, 'waiting');
      assert.equal(await conclude(taken!, { state: 'delivered' }, OK, 'B'), true);
      assert.deepEqual(
        (await logged(id)).map(({ state, last }) => [state, last]),
        [['delivered', OK]],
      );
    });

    it('never gives two claims the same delivery', async () => {
      await add();
      await deliveries.write(Array.from({ length: 20 }, (_, index) => aStart(`s${index}`)));
      const claims = await Promise.all(
        Array.from({ length: 8 }, (_, index) => claim({ claim: `C${index}`, most: 5, mostOfOne: 5 })),
      );
      const ids = claims.flat().map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length);
      assert.ok(ids.length >= 5);
    });

    it('claims a share of each webhook, and nothing of those that are busy', async () => {
      const [one, two] = [await add(), await add()];
      await deliveries.write([aStart('a'), aStart('b'), aStart('c')]);
      const shares = await claim({ mostOfOne: 1 });
      assert.deepEqual(shares.map(({ webhookId }) => webhookId).toSorted(), [one.id, two.id]);
      const rest = await claim({ busy: [one.id] });
      assert.deepEqual(
        rest.map(({ webhookId }) => webhookId),
        [two.id, two.id],
      );
    });

    it('claims a share of each account, and those of all accounts in turn', async () => {
      await add();
      await add();
      await add({ accountId: 'other' });
      const starts = (accountId: string) => ['a', 'b', 'c'].map((name) => aStart(name, 1_000, accountId));
      await deliveries.write([...starts('acme'), ...starts('other')]);
      const accounts = async (fields: Partial<ClaimRequest>) => (await claim(fields)).map((one) => one.accountId);
      assert.deepEqual(await accounts({ most: 2 }), ['acme', 'other'], 'in turn');
      assert.deepEqual(await accounts({ mostOfAccount: 1 }), ['acme', 'other']);
      const moreOf = new Map([['acme', 0]]);
      assert.deepEqual(await accounts({ moreOf }), ['other'], 'an account with enough calls under way');
      assert.deepEqual(await accounts({ moreOf: new Map([['acme', 2]]), mostOfAccount: 0 }), ['acme', 'acme']);
    });

    it('gives a claim the address and the keys of now', async () => {
      const { id } = await add();
      await deliveries.write([aStart()]);
      const keys = { current: 'bmV3', old: { key: 'b2xk', expiresOn: 9_000 } };
      const change = (before: object) => ({ ...before, url: 'https://new.example/', keys }) as never;
      await webhooks.change({ accountId: 'acme', id }, change, { action: 'webhook_changed', now: 2_000 });
      const [claimed] = await claim();
      assert.deepEqual([claimed?.accountId, claimed?.url, claimed?.keys], ['acme', 'https://new.example/', keys]);
    });

    it('sends what waits at once when the address changes', async () => {
      const { id } = await add();
      await deliveries.write([aStart()]);
      const [first] = await claim();
      await conclude(first!, { state: 'waiting', dueOn: 900_000 }, FAILED);
      const audited = { action: 'webhook_changed', now: 11_000 } as const;
      await webhooks.change({ accountId: 'acme', id }, (one) => ({ ...one, url: 'https://new.example/' }), audited);
      assert.deepEqual(await claimedTypes({ now: 11_000 }), ['stream.started']);
    });

    it('drops what waits when the webhook is disabled, and writes nothing more', async () => {
      const { id } = await add();
      await deliveries.write([aStart()]);
      const disabled = { reason: 'owner', on: 2_000 } as const;
      const audited = { action: 'webhook_changed', now: 2_000 } as const;
      await webhooks.change({ accountId: 'acme', id }, (one) => ({ ...one, disabled }), audited);
      await deliveries.write([anEnd()]);
      assert.deepEqual(
        (await logged(id)).map(({ state }) => state),
        ['dropped'],
      );
      assert.deepEqual(await claim(), []);
    });

    it('disables a webhook whose receiver is gone, once', async () => {
      const { id } = await add();
      await deliveries.write([aStart('a'), aStart('b'), anEnd('b')]);
      const [one, two] = await claim();
      await conclude(one!, { state: 'gone' }, { ...FAILED, status: 410 });
      await conclude(two!, { state: 'gone' }, { ...FAILED, status: 410 });
      assert.deepEqual((await webhooks.find('acme', id))?.disabled, { reason: 'gone', on: 5_000 });
      assert.deepEqual(
        (await logged(id)).map(({ state }) => state),
        ['dropped', 'dropped', 'failed'],
      );
      const disabled = (await actions()).filter(({ action }) => action === 'webhook_disabled');
      assert.deepEqual(disabled, [
        { action: 'webhook_disabled', before: { disabled: null }, after: { disabled: 'gone' } },
      ]);
    });

    it('replays a delivery with its id, ahead of what waits', async () => {
      const { id } = await add();
      await deliveries.write([aStart()]);
      const [first] = await claim();
      await conclude(first!, { state: 'delivered' });
      await deliveries.write([anEnd()]);
      const replayed = await deliveries.replay({ accountId: 'acme', id }, first!.id, 6_000);
      assert.ok(replayed && replayed !== 'full');
      assert.deepEqual(
        [replayed.eventId, replayed.payload, replayed.state],
        [first!.eventId, first!.payload, 'waiting'],
      );
      assert.equal((await claim()).length, 2);
      assert.equal(await deliveries.replay({ accountId: 'acme', id: id + 1 }, first!.id, 6_000), undefined);
    });

    it('writes a test for one webhook, whatever it wants', async () => {
      const { id } = await add({ events: [] });
      await add();
      const subject = { accountId: 'acme', time: 4_000 };
      const written = await deliveries.writeFor(id, webhookTest(subject, id));
      assert.ok(written !== 'full');
      assert.deepEqual([written.type, written.createdOn], ['webhook.test', 4_000]);
      assert.deepEqual(await claimedTypes(), ['webhook.test']);
    });

    it('writes no test or replay while too many of the account wait', async () => {
      const [one, two] = [await add(), await add()];
      const theirs = await add({ accountId: 'other' });
      await deliveries.write([aStart()]);
      const [event] = await claim({ most: 1 });
      const ask = (accountId: string, id: number) =>
        deliveries.writeFor(id, webhookTest({ accountId, time: 4_000 }, id));
      for (let count = 2; count < MOST_ASKED_FOR; count += 1) await ask('acme', one.id);
      const last = await Promise.all([ask('acme', one.id), ask('acme', two.id), ask('acme', two.id)]);
      assert.equal(last.filter((written) => written === 'full').length, 1);
      const ref = { accountId: 'acme', id: event!.webhookId };
      assert.equal(await deliveries.replay(ref, event!.id, 5_000), 'full');
      assert.notEqual(await ask('other', theirs.id), 'full');
      const sent = (await claim({ most: 500, mostOfOne: 500, mostOfAccount: 500 })).find(
        ({ type }) => type === TEST_EVENT,
      );
      await conclude(sent!, { state: 'failed' }, FAILED);
      assert.notEqual(await ask('acme', two.id), 'full');
    });

    it('lists the newest first, by state and page', async () => {
      const { id } = await add();
      await deliveries.write([aStart('a'), aStart('b'), aStart('c')]);
      const [first] = await claim({ most: 1 });
      await conclude(first!, { state: 'delivered' });
      const page = await deliveries.listDeliveries(id, { page: 2, itemsOnPage: 1, state: 'waiting' });
      assert.equal(page.total, 2);
      assert.equal(page.deliveries.length, 1);
      assert.ok(page.deliveries[0]!.payload.includes('"b"'));
    });

    it('prunes what is old, but never what waits', async () => {
      const { id } = await add();
      await deliveries.write([aStart('a', 1), aStart('b', 1), aStart('c', 9_000)]);
      const claimed = await claim();
      for (const delivery of claimed) {
        if (!delivery.payload.includes('"b"')) await conclude(delivery, { state: 'delivered' });
      }
      assert.equal(await deliveries.prune(5_000), 1);
      assert.deepEqual(
        (await logged(id)).map(({ state }) => state),
        ['delivered', 'waiting'],
      );
    });

    describe('of an event that was written while its webhook was being disabled', () => {
      const off = { reason: 'owner', on: 2_000 } as const;
      const turn = async (id: number, disabled: typeof off | null) =>
        await webhooks.change({ accountId: 'acme', id }, (one) => ({ ...one, disabled }), {
          action: 'webhook_changed',
          now: 2_000,
        });
      const leftWaiting = async (): Promise<number> => {
        const { id } = await add();
        await deliveries.write([aStart()]);
        await turn(id, off);
        await db.updateTable('webhook_delivery').set({ state: 'waiting' }).execute();
        return id;
      };
      const states = async (id: number) => (await logged(id)).map(({ state }) => state);

      it('drops it when it prunes', async () => {
        const id = await leftWaiting();
        await deliveries.prune(0);
        assert.deepEqual(await states(id), ['dropped']);
        assert.equal((await deliveries.backlog()).waiting, 0);
      });

      it('drops it when the webhook is enabled', async () => {
        const id = await leftWaiting();
        await turn(id, null);
        assert.deepEqual(await states(id), ['dropped']);
      });
    });

    it('writes once that a recording is ready, in the step that makes it ready', async () => {
      const { id } = await add({ events: ['recording.ready'] });
      const recording = aRecording({ accountId: 'acme', state: 'finishing', streamName: 'keynote' });
      await recordings.add(recording);
      await recordings.save(recording);
      assert.deepEqual(await logged(id), []);
      const ready = { ...recording, state: 'ready', bytes: 77 } as const;
      assert.equal(await recordings.save(ready, 8_000), true);
      assert.equal(await recordings.save({ ...ready, location: 's3' }, 9_000), true);
      const [delivery, ...more] = await logged(id);
      assert.deepEqual(more, []);
      const event = webhookEvent.parse(JSON.parse(delivery!.payload));
      assert.equal(event.type, 'recording.ready');
      assert.deepEqual(
        [event.timestamp, event.data['recordingId'], event.data['bytes']],
        ['1970-01-01T00:00:08.000Z', recording.id, 77],
      );
      assert.equal((await recordings.find('acme', recording.id))?.location, 's3');
    });

    it('writes the first use of a token once, also when two servers see it', async () => {
      const { id } = await add({ events: ['token.first_used'] });
      const token = await tokens.create(aTokenRecord({ accountId: 'acme', label: 'Anna' }));
      const use = { tokenId: token.id, streamName: 'keynote', time: 4_000 };
      await Promise.all([tokenEvents.noteUses([use]), tokenEvents.noteUses([{ ...use, time: 4_001 }])]);
      await tokenEvents.noteUses([use, { ...use, tokenId: 999_999 }]);
      const events = (await logged(id)).map(({ payload }) => webhookEvent.parse(JSON.parse(payload)));
      assert.deepEqual(
        events.map(({ type, data }) => [type, data['tokenId'], data['label'], data['streamId']]),
        [['token.first_used', token.id, 'Anna', 'acme/keynote']],
      );
    });

    it('announces each expiry of a long-lived, active token once', async () => {
      const { id } = await add({ events: ['token.expiring'] });
      const now = 100 * DAY;
      let count = 0;
      const made = async (fields: Parameters<typeof aTokenRecord>[0]) => {
        const token = String((count += 1)).padStart(64, '0');
        const record = aTokenRecord({ accountId: 'acme', addedOn: 0, expiresOn: now + DAY, token, ...fields });
        return await tokens.create(record);
      };
      const token = await made({ label: 'soon' });
      await made({ expiresOn: now + DAY + 1 });
      await made({ expiresOn: now });
      await made({ isActive: false });
      await made({ addedOn: now });
      await made({ accountId: 'other' });
      const window = { now, by: now + DAY, shortestLife: 2 * DAY, most: 10 };
      const counts = await Promise.all([tokenEvents.announceExpiries(window), tokenEvents.announceExpiries(window)]);
      assert.ok(counts.includes(1));
      assert.equal(await tokenEvents.announceExpiries(window), 0);
      await tokens.update({ accountId: 'acme', kind: token.kind }, token.id, (one) => ({ ...one, expiresOn: now + 5 }));
      assert.equal(await tokenEvents.announceExpiries(window), 1);
      assert.deepEqual(
        (await logged(id)).map(({ payload }) => JSON.parse(payload).data.expiresOn),
        [now + 5, now + DAY].map((time) => new Date(time).toISOString()),
      );
    });
  });
}
