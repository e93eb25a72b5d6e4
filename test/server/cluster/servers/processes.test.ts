import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { afterEach, describe, it } from 'node:test';
import { Cleanup } from '../../../support/cleanup.js';
import { clusterProcess } from '../../../support/cluster.js';
import { RtpPeer } from '../../../support/media/rtp-peer.js';
import { until } from '../../../support/media/until.js';
import { query, startPostgres } from '../../../support/postgres.js';
import { suitePostgres } from '../../../support/suite-postgres.js';
import type { ServerProcess } from '../../../support/server-process.js';
import { askDirector, openSocket } from '../../../support/stream-server.js';
import { webhookReceiver } from '../../../support/webhook-receiver.js';

const call = { streamName: 'main', streamAccountId: 'main' };
const FRAME_MS = 20;

describe('servers in processes of their own, on one PostgreSQL', () => {
  const cleanup = new Cleanup();
  const postgres = suitePostgres();
  afterEach(() => cleanup.run());

  const servers = async (count: number, env: Record<string, string> = {}) => {
    const databaseUrl = await postgres.migratedDatabase();
    const all: ServerProcess[] = [];
    for (let index = 0; index < count; index += 1) {
      const server = await clusterProcess(databaseUrl, env);
      cleanup.after(() => server.stop());
      all.push(server);
    }
    const create = async (kind: string) =>
      String((await all[0]!.cli('token', 'create', kind, '--stream', 'main'))['token']);
    return { databaseUrl, all, tokens: { publish: await create('publish'), subscribe: await create('subscribe') } };
  };

  /** Sends frames until the test ends. */
  const publish = async (server: ServerProcess, token: string) => {
    const peer = await RtpPeer.open({ role: 'publisher' });
    cleanup.after(() => peer.close());
    const socket = await openSocket(await askDirector(server, 'publish', token, call));
    cleanup.after(() => socket.socket.terminate());
    const { type, data } = await socket.command('publish', { name: 'main', sdp: peer.offer, codec: 'vp8' });
    if (type !== 'response') throw new Error(`publish was refused: ${data}`);
    await peer.accept({ answer: data.sdp });
    cleanup.after(peer.sendEvery(FRAME_MS));
    return socket;
  };
  const canPublish = async (server: ServerProcess, token: string) =>
    (await askDirector(server, 'publish', token, call)).status === 200;

  const view = async (server: ServerProcess, token: string) => {
    const peer = await RtpPeer.open({ role: 'viewer' });
    cleanup.after(() => peer.close());
    const socket = await openSocket(await askDirector(server, 'subscribe', token, call));
    cleanup.after(() => socket.socket.terminate());
    const { data } = await socket.command('view', { streamId: 'main', sdp: peer.offer });
    await peer.accept({ answer: data.sdp });
    await until('packets arrive', () => peer.rtp.length > 0);
    return peer;
  };

  const signal = (server: ServerProcess, name: NodeJS.Signals, { withMedia = false } = {}) => {
    const children = withMedia
      ? execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)], { encoding: 'utf8' })
          .trim()
          .split(/\s+/)
      : [];
    for (const pid of [server.pid, ...children.map(Number)]) process.kill(pid, name);
  };

  it('give the name of a server that is killed to another', async () => {
    const { all, tokens } = await servers(3);
    const [killed, second, third] = all as [ServerProcess, ServerProcess, ServerProcess];
    await publish(killed, tokens.publish);
    await view(second, tokens.subscribe);
    signal(killed, 'SIGKILL');
    await until('the name is free', () => canPublish(second, tokens.publish));
    await publish(second, tokens.publish);
    const viewer = await view(third, tokens.subscribe);
    await until('media flows', () => viewer.received('video') > 10);
    await until('it is logged', () => second.output().includes('another server is lost: its streams are free'));
  });

  for (const count of [3, 1]) {
    const who = count === 1 ? 'the only server' : 'one of three servers';
    it(`tell a webhook once that ${who} was killed, with its streams, and that it is back`, async () => {
      const { databaseUrl, all, tokens } = await servers(count, { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' });
      const [killed, stopped] = all as [ServerProcess, ServerProcess | undefined];
      const receiver = await webhookReceiver(cleanup);
      await killed.cli('webhook', 'add', receiver.url, '--event', 'node.lost', '--event', 'node.returned');
      await publish(killed, tokens.publish);
      const live = 'select from stream_lease where live_on is not null';
      await until('the stream is live', async () => (await query(databaseUrl, live)).length > 0);
      // In order: nobody is told of it.
      await stopped?.stop();
      await killed.restart('SIGKILL');
      const [lost, returned] = (await receiver.received(2)).map(({ body }) => JSON.parse(body));
      assert.deepEqual([lost.type, returned.type, lost.data.url], ['node.lost', 'node.returned', killed.origin]);
      assert.deepEqual(lost.data.streams, [{ streamName: 'main', streamId: 'main/main' }]);
      assert.equal(returned.data.nodeId, lost.data.nodeId);
      const deliveries = await query(databaseUrl, 'select type from webhook_delivery');
      assert.equal(deliveries.length, 2);
    });
  }

  for (const withMedia of [false, true]) {
    const what = withMedia ? 'a whole server' : 'a server without its media processes';
    it(`never send one name from two servers when ${what} is paused past its lease and woken`, async () => {
      const { all, tokens } = await servers(2);
      const [paused, other] = all as [ServerProcess, ServerProcess];
      const before = await publish(paused, tokens.publish);
      const viewerBefore = await view(paused, tokens.subscribe);
      await until('media flows', () => viewerBefore.received('video') > 10);
      cleanup.after(() => signal(paused, 'SIGCONT', { withMedia }));
      signal(paused, 'SIGSTOP', { withMedia });
      await until('the name is free', () => canPublish(other, tokens.publish));
      await publish(other, tokens.publish);
      const viewerAfter = await view(other, tokens.subscribe);
      // From here on the stream is on the other server: not one packet of the first may arrive.
      viewerBefore.rtp.length = 0;
      const goesOn = async () => {
        const before = viewerAfter.received('video');
        await until('the other goes on for two seconds', () => viewerAfter.received('video') > before + 100);
        assert.deepEqual([viewerBefore.received('video'), viewerBefore.received('audio')], [0, 0]);
      };
      await goesOn();
      signal(paused, 'SIGCONT', { withMedia });
      assert.equal((await before.closed).code, 4011);
      await goesOn();
      assert.match(
        paused.output(),
        /this server cannot confirm with its database that it has its streams: it stops its broadcasts/,
      );
    });
  }

  it('stop a broadcast while the database is away, and let its publisher back in', async () => {
    const own = await startPostgres();
    cleanup.after(() => own.stop());
    const server = await clusterProcess(await own.newDatabase());
    cleanup.after(() => server.stop());
    const token = String((await server.cli('token', 'create', 'publish', '--stream', 'main'))['token']);
    const socket = await publish(server, token);
    await own.freeze();
    assert.equal((await socket.closed).code, 4011);
    await until('the database is away', async () => !(await canPublish(server, token)));
    await own.thaw();
    // Between the first answer of the database and the next heartbeat, the name is not given yet.
    const isBack = () =>
      publish(server, token).then(
        () => true,
        () => false,
      );
    await until('the publisher is back', isBack);
  });
});
