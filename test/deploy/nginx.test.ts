import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { Cleanup } from '../support/cleanup.js';
import { dataFolder } from '../support/data-folder.js';
import { readText } from '../support/deploy.js';
import { freePort } from '../support/free-port.js';
import { startNginx } from '../support/nginx.js';

const FILE = 'deploy/compose/nginx/streamgate.conf.template';
const CERTIFICATES = join(import.meta.dirname, '../support/certificates');

const cleanup = new Cleanup();
after(() => cleanup.run());

interface TestNode {
  readonly port: number;
  /** Whether it answers 503, and how often it did. */
  readonly refusals: { on: boolean; count: number };
}

const REFUSAL = '{"status":"fail","data":{"code":"database_unavailable"}}';

/** A node that answers with the headers of the request, and says hello over websockets. */
async function echoNode(): Promise<TestNode> {
  const refusals = { on: false, count: 0 };
  const server = createServer((req, res) => {
    if (!refusals.on) return void res.end(JSON.stringify(req.headers));
    refusals.count += 1;
    res.writeHead(503).end(REFUSAL);
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket, { url }) => socket.send(`hello from ${url}`));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.after(() => {
    sockets.close();
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, refusals };
}

/**
 * Runs nginx with the template, as the image fills it in, but on free ports of the loopback address, and with the folder of
 * certbot, as certbot arranges it.
 */
async function startProxy(nodes: readonly TestNode[]): Promise<{ port: number; plainPort: number; certbot: string }> {
  const folder = await dataFolder(cleanup);
  const certbot = join(folder, 'letsencrypt');
  const [live, archive] = ['live', 'archive'].map((name) => join(certbot, name, 'example.test')) as [string, string];
  for (const each of [live, archive]) mkdirSync(each, { recursive: true });
  copyFileSync(join(CERTIFICATES, 'self-signed.pem'), join(archive, 'fullchain1.pem'));
  copyFileSync(join(CERTIFICATES, 'server.key.pem'), join(archive, 'privkey1.pem'));
  symlinkSync('../../archive/example.test/fullchain1.pem', join(live, 'fullchain.pem'));
  symlinkSync('../../archive/example.test/privkey1.pem', join(live, 'privkey.pem'));
  const [port, plainPort] = [await freePort(), await freePort()];
  const servers = readText(FILE)
    .replaceAll('${DOMAIN}', 'example.test')
    .replaceAll(/172\.30\.80\.1([12]):8080/g, (_, number: string) => `127.0.0.1:${nodes[Number(number) - 1]!.port}`)
    .replaceAll('/etc/letsencrypt', certbot)
    .replaceAll('listen 443 ', `listen 127.0.0.1:${port} `)
    .replaceAll('listen 80 ', `listen 127.0.0.1:${plainPort} `);
  await startNginx(cleanup, { folder, servers, port });
  return { port, plainPort, certbot };
}

const HOST = 'one.example.test';
interface Call {
  readonly method?: 'GET' | 'POST';
  readonly host?: string;
  readonly headers?: Record<string, string>;
}

async function ask(path: string, { method = 'GET', host = HOST, headers = {} }: Call = {}) {
  const options: RequestOptions = {
    host: '127.0.0.1',
    method,
    port,
    path,
    servername: host,
    rejectUnauthorized: false,
    headers: { host, ...headers },
  };
  const sent = request(options).end();
  const [response] = await once(sent, 'response');
  return {
    status: response.statusCode as number,
    headers: response.headers as IncomingHttpHeaders,
    body: await text(response),
  };
}

/** The call of a viewer, at the name of all nodes. */
const subscribe = () => ask('/api/director/subscribe', { method: 'POST', host: 'example.test' });

const [one, two] = [await echoNode(), await echoNode()];
const { port, plainPort, certbot } = await startProxy([one, two]);

describe(FILE, () => {
  it('passes on the host and the address of the client', async () => {
    const { body, headers } = await ask('/healthz', { headers: { 'x-forwarded-for': '192.0.2.1' } });
    const passed = JSON.parse(body) as IncomingHttpHeaders;
    // The server takes the right-most address: what clients write themselves is left of it.
    assert.deepEqual([passed.host, passed['x-forwarded-for']], [HOST, '192.0.2.1, 127.0.0.1']);
    assert.match(headers['strict-transport-security']!, /max-age=\d+/);
  });

  it('passes calls of the common name to any node', async () => {
    const { body } = await ask('/api/director/subscribe', { host: 'example.test' });
    assert.equal((JSON.parse(body) as IncomingHttpHeaders).host, 'example.test');
    assert.equal((await ask('/metrics', { host: 'example.test' })).status, 404);
  });

  it('asks another node for a viewer when one cannot admit anybody', async () => {
    two.refusals.on = true;
    for (let call = 0; call < 4; call += 1) assert.equal((await subscribe()).status, 200);
    assert.ok(two.refusals.count > 0, 'it was not asked');
    two.refusals.on = false;
  });

  it('passes on what a node says when none can admit anybody, and their answers as soon as one can', async () => {
    two.refusals.on = one.refusals.on = true;
    for (let call = 0; call < 6; call += 1) {
      const { status, body } = await subscribe();
      assert.deepEqual([status, body], [503, REFUSAL]);
    }
    two.refusals.on = one.refusals.on = false;
    assert.equal((await subscribe()).status, 200);
  });

  it('passes a refusal of a management call on: the call could have had an effect', async () => {
    const create = () => ask('/api/publish_token', { method: 'POST', host: 'example.test' });
    two.refusals.on = one.refusals.on = true;
    const before = one.refusals.count + two.refusals.count;
    assert.equal((await create()).body, REFUSAL);
    assert.equal(one.refusals.count + two.refusals.count, before + 1);
    two.refusals.on = one.refusals.on = false;
  });

  it('passes on websockets', async () => {
    const socket = new WebSocket(`wss://127.0.0.1:${port}/ws/v2/one`, {
      rejectUnauthorized: false,
      headers: { host: HOST },
    });
    const [message] = await once(socket, 'message');
    assert.equal(String(message), 'hello from /ws/v2/one');
    socket.close();
    await once(socket, 'close');
  });

  it('lets certbot renew the certificate over HTTP, and sends all else to HTTPS', async () => {
    const challenges = join(certbot, 'acme/.well-known/acme-challenge');
    mkdirSync(challenges, { recursive: true });
    writeFileSync(join(challenges, 'token'), 'answer');
    const askPlain = (path: string) =>
      fetch(`http://127.0.0.1:${plainPort}${path}`, { headers: { connection: 'close' }, redirect: 'manual' });
    assert.equal(await (await askPlain('/.well-known/acme-challenge/token')).text(), 'answer');
    const { status, headers } = await askPlain('/viewer?token=1');
    assert.deepEqual([status, headers.get('location')], [301, 'https://127.0.0.1/viewer?token=1']);
  });

  it('shows the metrics to nobody', async () => assert.equal((await ask('/metrics')).status, 404));
});
