import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync, readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { connect, type PeerCertificate } from 'node:tls';
import { afterEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { HttpListener } from '../../../server/http-listener.js';
import { CertificateFollower } from '../../../server/tls/certificate-follower.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { streamServer } from '../../support/stream-server.js';

const FILES = join(import.meta.dirname, '../../support/certificates');
const CA = readFileSync(join(FILES, 'authority.pem'));
const TLS = { TLS_CERT: join(FILES, 'trusted.pem'), TLS_KEY: join(FILES, 'server.key.pem') };

describe('a server with a certificate', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  const call = async (port: number, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' };
    const req = request({
      host: '127.0.0.1',
      port,
      path,
      ca: CA,
      method: body ? 'POST' : 'GET',
      headers,
      agent: false,
    });
    req.end(body && JSON.stringify(body));
    const [res] = await once(req, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of res) chunks.push(chunk);
    return { status: res.statusCode, headers: res.headers, body: Buffer.concat(chunks).toString() };
  };
  const subjectAt = async (port: number): Promise<string | undefined> => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { subject }: PeerCertificate = socket.getPeerCertificate();
    socket.destroy();
    return [subject.CN].flat()[0];
  };

  it('names wss: addresses for the websocket', async () => {
    const { port, token } = await streamServer(cleanup, TLS);
    const value = await token('publish');
    const req = request({
      host: '127.0.0.1',
      port,
      path: '/api/director/publish',
      ca: CA,
      method: 'POST',
      headers: { authorization: `Bearer ${value}`, 'content-type': 'application/json' },
    });
    req.end(JSON.stringify({ streamName: 'main' }));
    const [res] = await once(req, 'response');
    let text = '';
    for await (const chunk of res) text += String(chunk);
    const { data } = JSON.parse(text);
    assert.match(data.urls[0], new RegExp(`^wss://127\\.0\\.0\\.1:${port}/`));
  });

  it('sets the session cookie of the dashboard for https only', async () => {
    const { server, port } = await streamServer(cleanup, TLS);
    const code = await server.dashboard.createCode('main');
    const { status, headers } = await call(port, '/api/dashboard/login', { code });
    assert.equal(status, 200);
    assert.match(String(headers['set-cookie']), /; Secure/i);
  });

  it('refuses TLS 1.1', async () => {
    const { port } = await streamServer(cleanup, TLS);
    const socket = connect({ host: '127.0.0.1', port, ca: CA, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' });
    await assert.rejects(once(socket, 'secureConnect'));
  });

  it('gives new connections the new certificate, and keeps open connections', async () => {
    const folder = await dataFolder(cleanup);
    const files = { certFile: join(folder, 'cert.pem'), keyFile: TLS.TLS_KEY };
    copyFileSync(TLS.TLS_CERT, files.certFile);
    const log = pino({ level: 'silent' });
    const certificates = new CertificateFollower({ files, now: Date.now, log });
    const listener = new HttpListener();
    cleanup.after(() => listener.close());
    cleanup.after(() => certificates.close());
    const { port } = await listener.listen({
      host: '127.0.0.1',
      port: 0,
      app: (_req, res) => void res.end('hello'),
      certificates,
      signalling: { attach() {} },
    });
    const open = connect({ host: '127.0.0.1', port, ca: CA });
    await once(open, 'secureConnect');
    assert.equal(await subjectAt(port), 'trusted');

    copyFileSync(join(FILES, 'elsewhere.pem'), files.certFile);
    certificates.check();
    assert.notEqual(await subjectAt(port), 'trusted');
    open.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    let answer = '';
    for await (const chunk of open) answer += String(chunk);
    assert.match(answer, /hello/);
  });
});
