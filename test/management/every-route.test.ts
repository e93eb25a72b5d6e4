import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { endpoints } from '../../server/http/endpoints/endpoints.js';
import { ManagementClient } from '../../src/management.js';
import { openDatabase } from '../../server/store/database.js';
import { SqlRecordingStore } from '../../server/store/tables/sql-recording-store.js';
import { Cleanup } from '../support/cleanup.js';
import { aRecording } from '../support/recording.js';
import { sdpOffer } from '../support/media/offer.js';
import { codeAt } from '../support/authenticator-app.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';
import { askDirector, openSocket, streamServer, type TestServer } from '../support/stream-server.js';

/** The path with names for its variable parts. */
const templateOf = (path: string): string =>
  path
    .replace(/^(\/api\/streams\/)[^/]+(\/sessions)(\/\w+)?(\/stop)?$/, (_path, start, sessions, id, stop = '') =>
      [start, '{streamName}', sessions, id && '/{id}', stop].join(''),
    )
    .replace(/^(\/api\/streams\/)[^/]+(\/still)$/, '$1{streamName}$2')
    .replace(/^(\/api\/stats\/streams\/)[^/]+$/, '$1{streamName}')
    .replace(/^(\/api\/schedule\/)[\w-]{22}$/, '$1{id}')
    .replace(/^(\/api\/webhooks\/)\d+(\/deliveries)\/\d+(\/replay)$/, '$1{id}$2/{deliveryId}$3')
    .replace(/^(\/api\/webhooks\/)\d+(\/\w+)$/, '$1{id}$2')
    .replace(/^(\/api\/recordings\/)[\w-]{22}(\/link|\/finish|\/clips)?$/, '$1{recordingId}$2')
    .replace(/^(\/api\/streams\/)[^/]+(\/(?:record|clips))$/, '$1{streamName}$2')
    .replace(/(?<=\/)(?:\d+$|(?:key|ses|mem|pky)_\w+)/, '{id}');

describe('ManagementClient with a real server', () => {
  const cleanup = new Cleanup();
  let server: TestServer;
  let client: ManagementClient;
  let called: Set<string>;

  const recordingFetch: typeof fetch = (input, init) => {
    called.add(`${init?.method} ${templateOf(new URL(String(input)).pathname)}`);
    return fetch(input, init);
  };

  beforeEach(async () => {
    server = await streamServer(cleanup);
    called = new Set();
    const secret = await server.server.secrets.create('main');
    client = new ManagementClient({ endpoint: server.origin, secret, fetch: recordingFetch });
  });
  afterEach(() => cleanup.run());

  /** A client that sends the cookie of a dashboard login. */
  const dashboardClient = async () => {
    const { dashboard } = server.server;
    const session = (await dashboard.login(await dashboard.createCode('main')))!.session;
    const withCookie: typeof fetch = (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set('cookie', `streamgate_session=${session}`);
      return recordingFetch(input, { ...init, headers });
    };
    return new ManagementClient({ endpoint: server.origin, fetch: withCookie });
  };

  it('calls every route of the management API', async () => {
    const fields = { label: 'a', streams: [{ streamName: 'main' }] };
    for (const calls of [client.publishTokens, client.subscribeTokens]) {
      const idempotent = { idempotencyKey: 'k' };
      const made = await calls.create(fields, idempotent);
      assert.equal((await calls.create(fields, idempotent)).Id, made.Id);
      assert.equal((await calls.listByName('main', { filterBy: 'StreamName' })).total, 1);
      assert.equal((await calls.listByName('main', { filterBy: 'TokenName' })).total, 0);
      assert.equal((await calls.list()).total, 1);
      assert.equal((await calls.list({ search: 'MAI', state: 'active', sortBy: 'ExpiresOn' })).total, 1);
      assert.equal((await calls.list({ search: 'MAI', state: 'expired' })).total, 0);
      await calls.update(made.Id, { allowedOrigins: ['a.example'] });
      assert.deepEqual((await calls.get(made.Id)).allowedOrigins, ['a.example']);
      assert.equal(await calls.openSessions([made.Id]), 0);
      assert.deepEqual(await calls.changeSeveral('disable', [made.Id]), [{ tokenId: made.Id, done: true }]);
      await calls.delete(made.Id);
    }

    const publisher = await client.publishTokens.create(fields);
    const broadcaster = await openSocket(await askDirector(server, 'publish', publisher.token));
    cleanup.after(() => broadcaster.socket.terminate());
    await broadcaster.command('publish', { sdp: sdpOffer({ direction: 'sendonly' }) });
    assert.deepEqual(await client.publishTokens.active('main/main'), [publisher.Id]);
    assert.deepEqual(await client.publishTokens.activeAll(), [publisher.Id]);
    server.engine.sendFrame('main/main');
    assert.deepEqual(
      (await client.streams.live()).map(({ streamName, sources }) => [streamName, sources[0]?.tokenId]),
      [['main', publisher.Id]],
    );
    assert.equal((await client.streams.still('main')).type, 'image/webp');
    await assert.rejects(client.streams.still('main', { sourceId: 'none' }), { code: 'still_unavailable' });
    assert.equal(await client.streams.stop('main/main'), 'Stream');
    assert.equal((await broadcaster.event('stopped')).data.code, 'stopped_by_owner');
    assert.equal(await client.streams.stopAll(), 'None');

    const disabled = await client.publishTokens.disable([publisher.Id, 999]);
    assert.deepEqual(disabled.successfulTokens, [publisher.Id]);
    assert.equal(disabled.failedTokens[0]?.tokenId, 999);
    const request = { kind: 'publish', tokenId: publisher.Id, streamName: 'main' } as const;
    assert.equal((await client.oversight.explain(request)).reason, 'token_disabled');
    await askDirector(server, 'publish', publisher.token);
    const { groups } = await client.oversight.refusalGroups({ tokenId: publisher.Id });
    assert.deepEqual([groups.length, groups[0]?.reason], [1, 'token_disabled']);
    const { refusals, dropped } = await client.oversight.refusals({ tokenId: publisher.Id, reason: 'token_disabled' });
    assert.deepEqual([refusals.length, refusals[0]?.streamName, dropped], [1, 'main', 0]);
    const { entries, total } = await client.oversight.audit({ action: 'token_created', itemsOnPage: 1 });
    assert.deepEqual([entries[0]?.target.id, entries.length, total], [String(publisher.Id), 1, 3]);

    const recording = aRecording({ accountId: 'main' });
    const db = await openDatabase(server.dataDir);
    cleanup.after(() => db.destroy());
    await new SqlRecordingStore(db).add(recording);
    const { recordings } = client;
    assert.equal((await recordings.listRecordings({ streamName: 'main', state: 'ready' })).total, 1);
    assert.equal((await recordings.recording(recording.id)).bytes, recording.bytes);
    assert.equal((await recordings.updateRecording(recording.id, { expiresOn: null })).expiresOn, null);
    assert.match((await recordings.recordingLink(recording.id)).path, /^\/api\/recordings\//);
    assert.equal((await recordings.finishRecording(recording.id)).state, 'ready');
    await assert.rejects(recordings.cutRecording(recording.id, { startSeconds: 1.5, seconds: 30 }), {
      code: 'recording_file_missing',
    });
    await recordings.deleteRecording(recording.id);
    await assert.rejects(recordings.recordStream('main', true), { code: 'stream_not_live' });
    await assert.rejects(recordings.createClip('main', { seconds: 30 }), { code: 'not_recorded' });
    assert.equal((await recordings.updateRecordingSettings({ retentionDays: 7 })).retentionDays, 7);
    assert.equal((await recordings.recordingSettings()).usedBytes, 0);

    const key = await client.keys.create({ name: 'builds', scopes: ['read'] });
    assert.deepEqual(
      (await client.keys.list()).keys.map(({ id }) => id),
      [key.id],
    );
    assert.equal((await client.keys.update(key.id, { name: 'nightly' })).name, 'nightly');
    assert.notEqual((await client.keys.rotate(key.id)).value, key.value);
    assert.notEqual((await client.keys.revoke(key.id)).revokedOn, null);

    const { sessions, next } = await client.sessions.list('main', {
      tokenId: publisher.Id,
      reason: 'stopped_by_owner',
    });
    assert.deepEqual([sessions.map(({ role }) => role), next], [['publisher'], null]);
    assert.equal((await client.sessions.get('main', sessions[0]!.id)).events[0]?.name, 'opened');
    assert.equal(await client.sessions.stop('main', sessions[0]!.id), false);

    // Sums are made again after some seconds.
    server.clock.now += 10_000;
    const { streams } = await client.statistics.streams({ itemsOnPage: 10 });
    assert.deepEqual(
      streams.map(({ streamName, publisherSessions }) => [streamName, publisherSessions]),
      [['main', 1]],
    );
    assert.equal((await client.statistics.stream('main', { interval: 'day' })).total.publisherSessions, 1);
    assert.deepEqual(
      (await client.statistics.tokens()).tokens.map(({ tokenId }) => tokenId),
      [publisher.Id],
    );
    assert.equal((await client.statistics.token(publisher.Id)).addressCount, 1);
    assert.equal((await client.statistics.usage()).total.publisherSessions, 1);

    assert.equal((await client.publishTokens.import('label\na\n', { dryRun: true })).count, 1);
    assert.equal((await client.subscribeTokens.import('label\na\n')).tokens[0]?.label, 'a');
    assert.match(
      await client.subscribeTokens.importForLinks('label\na\n'),
      /^id,label,streamName,link,token\r\n\d+,a,,,[0-9a-f]{64}\r\n$/,
    );
    assert.equal((await client.theme.update({ name: 'ACME' })).name, 'ACME');
    await client.theme.reset();
    assert.equal((await client.theme.get()).name, null);
    const startsOn = new Date(server.clock.now + 3_600_000).toISOString();
    const show = await client.schedule.create({ streamName: 'main', title: 'Keynote', startsOn });
    assert.equal((await client.schedule.update(show.id, { title: 'Opening' })).title, 'Opening');
    assert.equal((await client.schedule.get(show.id)).startsOn, startsOn);
    assert.deepEqual(
      (await client.schedule.list({ past: false })).streams.map(({ id }) => id),
      [show.id],
    );
    assert.equal((await client.schedule.list({ past: true })).total, 0);
    await client.schedule.remove(show.id);
    assert.equal((await client.schedule.list()).total, 0);
    const webhook = await client.webhooks.create({ url: 'https://receiver.example/', events: ['stream.started'] });
    assert.deepEqual(await client.webhooks.list({ startingId: webhook.id, isDescending: true }), [webhook]);
    assert.deepEqual((await client.webhooks.update(webhook.id, { isFeedHooks: true })).events, [
      'stream.started',
      'stream.ended',
    ]);
    assert.notEqual((await client.webhooks.rotate(webhook.id)).signingKey, webhook.signingKey);
    const sent = await client.webhooks.test(webhook.id);
    assert.equal((await client.webhooks.replay(webhook.id, sent.id)).eventId, sent.eventId);
    assert.equal((await client.webhooks.deliveries(webhook.id)).total, 2);
    assert.equal((await client.webhooks.get(webhook.id)).isActive, true);
    await client.webhooks.remove(webhook.id);
    assert.equal((await client.limits.get()).sessions, 0);
    const [publishUrl, viewUrl] = ['https://mtx.example/{name}/whip', 'https://mtx.example/{name}/whep'];
    const statusUrl = 'https://api.mtx.example/{name}';
    const upstream = await client.upstreams.set({ software: 'mediamtx', publishUrl, viewUrl, statusUrl });
    assert.deepEqual(await client.upstreams.list(), [upstream]);
    await client.upstreams.remove(null);
    assert.equal((await client.secret.state()).exists, true);
    const person = await dashboardClient();
    await dashboardClient();
    const [one, two] = await person.logins.list();
    await person.logins.end((one?.current ? two : one)!.id);
    assert.equal(await person.logins.endOthers(), 0);
    const member = await person.members.invite({ name: 'Anna', role: 'figures' });
    assert.notEqual((await person.members.inviteAgain(member.id)).link, member.link);
    assert.equal((await person.members.update(member.id, { role: 'manager' })).role, 'manager');
    assert.deepEqual(
      (await person.members.list()).map(({ id }) => id),
      [member.id],
    );
    const self = await person.members.join('Carla');
    const authenticator = new SoftwareAuthenticator();
    const answering = { origin: server.origin };
    const created = authenticator.create(await person.passkeys.creationOptions(), answering);
    const passkey = await person.passkeys.add({ name: 'Phone', credential: created });
    assert.equal((await person.passkeys.rename(passkey.id, { name: 'Key' })).name, 'Key');
    const signed = authenticator.get(await client.passkeyOptions(), answering);
    assert.equal((await client.loginWithPasskey(signed)).memberName, self.name);
    assert.equal((await person.passkeys.list()).length, 1);
    await person.passkeys.remove(passkey.id);
    const { secret, setup } = await person.password.options();
    const login = { loginName: 'carla', password: 'correct horse battery' };
    await person.password.set({ ...login, setup, code: codeAt(secret, server.clock.now) });
    server.clock.now += 60_000;
    const code = codeAt(secret, server.clock.now);
    assert.equal((await client.loginWithPassword({ ...login, code })).memberName, self.name);
    assert.equal((await person.password.state()).loginName, 'carla');
    await person.password.remove();
    await person.members.remove(member.id);
    assert.equal((await person.secret.refresh()).id, (await person.secret.state()).id);
    await person.secret.delete();
    assert.equal((await person.secret.create()).secret.slice(0, 3), 'sg_');

    const open = ({ path, access }: (typeof endpoints)[number]) =>
      (access === 'account' && !path.startsWith('/api/v2/')) || path.startsWith('/api/dashboard/pass');
    assert.deepEqual(
      [...called].toSorted(),
      endpoints
        .filter(open)
        .map(({ method, path }) => `${method.toUpperCase()} ${path}`)
        .toSorted(),
    );
  });
});
