import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { after, describe, it } from 'node:test';
import type { MediaProcessFigures } from '../../../server/media/engine/media-figures.js';
import { mediaMetrics } from '../../../server/metrics/media-metrics.js';
import { sql } from 'kysely';
import { WebSocket } from 'ws';
import { DatabaseUnavailableError, DiskFullError } from '../../../server/errors.js';
import { databaseMetrics } from '../../../server/metrics/database-metrics.js';
import { Metrics } from '../../../server/metrics/metrics.js';
import { recordingMetrics } from '../../../server/metrics/recording-metrics.js';
import type { RecordingControlEvents } from '../../../server/recording/recording-control.js';
import { streamIdOf } from '../../../server/streams/stream-id.js';
import { WebhookEvents, webhookMetrics } from '../../../server/metrics/webhook-metrics.js';
import { SERVER_VERSION } from '../../../server/server-version.js';
import { RowFaults } from '../../../server/store/rows/row-faults.js';
import { DatabaseMonitor } from '../../../server/store/availability/database-monitor.js';
import { openDatabase } from '../../../server/store/database.js';
import { ManagementClient } from '../../../src/management.js';
import { Cleanup } from '../../support/cleanup.js';
import { askDirector, streamServer, TestClient, type TestServer } from '../../support/stream-server.js';
import { dataFolder } from '../../support/data-folder.js';
import { until } from '../../support/media/until.js';
import { valuesIn } from '../../support/metrics.js';
import { waitingGuestsMetrics } from '../../../server/metrics/session-metrics.js';
import { webhookReceiver } from '../../support/webhook-receiver.js';
import { websocketSessions } from '../../support/websocket-sessions.js';

const cleanup = new Cleanup();
after(() => cleanup.run());
const TOKEN = 'the metrics of this test';
const METRICS_TOKEN = TOKEN.replaceAll(' ', '-');

const figures: MediaProcessFigures = {
  worker: 1,
  publishers: 2,
  viewers: 30,
  streams: 2,
  packetsReceived: 1_000,
  packetsLost: 1,
  packetsSent: 30_000,
  packetsMissed: 20,
  packetsResent: 18,
  failedSends: 3,
  keyframeRequests: 4,
  shedFrames: 5,
  shedSoundPackets: 6,
  roundTripMs: 42,
  availableBitrate: undefined,
  eventLoopDelayMs: 7,
  eventLoopBusy: 0.25,
  loadDegree: 1,
};

const read = async (origin: string, token?: string) =>
  await fetch(`${origin}/metrics`, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });
const readMetrics = async ({ origin }: TestServer) => valuesIn(await (await read(origin, METRICS_TOKEN)).text());

describe('the metrics of media', () => {
  it('are the newest figures of each process, in seconds and without what is not known', async () => {
    let processes: readonly MediaProcessFigures[] = [figures];
    const metrics = new Metrics([mediaMetrics({ figures: () => processes })]);
    const first = valuesIn(await metrics.text());
    assert.equal(first.get('streamgate_media_packets_sent_total{worker="1"}'), 30_000);
    assert.equal(first.get('streamgate_media_failed_sends_total{worker="1"}'), 3);
    assert.equal(first.get('streamgate_media_shed_frames_total{worker="1"}'), 5);
    assert.equal(first.get('streamgate_media_round_trip_seconds{worker="1"}'), 0.042);
    assert.equal(first.get('streamgate_media_event_loop_busy_ratio{worker="1"}'), 0.25);
    assert.equal(first.has('streamgate_media_available_bits_per_second{worker="1"}'), false);
    assert.ok(first.get('process_resident_memory_bytes')! > 0);

    processes = [{ ...figures, worker: 2, packetsSent: 31_000 }];
    const second = valuesIn(await metrics.text());
    assert.equal(second.get('streamgate_media_packets_sent_total{worker="2"}'), 31_000);
    assert.equal(second.has('streamgate_media_packets_sent_total{worker="1"}'), false, 'a process that is gone');
  });
});

describe('the metrics of waiting guests', () => {
  it('are how many wait now, and how many lost their place', async () => {
    const guests = { size: 3, displaced: 0 };
    const metrics = new Metrics([waitingGuestsMetrics(guests)]);
    const figuresOf = async () => {
      const values = valuesIn(await metrics.text());
      return ['', '_displaced_total'].map((name) => values.get(`streamgate_waiting_guests${name}`));
    };
    assert.deepEqual(await figuresOf(), [3, 0]);
    Object.assign(guests, { size: 2, displaced: 1 });
    assert.deepEqual(await figuresOf(), [2, 1]);
    assert.deepEqual(await figuresOf(), [2, 1]);
  });
});

describe('the metrics of recordings', () => {
  it('count faults by code from 0 on, and show the disk and the accounts that come near their space', async () => {
    const control = new EventEmitter<RecordingControlEvents>();
    let freeBytes: number | undefined = 5_000;
    const metrics = new Metrics([recordingMetrics(control, () => ({ active: 2, freeBytes, near: 3, full: 1 }))]);
    const change = { stream: streamIdOf('main', 'keynote'), sourceId: null, isRecording: true };
    control.emit('changed', { ...change, fault: null });
    control.emit('changed', { ...change, fault: 'disk_full' });
    const values = valuesIn(await metrics.text());
    assert.equal(values.get('streamgate_recording_faults_total{code="disk_full"}'), 1);
    assert.equal(values.get('streamgate_recording_faults_total{code="recorder_lost"}'), 0);
    assert.equal(values.get('streamgate_recordings'), 2);
    assert.equal(values.get('streamgate_recordings_free_bytes'), 5_000);
    assert.equal(values.get('streamgate_recording_quotas{level="near"}'), 3);
    freeBytes = undefined;
    assert.equal(valuesIn(await metrics.text()).has('streamgate_recordings_free_bytes'), false);
  });
});

describe('the metrics of the database', () => {
  it('count faults by kind, and show who uses or waits for a connection', async () => {
    const monitor = new DatabaseMonitor();
    const metrics = new Metrics([databaseMetrics(monitor, new RowFaults())]);
    monitor.failed(new DatabaseUnavailableError({ fault: 'busy' }));
    monitor.failed(new DatabaseUnavailableError());
    monitor.failed(new DiskFullError());
    monitor.failed(new DiskFullError());
    monitor.failed(new Error('a constraint is violated'));
    monitor.connections.waiting = 3;
    const values = valuesIn(await metrics.text());
    assert.equal(values.get('streamgate_database_faults_total{kind="busy"}'), 1);
    assert.equal(values.get('streamgate_database_faults_total{kind="database_unavailable"}'), 1);
    assert.equal(values.get('streamgate_database_faults_total{kind="disk_full"}'), 2);
    assert.equal(values.get('streamgate_database_connections{state="waiting"}'), 3);
    monitor.close();
  });

  it('time each step, and count a connection as used until it is released', async () => {
    const monitor = new DatabaseMonitor();
    const metrics = new Metrics([databaseMetrics(monitor, new RowFaults())]);
    const db = await openDatabase(await dataFolder(cleanup), undefined, { monitor });
    cleanup.after(() => db.destroy());
    const countOf = async (step: string) =>
      valuesIn(await metrics.text()).get(`streamgate_database_seconds_count{step="${step}"}`) ?? 0;
    const selects = await countOf('select');
    await db.transaction().execute(async (trx) => {
      await trx.selectFrom('account').selectAll().execute();
      assert.deepEqual(monitor.connections, { used: 1, waiting: 0 });
    });
    await db.selectFrom('account').selectAll().execute();
    assert.equal(await countOf('select'), selects + 2);
    assert.ok((await countOf('commit')) > 0);
    assert.deepEqual(monitor.connections, { used: 0, waiting: 0 });
    const broken = sql`select nothing from nowhere`.execute(db);
    await assert.rejects(broken);
    assert.deepEqual(monitor.connections, { used: 0, waiting: 0 });
  });
});

describe('the metrics of waiting viewers', () => {
  it('time a session from its opening until media can flow for the first time', async () => {
    const app = await streamServer(cleanup, { METRICS_TOKEN });
    await websocketSessions(() => app).publish();
    const { answer } = await websocketSessions(() => app).view();
    assert.ok(answer.subscriberId);
    const [mediaId] = app.engine.viewerIds('main/main');
    for (const isReachable of [true, false, true]) app.engine.setReachable(mediaId!, isReachable);
    const values = await readMetrics(app);
    const name = 'streamgate_session_connect_seconds_count{role="viewer",protocol="websocket"}';
    assert.equal(values.get(name), 1);
  });

  it('take the first picture from the report of the player, once, if the stream was live', async () => {
    const app = await streamServer(cleanup, { METRICS_TOKEN });
    const { viewer: early } = await websocketSessions(() => app).view();
    await early.command('report', { first: 90_000 });
    await websocketSessions(() => app).publish();
    app.engine.sendFrame('main/main');
    const { viewer } = await websocketSessions(() => app).view();
    await viewer.command('report', { first: 400 });
    await viewer.command('report', { first: 400 });
    const values = await readMetrics(app);
    assert.equal(values.get('streamgate_first_picture_seconds_count'), 1);
    assert.equal(values.get('streamgate_first_picture_seconds_sum'), 0.4);
  });
});

describe('the metrics of webhooks', () => {
  const open = async () => {
    const answers = { status: 500 };
    const receiver = await webhookReceiver(cleanup, (response) => response.writeHead(answers.status).end());
    const app = await streamServer(cleanup, { METRICS_TOKEN, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' });
    const secret = await app.server.secrets.create('main');
    const client = new ManagementClient({ endpoint: app.origin, secret });
    await client.webhooks.create({ url: receiver.url, events: ['stream.started'] });
    await websocketSessions(() => app).publish();
    app.engine.sendFrame('main/main');
    await receiver.received(1);
    return { app, answers };
  };
  const waiting = 'streamgate_webhook_deliveries_waiting';
  const delivered = 'streamgate_webhook_call_seconds_count{outcome="delivered"}';

  it('show what waits and for how long, and how calls ended', async () => {
    const { app, answers } = await open();
    const failed = 'streamgate_webhook_call_seconds_count{outcome="status"}';
    await until('the call has ended', async () => (await readMetrics(app)).get(failed) === 1);
    app.clock.now += 4_000;
    const values = await readMetrics(app);
    assert.equal(values.get(waiting), 1);
    assert.equal(values.get('streamgate_webhook_oldest_seconds'), 4);
    answers.status = 204;
    app.clock.now += 60_000;
    await until('it is delivered', async () => (await readMetrics(app)).get(delivered) === 1);
    const after = await readMetrics(app);
    assert.equal(after.get(waiting), 0);
    assert.equal(after.get('streamgate_webhook_oldest_seconds'), 0);
    assert.equal(after.get('streamgate_webhook_given_up_total'), 0);
  });

  it('count what was given up or lost, and leave out what the database does not tell', async () => {
    const events = new WebhookEvents();
    const backlog = () => Promise.reject(new DatabaseUnavailableError());
    const metrics = new Metrics([
      webhookMetrics({ events, outbox: { waiting: 7 }, deliveries: { backlog }, now: () => 0 }),
    ]);
    const report = { on: 0, durationMs: 20, status: 410, fault: 'status' } as const;
    events.concluded(report, 'gone');
    events.concluded(report, 'waiting');
    events.lost(5);
    const values = valuesIn(await metrics.text());
    assert.equal(values.has(waiting), false);
    assert.equal(values.get('streamgate_webhook_events_unwritten'), 7);
    assert.equal(values.get('streamgate_webhook_given_up_total'), 1);
    assert.equal(values.get('streamgate_webhook_events_lost_total'), 5);
  });
});

describe('GET /metrics', () => {
  it('does not exist without METRICS_TOKEN', async () => {
    const { origin } = await streamServer(cleanup);
    for (const token of [undefined, METRICS_TOKEN]) {
      const response = await read(origin, token);
      assert.deepEqual([response.status, (await response.json()).data.code], [404, 'route_not_found']);
    }
  });

  it('refuses whoever does not present the token', async () => {
    const { origin } = await streamServer(cleanup, { METRICS_TOKEN });
    for (const token of [undefined, '', 'x', METRICS_TOKEN.slice(1), `${METRICS_TOKEN}x`]) {
      const response = await read(origin, token);
      assert.deepEqual([response.status, (await response.json()).data.code], [401, 'metrics_token_wrong']);
    }
  });

  it('counts decisions by their outcome, and no name, token or address', async () => {
    const server = await streamServer(cleanup, { METRICS_TOKEN });
    const token = await server.token('publish');
    await askDirector(server, 'publish', token);
    await askDirector(server, 'publish', 'unknown');
    await askDirector(server, 'subscribe');
    const guest = new TestClient(new WebSocket(`${server.origin.replace('http', 'ws')}/ws/v2/sub`));
    await once(guest.socket, 'open');
    guest.command('await', { streamName: 'main', streamAccountId: 'main' }).catch(() => 'the server stops first');
    await guest.command('ping');
    const response = await read(server.origin, METRICS_TOKEN);
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    const text = await response.text();
    const decided = [...valuesIn(text)].filter(([name]) => name.startsWith('streamgate_decisions_total'));
    assert.deepEqual(Object.fromEntries(decided), {
      'streamgate_decisions_total{kind="publish",outcome="allowed"}': 1,
      'streamgate_decisions_total{kind="publish",outcome="token_unknown"}': 1,
      'streamgate_decisions_total{kind="subscribe",outcome="stream_not_live"}': 1,
    });
    assert.equal(valuesIn(text).get('streamgate_sessions{role="viewer"}'), 0);
    assert.equal(valuesIn(text).get('streamgate_waiting_guests'), 1);
    assert.equal(valuesIn(text).get('streamgate_problems{code="disk_full"}'), 0);
    assert.equal(valuesIn(text).get(`streamgate_build_info{version="${SERVER_VERSION}"}`), 1);
    assert.ok(valuesIn(text).get('streamgate_database_seconds_count{step="select"}')! > 0);
    for (const secret of [token, '127.0.0.1', 'main']) assert.ok(!text.includes(secret), secret);
  });
});
