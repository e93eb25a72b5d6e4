import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { ManagementClient } from '../../../src/management.js';
import { Cleanup } from '../../support/cleanup.js';
import { clusterNode } from '../../support/cluster.js';
import { until } from '../../support/media/until.js';
import { askDirector, type TestServer } from '../../support/stream-server.js';
import { suitePostgres } from '../../support/suite-postgres.js';
import { TcpGate } from '../../support/tcp-gate.js';
import { webhookReceiver } from '../../support/webhook-receiver.js';
import { websocketSessions } from '../../support/websocket-sessions.js';

const METRICS_TOKEN = 'm'.repeat(32);

describe('a server that was cut off from the database, whose stream another one has begun', () => {
  const cleanup = new Cleanup();
  const postgres = suitePostgres();
  afterEach(() => cleanup.run());

  /** How many events for webhooks wait for the database. */
  const unwritten = async ({ origin }: TestServer): Promise<number> => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const text = await (await fetch(`${origin}/metrics`, { headers })).text();
    return Number(/^streamgate_webhook_events_unwritten (\d+)/m.exec(text)?.[1]);
  };
  const goLive = async (node: TestServer, token: string) => {
    const started = await websocketSessions(() => node).publish({}, {}, token);
    node.engine.sendFrame('main/main');
    return started;
  };

  it('does not tell the end of its broadcast after the start of the other', async () => {
    const databaseUrl = await postgres.migratedDatabase();
    const gate = await TcpGate.open(cleanup, databaseUrl);
    const env = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1', METRICS_TOKEN };
    const a = await clusterNode(cleanup, gate.urlOf(databaseUrl), { env });
    const b = await clusterNode(cleanup, databaseUrl, { env });
    const receiver = await webhookReceiver(cleanup);
    const client = new ManagementClient({ endpoint: b.origin, secret: await b.server.secrets.create('main') });
    const { id } = await client.webhooks.create({ url: receiver.url, events: ['stream.started', 'stream.ended'] });
    const token = await b.token('publish');
    const { publisher } = await goLive(a, token);
    // A call whose end is not written is made again.
    const isDelivered = async () => (await client.webhooks.deliveries(id)).deliveries[0]?.state === 'delivered';
    await until('the start is delivered', isDelivered);
    gate.close();
    await publisher.closed;
    assert.equal(await unwritten(a), 1);
    const isFree = async () => (await askDirector(b, 'publish', token)).status === 200;
    await until('the name is free', isFree);
    await goLive(b, token);
    await receiver.received(2);
    gate.leadTo(databaseUrl);
    await until('it has nothing left to tell', async () => (await unwritten(a)) === 0);
    await client.streams.stop('main/main');
    await receiver.received(3);
    const told = receiver.calls.map(({ body }) => JSON.parse(body));
    assert.deepEqual(
      told.map(({ type }) => type),
      ['stream.started', 'stream.started', 'stream.ended'],
    );
    assert.equal(told[2].data.startedOn, told[1].data.startedOn);
  });
});
