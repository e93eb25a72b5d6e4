import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import express from 'express';
import { commands } from '../../../server/cli/commands.js';
import { runCli } from '../../../server/cli/run-cli.js';
import { endpoints } from '../../../server/http/endpoints/endpoints.js';
import { openDatabase } from '../../../server/store/database.js';
import { SqlSessionStore } from '../../../server/store/tables/sql-session-store.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { aStoredSession, sessionIdOf } from '../store/tables/session-store.contract.js';
import { aRecording } from '../../support/recording.js';
import { newRecordingId } from '../../../server/recording/recording-record.js';
import { SqlRecordingStore } from '../../../server/store/tables/sql-recording-store.js';
import { streamServer } from '../../support/stream-server.js';

/** The command for each endpoint. PUBLISH and SUBSCRIBE stand for the ids of two tokens, KEY for that of a key, LOGIN for that of a login, SCHEDULED for that of a scheduled stream, RECORDING for that of a recording, WEBHOOK for that of a webhook, DELIVERY for that of something sent to the webhook, TABLE for a file with tokens, STILL for a new file. */
const COMMANDS: Readonly<Record<string, string>> = {
  createPublishToken: 'token create publish',
  createSubscribeToken: 'token create subscribe',
  listPublishTokens: 'token list publish',
  listSubscribeTokens: 'token list subscribe',
  listPublishTokensByName: 'token list publish --name a',
  listSubscribeTokensByName: 'token list subscribe --name a',
  listActivePublishTokens: 'token live --stream main/keynote',
  listAllActivePublishTokens: 'token live',
  getPublishToken: 'token show PUBLISH',
  getSubscribeToken: 'token show SUBSCRIBE',
  updatePublishToken: 'token update PUBLISH --label b',
  updateSubscribeToken: 'token update SUBSCRIBE --label b',
  disablePublishTokens: 'token disable PUBLISH SUBSCRIBE',
  changePublishTokens: 'token enable PUBLISH SUBSCRIBE',
  changeSubscribeTokens: 'token delete PUBLISH SUBSCRIBE',
  countPublishTokenSessions: 'token sessions PUBLISH',
  countSubscribeTokenSessions: 'token sessions SUBSCRIBE',
  deletePublishToken: 'token delete PUBLISH',
  deleteSubscribeToken: 'token delete SUBSCRIBE',
  listLiveStreams: 'stream live',
  getStill: 'stream still keynote STILL',
  stopStreamSession: `session stop keynote ${sessionIdOf(1)}`,
  stopStream: 'stream stop main/keynote',
  stopAllStreams: 'stream stop all',
  explain: 'explain subscribe keynote',
  listRefusals: 'refusals',
  listRefusalGroups: 'refusals groups',
  listAudit: 'audit',
  getApiSecret: 'secret show',
  importPublishTokens: 'token import publish TABLE',
  importSubscribeTokens: 'token import subscribe TABLE',
  listMembers: 'member list',
  getTheme: 'theme show',
  updateTheme: 'theme set --name ACME',
  resetTheme: 'theme reset',
  listSchedule: 'schedule list',
  createScheduledStream: 'schedule add --stream keynote --title Keynote --start 2026-12-05T20:00:00Z',
  getScheduledStream: 'schedule show SCHEDULED',
  updateScheduledStream: 'schedule change SCHEDULED --title Keynote',
  removeScheduledStream: 'schedule remove SCHEDULED',
  listUpstreams: 'upstream list',
  setUpstream:
    'upstream set --software mediamtx --publish-url https://mtx.example/{name}/whip --view-url https://mtx.example/{name}/whep --status-url https://api.mtx.example/{name}',
  removeUpstream: 'upstream remove',
  listWebhooks: 'webhook list',
  createWebhook: 'webhook add https://receiver.example/ --event stream.started',
  getWebhook: 'webhook show WEBHOOK',
  updateWebhook: 'webhook change WEBHOOK --description b',
  deleteWebhook: 'webhook remove WEBHOOK',
  rotateWebhookKey: 'webhook rotate WEBHOOK',
  testWebhook: 'webhook test WEBHOOK',
  listWebhookDeliveries: 'webhook deliveries WEBHOOK',
  replayWebhookDelivery: 'webhook replay WEBHOOK DELIVERY',
  listRecordings: 'recording list',
  getRecording: 'recording show RECORDING',
  updateRecording: 'recording keep RECORDING',
  deleteRecording: 'recording delete RECORDING',
  getRecordingSettings: 'account recording',
  updateRecordingSettings: 'account recording --days 30',
  createRecordingLink: 'recording link RECORDING',
  finishRecording: 'recording finish RECORDING',
  cutRecording: 'recording clip RECORDING 60 30',
  recordStream: 'stream record keynote',
  createClip: 'stream clip keynote 30',
  listLogins: 'login list',
  endLogin: 'login end LOGIN',
  endOtherLogins: 'login end all',
  createApiKey: 'key create --name a --scope read',
  listApiKeys: 'key list',
  updateApiKey: 'key update KEY --name b',
  rotateApiKey: 'key rotate KEY',
  revokeApiKey: 'key revoke KEY',
  listStreamSessions: 'session list keynote',
  getStreamSession: `session show keynote ${sessionIdOf(1)}`,
  listStreamStatistics: 'stats streams',
  getStreamStatistics: 'stats stream keynote',
  listTokenStatistics: 'stats tokens',
  getTokenStatistics: 'stats token SUBSCRIBE',
  getUsage: 'stats usage --month 2026-11',
};

/** Second paths of endpoints that are in the table. */
const SAME_AS: Readonly<Record<string, string>> = {
  updatePublishTokenV2: 'updatePublishToken',
  updateSubscribeTokenV2: 'updateSubscribeToken',
};

/** Endpoints for people at the dashboard, and one of running servers. These commands use the data folder without them. */
const FOR_PEOPLE: Readonly<Record<string, string>> = {
  getAccountLimits: 'account limits',
  inviteMember: 'member invite',
  inviteMemberAgain: 'member link',
  updateMember: 'member update',
  removeMember: 'member remove',
  createApiSecret: 'secret create',
  refreshApiSecret: 'secret refresh',
  deleteApiSecret: 'secret delete',
};

/** Endpoints for the browser of a member. The command line has neither passkey nor password; it lists and removes those of members. */
const FOR_BROWSERS: Readonly<Record<string, string>> = {
  joinAccount: 'member invite',
  listPasskeys: 'member passkeys',
  getPasskeyCreationOptions: 'member passkeys',
  addPasskey: 'member passkeys',
  renamePasskey: 'member passkeys',
  removePasskey: 'member reset-sign-in',
  getPassword: 'member list',
  getPasswordOptions: 'member list',
  setPassword: 'member list',
  removePassword: 'member reset-sign-in',
};

/** Endpoints that only a running server has. */
const LIVE = new Set([
  'countPublishTokenSessions',
  'countSubscribeTokenSessions',
  'listActivePublishTokens',
  'listAllActivePublishTokens',
  'listLiveStreams',
  'getStill',
  'stopStream',
  'stopStreamSession',
  'stopAllStreams',
  'createRecordingLink',
  'finishRecording',
  'cutRecording',
  'recordStream',
  'createClip',
]);

/** No stream is live, so `explain` reports a refusal, and there is no picture. */
const OUTCOMES: Readonly<Record<string, readonly [status: number, code?: string]>> = {
  explain: [3],
  getStill: [1, 'still_unavailable'],
  recordStream: [1, 'stream_not_live'],
  createClip: [1, 'not_recorded'],
  cutRecording: [1, 'recording_file_missing'],
};
const outcomeOf = (id: string): readonly (number | string | undefined)[] => {
  const [status, code] = OUTCOMES[id] ?? [0];
  return [status, code];
};

const ofAccounts = endpoints.filter(({ access }) => access === 'account').map(({ id }) => id);

describe('each endpoint of the management API', () => {
  const cleanup = new Cleanup();
  let folder: Record<string, string>;
  let server: Record<string, string>;
  let newLogin: () => Promise<string>;
  let addRecording: () => Promise<string>;
  let seen: string[] = [];

  before(async () => {
    folder = { DATA_DIR: await dataFolder(cleanup) };
    const streams = await streamServer(cleanup, folder);
    const { dashboard } = streams.server;
    newLogin = async () => dashboard.idOf((await dashboard.login(await dashboard.createCode('main')))!.session);
    const db = await openDatabase(streams.dataDir);
    cleanup.after(() => db.destroy());
    await new SqlSessionStore(db).save([aStoredSession({ accountId: 'main', streamName: 'keynote' })]);
    addRecording = async () => {
      const recording = aRecording({ id: newRecordingId(), accountId: 'main', streamName: 'keynote' });
      await new SqlRecordingStore(db).add(recording);
      return recording.id;
    };
    const app = express().use(streams.server.router);
    const recorder = createServer((req, res) => {
      seen.push(`${req.method} ${new URL(req.url ?? '', 'http://here').pathname}`);
      app(req, res);
    }).listen(0, '127.0.0.1');
    await once(recorder, 'listening');
    cleanup.after(() => recorder.closeAllConnections());
    cleanup.after(() => recorder.close());
    server = {
      STREAMGATE_SECRET: await streams.server.secrets.create('main'),
      STREAMGATE_ENDPOINT: `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`,
    };
  });
  after(() => cleanup.run());

  const streamgate = async (env: Record<string, string>, argv: readonly string[]) => {
    let stdout = '';
    const status = await runCli([...argv, '--json'], {
      env,
      stdout: (text) => (stdout += text),
      stderr: assert.fail,
    });
    return { status, data: JSON.parse(stdout).data };
  };
  /** Makes what a word of a command stands for. */
  const made: Readonly<Record<string, (ids: Readonly<Record<string, string>>) => Promise<string>>> = {
    PUBLISH: async () => String((await streamgate(folder, ['token', 'create', 'publish'])).data.Id),
    SUBSCRIBE: async () => String((await streamgate(folder, ['token', 'create', 'subscribe'])).data.Id),
    KEY: async () => (await streamgate(folder, ['key', 'create', '--name', 'a', '--scope', 'read'])).data.id,
    LOGIN: () => newLogin(),
    SCHEDULED: async () => (await streamgate(folder, COMMANDS['createScheduledStream']!.split(' '))).data.id,
    RECORDING: () => addRecording(),
    WEBHOOK: async () => String((await streamgate(folder, COMMANDS['createWebhook']!.split(' '))).data.id),
    DELIVERY: async ({ WEBHOOK = '' }) => String((await streamgate(folder, ['webhook', 'test', WEBHOOK])).data.id),
    async TABLE() {
      const table = join(folder['DATA_DIR']!, 'tokens.csv');
      await writeFile(table, 'label\nticket\n');
      return table;
    },
    STILL: async () => join(folder['DATA_DIR']!, 'still.webp'),
  };
  /** Runs the command of an endpoint on what it needs. */
  const run = async (env: Record<string, string>, id: string) => {
    const words = COMMANDS[id]!.split(' ');
    const ids: Record<string, string> = {};
    for (const word of words) if (word in made) ids[word] = await made[word]!(ids);
    if (id === 'removeUpstream') await streamgate(folder, COMMANDS['setUpstream']!.split(' '));
    seen = [];
    const outcome = await streamgate(
      env,
      words.map((word) => ids[word] ?? word),
    );
    // An account may have a few only.
    if (ids['WEBHOOK']) await streamgate(folder, ['webhook', 'remove', ids['WEBHOOK']]);
    return outcome;
  };

  it('has a command', () => {
    const there = [COMMANDS, SAME_AS, FOR_PEOPLE, FOR_BROWSERS].flatMap((table) => Object.keys(table));
    assert.deepEqual(there.toSorted(), ofAccounts.toSorted());
    for (const id of Object.values(SAME_AS)) assert.ok(id in COMMANDS, id);
    for (const command of Object.values({ ...FOR_PEOPLE, ...FOR_BROWSERS }))
      assert.ok(
        commands.some(({ name }) => name === command),
        command,
      );
  });

  for (const { id, method, path, callers } of endpoints.filter((operation) => operation.id in COMMANDS)) {
    if (callers === 'people') {
      it(`${id} is for people: streamgate ${COMMANDS[id]} uses the data folder, also with a secret`, async () => {
        const { status, data } = await run({ ...folder, ...server }, id);
        assert.deepEqual([status, data.code, seen], [...outcomeOf(id), []]);
      });
      continue;
    }
    it(`${id} is called on the server by streamgate ${COMMANDS[id]}`, async () => {
      const { status, data } = await run(server, id);
      assert.deepEqual([status, data.code], outcomeOf(id));
      const asked = new RegExp(`^${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      assert.ok(
        seen.some((call) => asked.test(call)),
        `it asked ${seen.join(', ')}`,
      );
    });

    const expected = LIVE.has(id) ? [1, 'secret_missing'] : outcomeOf(id);
    it(`${id} is ${LIVE.has(id) ? 'not ' : ''}possible in the data folder, without a server`, async () => {
      const { status, data } = await run(folder, id);
      assert.deepEqual([status, data.code, seen], [...expected, []]);
    });
  }
});
