import { randomBytes } from 'node:crypto';
import { ApiKeyService } from '../../server/accounts/api-key-service.js';
import { ApiSecretService } from '../../server/accounts/api-secret-service.js';
import { DashboardLogin } from '../../server/accounts/dashboard-login.js';
import { newCodeSecret } from '../../server/accounts/passwords/one-time-code.js';
import { codeContext } from '../../server/accounts/passwords/password-store.js';
import { EMPTY_TIMELINE } from '../../server/oversight/session-timeline.js';
import { FIRST_PICTURE_LIMITS_MS } from '../../server/statistics/viewing-sums.js';
import { openRelayKey } from '../../server/store/keys/relay-key.js';
import { openServerKeys } from '../../server/store/keys/server-keys.js';
import { ValueSeal } from '../../server/store/keys/value-seal.js';
import type { Database } from '../../server/store/schema.js';
import { SqlAccountLimitStore } from '../../server/store/tables/sql-account-limit-store.js';
import { SqlAccountStore } from '../../server/store/tables/sql-account-store.js';
import { SqlApiKeyStore } from '../../server/store/tables/sql-api-key-store.js';
import { SqlApiSecretStore } from '../../server/store/tables/sql-api-secret-store.js';
import { SqlDashboardLoginStore } from '../../server/store/tables/sql-dashboard-login-store.js';
import { SqlDeliveryStore } from '../../server/store/tables/sql-delivery-store.js';
import { SqlMemberStore } from '../../server/store/tables/sql-member-store.js';
import { SqlRecordingStore } from '../../server/store/tables/sql-recording-store.js';
import { SqlRefusalStore } from '../../server/store/tables/sql-refusal-store.js';
import { SqlScheduleStore } from '../../server/store/tables/sql-schedule-store.js';
import { SqlSessionNotes } from '../../server/store/tables/sql-session-notes.js';
import { SqlSessionStore } from '../../server/store/tables/sql-session-store.js';
import { SqlStatisticsStore } from '../../server/store/tables/sql-statistics-store.js';
import { SqlThemeStore } from '../../server/store/tables/sql-theme-store.js';
import { SqlTokenStore } from '../../server/store/tables/sql-token-store.js';
import { SqlUpstreamStore } from '../../server/store/tables/sql-upstream-store.js';
import { SqlViewingStore } from '../../server/store/tables/sql-viewing-store.js';
import { SqlWebhookStore } from '../../server/store/tables/sql-webhook-store.js';
import { aRecording, recordingIdOf } from './recording.js';
import { aScheduledStream, scheduledIdOf } from './scheduled-stream.js';
import { aTokenRecord } from './token.js';
import { aStart, aWebhook } from './webhook.js';

const HOUR = 3_600_000;

/** What somebody has of an account. */
export interface FilledAccount {
  readonly id: string;
  readonly secret: string;
  readonly key: string;
  /** Of a dashboard login. */
  readonly session: string;
  readonly publishToken: string;
  readonly subscribeToken: string;
  readonly subscribeTokenId: number;
  readonly webhookId: number;
}

export interface FillOptions {
  readonly encryptionKey: Uint8Array;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Where the webhook of the account calls. */
  readonly receiver: string;
}

/** Adds an account with a row in every table that has rows of accounts. @param number unique */
export async function fillAccount(
  db: Database,
  number: number,
  id: string,
  { encryptionKey, now, receiver }: FillOptions,
): Promise<FilledAccount> {
  const { sealKey } = await openServerKeys(db, { dataDir: '/nowhere', encryptionKey });
  const seal = new ValueSeal(sealKey);
  const clock = () => now;
  await new SqlAccountStore(db, clock).create(id);
  const secret = await new ApiSecretService(new SqlApiSecretStore(db), clock).create(id);
  const { value: key } = await new ApiKeyService(new SqlApiKeyStore(db), clock).create(id, {
    name: 'key',
    scopes: ['everything'],
  });
  const tokens = new SqlTokenStore(db, seal, { now: clock });
  const tokenOf = async (kind: 'publish' | 'subscribe') => {
    const token = randomBytes(32).toString('hex');
    const addedOn = now - 100 * HOUR;
    const fields = { accountId: id, kind, token, label: kind, addedOn, bindIpsOnUsage: 5, expiresOn: now + 12 * HOUR };
    const created = await tokens.createOnce(aTokenRecord(fields), { key: kind, fingerprint: 'f', since: 0 });
    if (created.outcome === 'key_reused') throw new Error('the key was used');
    await tokens.bindAddress(created.token.id, '192.0.2.7', now);
    return { id: created.token.id, value: token };
  };
  const [publish, subscribe] = [await tokenOf('publish'), await tokenOf('subscribe')];

  const member = `mem_${String(number).padStart(12, '0')}`;
  const members = new SqlMemberStore(db);
  const invited = { id: member, accountId: id, name: 'Anna', role: 'owner', createdOn: now } as const;
  await members.add(invited, { hash: `code ${number}`, expiresOn: now + HOUR });
  const dashboard = new DashboardLogin(new SqlDashboardLoginStore(db), clock);
  const login = await dashboard.login(await dashboard.createCode(id));
  await db
    .insertInto('member_passkey')
    .values({
      id: `pky_${number}`,
      credential_id: `credential ${number}`,
      account_id: id,
      member_id: member,
      name: 'passkey',
      host: 'localhost',
      public_key: 'AAAA',
      counter: 1,
      transports: '["usb"]',
      synced: 0,
      created_on: now,
      last_used_on: now,
    })
    .execute();
  await db
    .insertInto('member_password')
    .values({
      member_id: member,
      account_id: id,
      login_name: `anna ${number}`,
      hash: 'scrypt$16384$8$1$c2FsdA$aGFzaA',
      code_secret_sealed: seal.seal(newCodeSecret(), codeContext(member)),
      last_step: 1,
      created_on: now,
      last_used_on: now,
    })
    .execute();

  const webhooks = new SqlWebhookStore(db, seal);
  const keys = { current: 'bmV3', old: { key: 'b2xk', expiresOn: now + HOUR } };
  const webhook = await webhooks.add(aWebhook({ accountId: id, url: receiver, keys }), now);
  if (webhook === 'full') throw new Error('there are too many webhooks');
  await new SqlDeliveryStore(db, seal).write([aStart('main', now - HOUR, id)]);
  await db.insertInto('token_first_use').values({ token_id: subscribe.id, used_on: now }).execute();
  await db
    .insertInto('token_expiry_notice')
    .values({ token_id: publish.id, expires_on: now + 12 * HOUR })
    .execute();

  await new SqlThemeStore(db).update(id, { name: id, accent: '#112233' }, now);
  await db
    .updateTable('account_theme')
    .set({ logo_type: 'image/png', logo_base64: 'AAAA' })
    .where('account_id', '=', id)
    .execute();
  const limits = { maxSessions: 1_000, maxCalls: 10_000, maxPublishBitrate: 9_000_000 };
  await new SqlAccountLimitStore(db).update(id, limits, now);
  const planned = { id: scheduledIdOf(number), accountId: id, startsOn: now + HOUR, endsOn: now + 2 * HOUR };
  await new SqlScheduleStore(db).add(
    aScheduledStream({ ...planned, description: 'd', createdOn: now, updatedOn: now }),
  );
  const urls = { publish: 'http://u.example/p', view: 'http://u.example/v', status: 'http://u.example/s' };
  const none = { publish: null, view: null, status: null };
  const upstream = { accountId: id, streamName: 'elsewhere', software: 'mediamtx', urls, tokens: none } as const;
  await new SqlUpstreamStore(db, seal).set(upstream, () => upstream, now);
  const note = { id: `session ${number}`, session: { url: 'http://u.example/s/1', token: null } };
  await new SqlSessionNotes(db, seal).add('a server that is gone', note, now - 48 * HOUR);

  const recordings = new SqlRecordingStore(db);
  const recording = aRecording({ id: recordingIdOf(number), accountId: id, tokenId: publish.id, sourceId: 's' });
  await recordings.add(recording, 'recording_started');
  await recordings.updateSettings(id, { retentionDays: 10, quotaBytes: 1e12 }, now);
  await recordings.noteRunning(`recorder ${number}`, now);

  const refusal = { kind: 'subscribe', tokenId: 1, streamName: 'main', address: '', reason: 'token_expired' } as const;
  const refusals = new SqlRefusalStore(db);
  await refusals.add([{ ...refusal, accountId: id, origin: 'https://a.example', time: now }]);
  await refusals.add([{ ...refusal, accountId: 'nobody', origin: 'https://a.example', time: now }]);

  const quality = { device: 'desktop', firstPictureMs: 1, playedMs: 1, freezes: 0, frozenMs: 0 } as const;
  const rest = { packets: 1, lost: 0, height: 720, framesPerSecond: 25, roundTripMs: 1 };
  const openedOn = now - 3 * HOUR;
  await new SqlSessionStore(db).save([
    {
      id: `session of ${id}`,
      accountId: id,
      streamName: 'main',
      role: 'viewer',
      protocol: 'websocket',
      tokenId: subscribe.id,
      address: '192.0.2.0',
      origin: 'https://a.example',
      openedOn,
      connectedOn: openedOn,
      firstMediaOn: openedOn,
      seenOn: openedOn + 1_000,
      endedOn: openedOn + 1_000,
      reason: 'left',
      mediaMs: 1_000,
      reconnects: 0,
      timeline: EMPTY_TIMELINE,
      quality: { ...quality, ...rest },
    },
  ]);
  const slot = {
    accountId: id,
    streamName: 'main',
    slot: Math.floor(openedOn / 300_000),
    viewers: 1,
    frozenViewers: 0,
    isOverloaded: false,
  };
  const played = { playedMs: 1_000, frozenMs: 10, freezes: 1, packets: 1, lost: 0, roundTripMs: 1, roundTrips: 1 };
  const viewing = new SqlViewingStore(db);
  await viewing.save('a server', [
    {
      ...slot,
      ...played,
      height: 720,
      heights: 1,
      firstPictures: Array.from({ length: FIRST_PICTURE_LIMITS_MS.length + 1 }, () => 1),
    },
  ]);
  return {
    id,
    secret,
    key,
    session: login!.session,
    publishToken: publish.value,
    subscribeToken: subscribe.value,
    subscribeTokenId: subscribe.id,
    webhookId: webhook.id,
  };
}

/** A row of each table whose rows belong to no account. @param number unique */
export async function fillShared(db: Database, number: number, { now }: Pick<FillOptions, 'now'>): Promise<void> {
  await db
    .insertInto('failed_attempt')
    .values({ subject: `name ${number}`, failures: 1, last_on: now, waits_until: now })
    .execute();
  await db
    .insertInto('used_challenge')
    .values({ challenge_hash: `challenge ${number}`, expires_on: now + HOUR })
    .execute();
}

/** A server that has a stream of an account, on PostgreSQL. @param number unique */
export async function fillCluster(
  db: Database,
  number: number,
  accountId: string,
  { encryptionKey, now }: Pick<FillOptions, 'encryptionKey' | 'now'>,
): Promise<void> {
  const { sealKey } = await openServerKeys(db, { dataDir: '/nowhere', encryptionKey });
  await openRelayKey(db, new ValueSeal(sealKey));
  const node = { id: `node ${number}`, url: `http://node-${number}.example`, epoch: 1 };
  // It lives for as long as the test takes.
  const heartbeat = new Date(now + HOUR);
  await db
    .insertInto('node')
    .values({ ...node, heartbeat, joined_on: new Date(now) })
    .execute();
  await db
    .insertInto('lost_node')
    .values({ ...node, heartbeat: new Date(now), returned_on: new Date(now) })
    .execute();
  const stream = { account_id: accountId, stream_name: 'elsewhere', node_id: node.id };
  await db
    .insertInto('stream_lease')
    .values({
      ...stream,
      source_id: '',
      node_epoch: 1,
      epoch: number,
      session_id: `session ${number}`,
      session_key_hash: 'hash',
      token_id: 1,
      live_on: now,
      kept_until: heartbeat,
      stop_requested: false,
    })
    .execute();
  const ended = { account_id: accountId, stream_name: 'ended', token_id: 1, ended_on: now };
  await db.insertInto('stream_end').values(ended).execute();
  const status = { streamId: `${accountId}/elsewhere`, liveSince: now, viewers: 0, viewersOverTime: [], sources: [] };
  await db
    .insertInto('stream_status')
    .values({ ...stream, status: JSON.stringify(status) })
    .execute();
}

/** Makes the sums of what was filled in. */
export async function rollUp(db: Database): Promise<void> {
  const statistics = new SqlStatisticsStore(db);
  for (const hour of await statistics.hoursToRollUp()) await statistics.rollUp(hour, false);
}
