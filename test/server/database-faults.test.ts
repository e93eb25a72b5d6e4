import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { EXPIRES_AFTER_MS } from '../../server/cluster/lease-times.js';
import type { Cleanup } from '../support/cleanup.js';
import { clusterNode } from '../support/cluster.js';
import { until } from '../support/media/until.js';
import { query, startPostgres } from '../support/postgres.js';
import { sideBySide } from '../support/side-by-side.js';
import { canMount, smallDisk } from '../support/small-disk.js';
import { askDirector, type TestServer } from '../support/stream-server.js';
import { suitePostgres } from '../support/suite-postgres.js';
import { TcpGate } from '../support/tcp-gate.js';
import { websocketSessions } from '../support/websocket-sessions.js';

/** So many that they would take much longer if each waited for the database. */
const CALLS = 100;

const status = async (node: TestServer, token: string) => (await askDirector(node, 'subscribe', token)).status;
const change = async (node: TestServer) => {
  try {
    await node.token('subscribe');
    return 'saved';
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : String(error);
  }
};
const publishOn = async (node: TestServer, token: string) => {
  const { publisher } = await websocketSessions(() => node).publish({}, {}, token);
  node.engine.sendFrame('main/main');
  return publisher;
};
const countOf = ({ log }: TestServer, message: string) => log.text.split(message).length - 1;
const canPublish = (node: TestServer, token: string) =>
  publishOn(node, token).then(
    () => true,
    () => false,
  );

describe('servers whose PostgreSQL', () => {
  const postgres = suitePostgres();
  // The times of leases begin when all servers have started, which keeps the processors busy.
  const beside = sideBySide(() => {});

  const gated = async (cleanup: Cleanup, databaseUrl: string) => {
    const gate = await TcpGate.open(cleanup, databaseUrl);
    const [one, other] = [
      await clusterNode(cleanup, gate.urlOf(databaseUrl)),
      await clusterNode(cleanup, gate.urlOf(databaseUrl)),
    ];
    const tokens = { publish: await one.token('publish'), subscribe: await one.token('subscribe') };
    await until('both have the token', async () => (await status(other, tokens.subscribe)) === 200);
    return { gate, one, other, tokens };
  };

  /** By the clock of the database: the time of the newest sign of life, and the time since then, in ms. */
  const lastSeen = async (databaseUrl: string) => {
    const [row] = await query(
      databaseUrl,
      `select extract(epoch from max(heartbeat))::float8 * 1000 as time,
        extract(epoch from clock_timestamp() - max(heartbeat))::float8 * 1000 as ago from node`,
    );
    return { time: Number(row!['time']), agoMs: Number(row!['ago']) };
  };

  beside('is slow work slowly, and admit with known tokens as fast as ever', async ({ cleanup, next }) => {
    const databaseUrl = await postgres.migratedDatabase();
    const { gate, one, other, tokens } = await gated(cleanup, databaseUrl);
    await next();
    const callsTook = async () => {
      const begun = performance.now();
      for (let call = 0; call < CALLS; call += 1) assert.equal(await status(one, tokens.subscribe), 200);
      return performance.now() - begun;
    };
    const beforeMs = await callsTook();
    gate.delayMs = 200;
    const tookMs = await callsTook();
    assert.ok(tookMs < beforeMs + (CALLS * gate.delayMs) / 2, `${beforeMs} ms, then ${tookMs} ms`);
    const created = await one.token('subscribe');
    await until('the other admits with a new token', async () => (await status(other, created)) === 200);
  });

  beside('is away stop their broadcasts, keep their viewers, and go on when it is back', async ({ cleanup, next }) => {
    const databaseUrl = await postgres.migratedDatabase();
    const { gate, one, other, tokens } = await gated(cleanup, databaseUrl);
    await next();
    const publisher = await publishOn(one, tokens.publish);
    const { viewer } = await websocketSessions(() => one).view({}, tokens.subscribe);
    await viewer.event('active');
    gate.close();
    assert.equal((await publisher.closed).code, 4011);
    await viewer.event('inactive');
    await until('all servers count as lost', async () => (await lastSeen(databaseUrl)).agoMs > EXPIRES_AFTER_MS);
    for (const node of [one, other]) {
      assert.equal((await fetch(`${node.origin}/healthz`)).status, 503);
      assert.equal(await change(node), 'database_unavailable');
      assert.equal(await canPublish(node, tokens.publish), false);
    }
    assert.equal(viewer.socket.readyState, viewer.socket.OPEN);

    gate.leadTo(databaseUrl);
    await until('the publisher is back', () => canPublish(one, tokens.publish));
    await until('the viewer sees it', () => viewer.events().filter((name) => name === 'active').length === 2);
    for (const node of [one, other]) {
      await until('changes are saved', async () => (await change(node)) === 'saved');
      assert.equal(countOf(node, 'the database cannot do its work'), 1);
      assert.equal(countOf(node, 'the database works again'), 1);
    }
  });

  beside(
    'is read-only refuse changes as an outage, admit with known tokens, and go on when it is over',
    async ({ cleanup, next }) => {
      const databaseUrl = await postgres.migratedDatabase();
      const { one, other, tokens } = await gated(cleanup, databaseUrl);
      await next();
      const publisher = await publishOn(one, tokens.publish);
      const name = new URL(databaseUrl).pathname.slice(1);
      await query(postgres.adminUrl, `alter database ${name} set default_transaction_read_only = on`);
      const others = `datname = '${name}' and pid <> pg_backend_pid()`;
      await query(postgres.adminUrl, `select pg_terminate_backend(pid) from pg_stat_activity where ${others}`);
      await until('changes are refused', async () => (await change(one)) === 'database_unavailable');
      assert.equal((await publisher.closed).code, 4011);
      assert.equal(await status(one, tokens.subscribe), 200);
      assert.equal(await status(other, tokens.subscribe), 200);
      // The end of its connections may be an outage of its own, or the beginning of this one.
      assert.match(one.log.text, /"problem":"The database is read-only: [^"]*","cause":"25006: [^"]*read-only/);
      const begun = countOf(one, 'the database cannot do its work');
      for (let call = 0; call < 20; call += 1) {
        await one.server.dashboard.list('main');
        assert.equal(await change(one), 'database_unavailable');
        assert.equal((await fetch(`${one.origin}/healthz`)).status, 503);
      }
      assert.equal(countOf(one, 'the database cannot do its work'), begun);

      // The setting is for new connections only.
      await query(postgres.adminUrl, `alter database ${name} reset default_transaction_read_only`);
      await until('it is healthy', async () => (await fetch(`${other.origin}/healthz`)).status === 200);
      await until('changes are saved', async () => (await change(one)) === 'saved');
      await until('the publisher is back', () => canPublish(other, tokens.publish));
    },
  );

  if (canMount()) {
    beside(
      'has a full disk report it, keep broadcasts and viewers, and go on when there is space',
      async ({ cleanup, next }) => {
        const disk = smallDisk(cleanup, 100);
        const own = await startPostgres({ durable: true, disk: disk.folder });
        cleanup.after(() => own.stop());
        const databaseUrl = await own.newDatabase();
        const { one, other, tokens } = await gated(cleanup, databaseUrl);
        await next();
        disk.fill();
        // Tables have free space in their last pages.
        await until('nothing more can be saved', async () => (await change(one)) === 'disk_full');
        assert.equal(await status(other, tokens.subscribe), 200);
        const health = await fetch(`${one.origin}/healthz`);
        assert.deepEqual([health.status, (await health.json()).data.problems[0].code], [200, 'disk_full']);
        // For as long as they are written, broadcasts go on.
        const { time } = await lastSeen(databaseUrl);
        await until('signs of life are written', async () => (await lastSeen(databaseUrl)).time > time);

        disk.empty();
        await until('changes are saved', async () => (await change(one)) === 'saved');
        const report = async () => (await (await fetch(`${one.origin}/healthz`)).json()).data;
        await until('nothing is wrong', async () => (await report()).problems.length === 0);
        assert.equal(countOf(one, 'the database cannot do its work'), 1);
        assert.equal(countOf(one, 'the database works again'), 1);
      },
    );
  }
});

describe('servers whose PostgreSQL fails over to its replica', () => {
  const beside = sideBySide(() => {});

  const failingOver = async (cleanup: Cleanup) => {
    const primary = await startPostgres({ durable: true });
    cleanup.after(() => primary.stop());
    const databaseUrl = await primary.newDatabase();
    const replica = await primary.replica();
    cleanup.after(() => replica.stop());
    const gate = await TcpGate.open(cleanup, databaseUrl);
    const url = gate.urlOf(databaseUrl);
    const [one, other] = [await clusterNode(cleanup, url), await clusterNode(cleanup, url)];
    return { primary, replica, gate, one, other, publish: await one.token('publish') };
  };

  beside('have every acknowledged change, follow later ones, and let publishers back in', async ({ cleanup, next }) => {
    const { primary, replica, gate, one, other, publish } = await failingOver(cleanup);
    await next();
    const publisher = await publishOn(one, publish);
    const saved: string[] = [];
    const ends = new AbortController();
    const save = async () => {
      while (!ends.signal.aborted) {
        const token = await one.token('subscribe').catch(() => undefined);
        if (token !== undefined) saved.push(token);
      }
    };
    const saving = save();
    await until('changes are saved', () => saved.length > 20);
    await primary.kill('SIGKILL');
    gate.close();
    const before = saved.length;
    await replica.promote();
    gate.leadTo(replica.adminUrl);
    await until('changes are saved again', () => saved.length > before + 20);
    ends.abort();
    await saving;
    for (const token of saved) {
      await until('the other admits with it', async () => (await status(other, token)) === 200);
    }
    publisher.socket.terminate();
    await until('a publisher is let in', () => canPublish(other, publish));
  });

  beside(
    'leave a primary that was demoted but still answers on the connections that they have',
    async ({ cleanup, next }) => {
      const { primary, replica, gate, one, other } = await failingOver(cleanup);
      await next();
      const { id, token } = await one.server.tokens.create(
        { accountId: 'main', kind: 'subscribe' },
        { label: '', streams: [{ streamName: 'main', isRegex: false }] },
      );
      await until('the other has the token', async () => (await status(other, token)) === 200);
      await query(primary.adminUrl, 'alter system set default_transaction_read_only = on');
      await query(primary.adminUrl, 'select pg_reload_conf()');
      await replica.promote();
      gate.leadTo(replica.adminUrl);
      await until('changes are saved', async () => (await change(one)) === 'saved');
      // The other makes no changes, and learns of this one from the new primary.
      await one.server.tokens.update({ accountId: 'main', kind: 'subscribe' }, id, { isActive: false });
      await until('the other refuses', async () => (await status(other, token)) === 401);
    },
  );
});
