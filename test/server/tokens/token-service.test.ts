import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ApiError } from '../../../server/errors.js';
import { openDatabase } from '../../../server/store/database.js';
import type { Database } from '../../../server/store/schema.js';
import { openKeys } from '../../../server/store/keys/key-file.js';
import { SqlAccountStore } from '../../../server/store/tables/sql-account-store.js';
import { SqlTokenStore } from '../../../server/store/tables/sql-token-store.js';
import { createSubscribeToken } from '../../../src/wire/management/token.js';
import type { BulkAction } from '../../../src/wire/management/token-bulk.js';
import { TokenDirectory } from '../../../server/tokens/token-directory.js';
import { TokenService, type TokenChange, type TokenFields } from '../../../server/tokens/token-service.js';
import { ValueSeal } from '../../../server/store/keys/value-seal.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { putMigratedDatabase } from '../../support/database-template.js';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const scope = { accountId: 'acme', kind: 'publish' } as const;
const fields: TokenFields = { label: 'stage', streams: [{ streamName: 'main', isRegex: false }] };
const named = (...names: string[]) => names.map((streamName) => ({ streamName, isRegex: false }));

describe('TokenService', () => {
  let now: number;
  let db: Database;
  let store: SqlTokenStore;
  let directory: TokenDirectory;
  let service: TokenService;
  let changed: number[];

  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  beforeEach(async () => {
    const folder = await dataFolder(cleanup);
    await putMigratedDatabase(folder);
    db = await openDatabase(folder);
    cleanup.after(() => db.destroy());
    await new SqlAccountStore(db).create('acme');
    now = NOW;
    store = new SqlTokenStore(db, new ValueSeal(openKeys(folder).sealKey));
    directory = new TokenDirectory();
    service = new TokenService({ store, directory, now: () => now });
    changed = [];
    service.on('changed', (id) => changed.push(id));
  });

  const updated = async (change: TokenChange, from: TokenFields = fields) => {
    const { id } = await service.create(scope, from);
    return await service.update(scope, id, change);
  };

  it('creates a token with a value of 64 hex digits that works at once', async () => {
    const token = await service.create(scope, fields);
    assert.match(token.token, /^[0-9a-f]{64}$/);
    assert.equal(directory.findByValue(token.token)?.id, token.id);
    assert.deepEqual([token.addedOn, token.expiresOn, token.isActive], [NOW, null, true]);
    assert.deepEqual(changed, [token.id]);
  });

  it('deletes all expired tokens in batches, and emits a change for each', async () => {
    const made: number[] = [];
    for (let index = 0; index < 401; index += 1) made.push((await service.create(scope, { ...fields, expires: 1 })).id);
    const lasting = await service.create(scope, fields);
    changed.length = 0;
    assert.equal(await service.deleteExpired(NOW + 999), 0);
    assert.equal(await service.deleteExpired(NOW + 1_000), 401);
    assert.deepEqual([[...directory.ids()], changed.toSorted((a, b) => a - b)], [[lasting.id], made]);
  });

  it('stops deleting after a batch when it is aborted', async () => {
    for (let index = 0; index < 201; index += 1) await service.create(scope, { ...fields, expires: 1 });
    assert.equal(await service.deleteExpired(NOW + 1_000, AbortSignal.abort()), 200);
  });

  it('sets the expiry in seconds from now at each update that names it', async () => {
    const token = await service.create(scope, { ...fields, expires: 60 });
    assert.equal(token.expiresOn, NOW + 60_000);
    now += 1_000;
    assert.equal((await service.update(scope, token.id, { label: 'x' })).expiresOn, NOW + 60_000);
    assert.equal((await service.update(scope, token.id, { expires: 5 })).expiresOn, now + 5_000);
  });

  it('removes repeated stream rules', async () => {
    const token = await service.create(scope, {
      ...fields,
      streams: [...named('a', 'b', 'a'), { streamName: 'a', isRegex: true }],
    });
    assert.deepEqual(token.streams, [...named('a', 'b'), { streamName: 'a', isRegex: true }]);
  });

  it('changes only the fields that an update names', async () => {
    const before = await service.create(scope, { ...fields, subscribeRequiresAuth: true });
    const after = await service.update(scope, before.id, { isActive: false });
    assert.deepEqual(after, { ...before, isActive: false, revision: 2 });
    assert.equal(directory.findByValue(before.token)?.isActive, false);
    assert.deepEqual(changed, [before.id, before.id]);
  });

  it('replaces, adds and removes streams', async () => {
    assert.deepEqual((await updated({ streams: named('x') })).streams, named('x'));
    assert.deepEqual((await updated({ addTokenStreams: named('main', 'x') })).streams, named('main', 'x'));
    assert.deepEqual((await updated({ removeTokenStreams: ['main', 'nobody'] })).streams, []);
    const pattern = [{ streamName: 'main', isRegex: true }];
    assert.deepEqual((await updated({ removeTokenStreams: ['main'], addTokenStreams: pattern })).streams, pattern);
  });

  it('forgets the old value of a refreshed token', async () => {
    const before = await service.create(scope, fields);
    const after = await service.update(scope, before.id, { refreshToken: true });
    assert.notEqual(after.token, before.token);
    assert.equal(directory.findByValue(before.token), undefined);
    assert.equal(directory.findByValue(after.token)?.id, before.id);
  });

  it('keeps the value if refreshToken is false', async () => {
    const before = await service.create(scope, fields);
    assert.equal((await service.update(scope, before.id, { refreshToken: false })).token, before.token);
  });

  it('refuses an invalid pattern, and changes nothing', async () => {
    const bad = [{ streamName: '(', isRegex: true }];
    const isInvalid = { code: 'invalid_pattern' };
    await assert.rejects(service.create(scope, { ...fields, streams: bad }), isInvalid);
    await assert.rejects(updated({ streams: bad }), isInvalid);
    await assert.rejects(updated({ label: 'x', addTokenStreams: bad }), isInvalid);
    assert.equal((await service.get(scope, 1)).label, 'stage');
  });

  it('refuses more than a thousand streams', async () => {
    const many = named(...Array.from({ length: 1_000 }, (_, index) => `s${index}`));
    await assert.rejects(updated({ addTokenStreams: many }), { code: 'invalid_request', status: 400 });
    assert.equal((await updated({ addTokenStreams: many.slice(1) })).streams.length, 1_000);
  });

  it('stores lists in canonical form', async () => {
    const lists = { allowedOrigins: ['EXAMPLE.com', 'example.com'], allowedIpAddresses: ['::ffff:192.0.2.1'] };
    const token = await service.create(scope, { ...fields, ...lists });
    assert.deepEqual([token.allowedOrigins, token.allowedIpAddresses], [['example.com'], ['192.0.2.1']]);
    const cleared = await service.update(scope, token.id, { allowedOrigins: [] });
    assert.deepEqual([cleared.allowedOrigins, cleared.allowedIpAddresses], [[], ['192.0.2.1']]);
    assert.equal(directory.findByValue(token.token)?.permitsAddress('192.0.2.2'), false);
  });

  it('keeps the denied addresses in canonical form until a change names them', async () => {
    const token = await service.create(scope, { ...fields, deniedIpAddresses: ['::ffff:192.0.2.1', '192.0.2.1'] });
    assert.deepEqual(token.deniedIpAddresses, ['192.0.2.1']);
    const renamed = await service.update(scope, token.id, { label: 'hall' });
    assert.deepEqual(renamed.deniedIpAddresses, ['192.0.2.1']);
    assert.equal(directory.findByValue(token.token)?.deniesAddress('192.0.2.1'), true);
    assert.deepEqual((await service.update(scope, token.id, { deniedIpAddresses: [] })).deniedIpAddresses, []);
    assert.equal(directory.findByValue(token.token)?.deniesAddress('192.0.2.1'), false);
  });

  it('removes the expiry', async () => {
    assert.equal((await updated({ expires: null }, { ...fields, expires: 60 })).expiresOn, null);
  });

  describe('binding addresses', () => {
    const binding = { ...fields, bindIpsOnUsage: 2 };
    const bound = async (...given: string[]) => {
      const { id } = await service.create(scope, binding);
      for (const address of given) await service.bindAddress(id, address);
      return id;
    };
    const addresses = async (id: number) => (await service.get(scope, id)).boundIps.map(({ address }) => address);

    it('updates the directory without a change event', async () => {
      const id = await bound('192.0.2.1');
      assert.deepEqual(directory.findById(id)?.boundIps, [{ address: '192.0.2.1', boundOn: NOW }]);
      assert.deepEqual(changed, [id]);
    });

    it('binds an IPv6 /64 as one address', async () => {
      const id = await bound('2001:db8::1', '2001:db8::2');
      assert.deepEqual(await addresses(id), ['2001:db8::/64']);
    });

    it('is refused together with allowedIpAddresses', async () => {
      const isBoth = { code: 'binding_with_list', status: 400 };
      const listed = { ...fields, allowedIpAddresses: ['192.0.2.1'] };
      await assert.rejects(service.create(scope, { ...listed, bindIpsOnUsage: 1 }), isBoth);
      await assert.rejects(updated({ bindIpsOnUsage: 1 }, listed), isBoth);
      await assert.rejects(updated({ allowedIpAddresses: ['192.0.2.1'] }, binding), isBoth);
      const switched = await updated({ allowedIpAddresses: ['192.0.2.1'], bindIpsOnUsage: 0 }, binding);
      assert.deepEqual([switched.bindIpsOnUsage, switched.allowedIpAddresses], [0, ['192.0.2.1']]);
      assert.equal((await updated({ bindIpsOnUsage: 1, allowedIpAddresses: [] }, listed)).bindIpsOnUsage, 1);
    });

    for (const [what, change, kept] of [
      [
        'keeps the bindings through other changes',
        { label: 'x', isActive: false, bindIpsOnUsage: 3 },
        ['192.0.2.1', '192.0.2.2'],
      ],
      ['keeps the oldest bindings if the maximum falls', { bindIpsOnUsage: 1 }, ['192.0.2.1']],
      ['removes the bindings if binding is disabled', { bindIpsOnUsage: 0 }, []],
      ['removes the bindings if binding is disabled with null', { bindIpsOnUsage: null }, []],
      ['removes the bindings if allowedIpAddresses is emptied', { allowedIpAddresses: [] }, []],
      ['removes the bindings at a refresh', { refreshToken: true }, []],
    ] as const satisfies readonly (readonly [string, object, readonly string[]])[]) {
      it(what, async () => {
        const id = await bound('192.0.2.1', '192.0.2.2');
        await service.update(scope, id, change as TokenChange);
        assert.deepEqual(await addresses(id), kept);
      });
    }
  });

  it('removes a deleted token from the directory', async () => {
    const { id, token } = await service.create(scope, fields);
    await service.delete(scope, id);
    assert.equal(directory.findByValue(token), undefined);
    assert.deepEqual(changed, [id, id]);
    await assert.rejects(service.get(scope, id), { code: 'token_not_found', status: 404 });
    await assert.rejects(service.delete(scope, id), { code: 'token_not_found' });
  });

  it('finds no token of another kind or account', async () => {
    const { id } = await service.create(scope, fields);
    for (const stranger of [
      { accountId: 'acme', kind: 'subscribe' },
      { accountId: 'other', kind: 'publish' },
    ] as const) {
      const isUnknown = (error: unknown) => error instanceof ApiError && error.code === 'token_not_found';
      await assert.rejects(service.get(stranger, id), isUnknown);
      await assert.rejects(service.update(stranger, id, { label: 'x' }), isUnknown);
      await assert.rejects(service.delete(stranger, id), isUnknown);
      assert.equal(
        (await service.list(stranger, { page: 1, itemsOnPage: 10, sortBy: 'Name', isDescending: false })).total,
        0,
      );
    }
    assert.deepEqual(changed, [id]);
  });

  it('loads every stored token', async () => {
    const token = await service.create(scope, fields);
    const fresh = new TokenDirectory();
    await new TokenService({ store, directory: fresh }).load();
    assert.deepEqual(fresh.findByValue(token.token)?.streams, token.streams);
    assert.equal(fresh.size, 1);
  });

  it('imports no table whose patterns are too complex together, though those of each token are not', async () => {
    const row = 'a,"[{""streamName"":""x{1000}"",""isRegex"":true}]"\n';
    const table = (rows: number): string => `label,streams\n${row.repeat(rows)}`;
    const options = { parse: (body: unknown) => createSubscribeToken.parse(body), dryRun: true };
    assert.equal((await service.import(scope, table(20), options)).count, 20);
    await assert.rejects(service.import(scope, table(100), options), /too complex together/);
  });

  /** @returns how many turns the event loop has had since */
  const countTurns = () => {
    let turns = 0;
    const count = (): NodeJS.Immediate => setImmediate(() => ((turns += 1), (next = count())));
    let next = count();
    cleanup.after(() => clearImmediate(next));
    return () => turns;
  };

  it('gives others their turn while it imports a long table', async () => {
    const turns = countTurns();
    const table = `label,streams\n${Array.from({ length: 1_000 }, (_, index) => `a,room-${index}\n`).join('')}`;
    await service.import(scope, table, { parse: (body) => createSubscribeToken.parse(body), dryRun: false });
    // With SQLite a token takes a third of a millisecond.
    assert.ok(turns() >= 50, `${turns()} turns for 1,000 tokens`);
  });

  it('gives others their turn while an account saves many tokens with costly patterns', async () => {
    const costly = (token: number) => ({
      ...fields,
      streams: Array.from({ length: 30 }, (_, index) => ({ streamName: `\\pL${token}-${index}`, isRegex: true })),
    });
    const turns = countTurns();
    await Promise.all(Array.from({ length: 20 }, (_, token) => service.create(scope, costly(token))));
    assert.ok(turns() >= 10, `${turns()} turns`);
  });

  it('changes all tokens of a call but the one that cannot be read, which it can only delete', async () => {
    const [damaged, other] = [await service.create(scope, fields), await service.create(scope, fields)];
    await db.updateTable('token').set({ bind_ips_on_usage: -1 }).where('id', '=', damaged.id).execute();
    const ids = [damaged.id, other.id];
    const outcomes = async (action: BulkAction) =>
      (await service.changeSeveral(scope, action, ids)).map(({ code = 'done' }) => code);
    assert.deepEqual(await outcomes('disable'), ['stored_row_unreadable', 'done']);
    const { successfulTokens, failedTokens } = await service.disable(scope, ids);
    assert.deepEqual([successfulTokens, failedTokens.map(({ tokenId }) => tokenId)], [[other.id], [damaged.id]]);
    assert.deepEqual(await outcomes('delete'), ['done', 'done']);
  });

  it('loses no change of concurrent updates', async () => {
    const { id } = await service.create(scope, { ...fields, streams: [] });
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => service.update(scope, id, { addTokenStreams: named(`s${index}`) })),
    );
    assert.equal((await service.get(scope, id)).streams.length, 20);
    assert.equal(directory.findById(id)?.streams.length, 20);
  });
});
