import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { Cleanup } from '../../../support/cleanup.js';
import { clusterNode } from '../../../support/cluster.js';
import { until } from '../../../support/media/until.js';
import { query } from '../../../support/postgres.js';
import { askDirector, type TestServer } from '../../../support/stream-server.js';
import { suitePostgres } from '../../../support/suite-postgres.js';
import { websocketSessions } from '../../../support/websocket-sessions.js';

const call = { streamName: 'main', streamAccountId: 'main' };
const A_NODE = 'f'.repeat(32);

/** What anybody who may use the database can send, and a server of a version that does not exist yet. */
const GARBAGE: readonly string[] = [
  'x',
  '',
  '{',
  'null',
  '[]',
  '{"type":"hello"}',
  '["stream"]',
  '["stream",7,null]',
  '["stream","no account/at all","main"]',
  '["messages"]',
  `["messages","${A_NODE}"]`,
  `["messages","${A_NODE}",{}]`,
  `["messages","${A_NODE}",[null]]`,
  `["messages","${A_NODE}",[{"type":"of-a-later-version"}]]`,
  `["messages","${A_NODE}",[{"type":"viewing"}]]`,
  `["messages","${A_NODE}",[{"type":"viewing","viewing":null}]]`,
  `["messages","${A_NODE}",[{"type":"viewers","streamId":{},"viewers":"many"}]]`,
  `["messages","${A_NODE}",[{"type":"failed-attempt","address":null}]]`,
  `["messages","${A_NODE}",[{"type":"stop-session"}]]`,
  '["a-kind-of-a-later-version",1]',
];

const faultsOf = async (node: TestServer) => {
  const response = await fetch(`${node.origin}/readyz`);
  const { data } = (await response.json()) as {
    data: { ready: boolean; faults: { part: string; count: number; last: string }[] };
  };
  return { status: response.status, ...data };
};

describe('notifications that no server sends', () => {
  const cleanup = new Cleanup();
  const postgres = suitePostgres();
  afterEach(() => cleanup.run());

  it('are ignored, counted and told of by each of two servers, which go on', async () => {
    const databaseUrl = await postgres.migratedDatabase();
    const env = { METRICS_TOKEN: 'a-token-of-the-metrics-endpoint' };
    const a = await clusterNode(cleanup, databaseUrl, { env });
    const b = await clusterNode(cleanup, databaseUrl, { env });
    for (const channel of ['streamgate_cluster', 'streamgate_token']) {
      for (const payload of GARBAGE) await query(databaseUrl, `select pg_notify('${channel}', '${payload}')`);
    }
    // On two channels, to two servers in one process, whose faults are counted together.
    const expected = 4 * GARBAGE.length;
    for (const node of [a, b]) {
      await until('all are counted', async () => (await faultsOf(node)).faults[0]?.count === expected);
      const { status, ready, faults } = await faultsOf(node);
      assert.deepEqual([status, ready, faults.map(({ part }) => part)], [200, true, ['cluster_message']]);
      const metrics = await fetch(`${node.origin}/metrics`, {
        headers: { authorization: `Bearer ${env.METRICS_TOKEN}` },
      });
      assert.match(
        await metrics.text(),
        new RegExp(`^streamgate_contained_faults_total\\{part="cluster_message"\\} ${expected}$`, 'm'),
      );
      const lines = node.log.text.split('\n').filter((line) => line.includes('a message was ignored'));
      assert.ok(lines.length > 0 && lines.length <= 20, `${lines.length} lines`);
      assert.ok(!node.log.text.includes('of-a-later-version'), 'the log does not repeat what was sent');
    }

    const token = await a.token('publish');
    const viewing = await a.token('subscribe');
    await websocketSessions(() => a).publish({}, {}, token);
    a.engine.sendFrame('main/main');
    await until('the other server knows the stream', async () => {
      const { body } = await askDirector(b, 'subscribe', viewing, call);
      return body.status === 'success' && body.data.urls[0].includes(String(a.port));
    });
  });
});
