import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { tlsFailure } from '../../../../server/cli/management/tls-failure.js';
import { Cleanup } from '../../../support/cleanup.js';
import { runStreamgate, runStreamgateProcess } from '../../../support/run-streamgate.js';

const CERTIFICATES = join(import.meta.dirname, '../../../support/certificates');

describe('the command line, with a server that has a certificate', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  const listening = async (server: Server) => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanup.after(() => server.closeAllConnections());
    cleanup.after(() => server.close());
    return (server.address() as AddressInfo).port;
  };
  const serve = (certificate: string) => {
    let calls = 0;
    const key = readFileSync(join(CERTIFICATES, 'server.key.pem'));
    const cert = readFileSync(join(CERTIFICATES, `${certificate}.pem`));
    const server = createServer({ key, cert }, (_req, res) => {
      calls += 1;
      res.setHeader('content-type', 'application/json').end('{"status":"success","data":{"tokenIds":[]}}');
    });
    return { port: listening(server), calls: () => calls };
  };
  const answerOf = async (port: number, env: Record<string, string> = {}) => {
    const settings = { STREAMGATE_ENDPOINT: `https://127.0.0.1:${port}`, STREAMGATE_SECRET: 'sg_secret', ...env };
    const argv = ['token', 'live', '--json'];
    // Node reads the certificates that it trusts once, at its start.
    const isTrusting = 'NODE_EXTRA_CA_CERTS' in env;
    const run = isTrusting ? runStreamgateProcess(CERTIFICATES, settings, ...argv) : runStreamgate(settings, ...argv);
    const { status, stdout } = await run;
    return { status, ...JSON.parse(stdout).data };
  };
  const trusting = { NODE_EXTRA_CA_CERTS: join(CERTIFICATES, 'authority.pem') };

  it('calls the server if the certificate is valid', async () => {
    const { port, calls } = serve('trusted');
    const { status, code } = await answerOf(await port, trusting);
    assert.deepEqual([status, code, calls()], [0, undefined, 1]);
  });

  for (const [certificate, env, fault, next] of [
    ['self-signed', {}, 'is self-signed', 'NODE_EXTRA_CA_CERTS'],
    ['trusted', {}, 'an authority that this machine does not know', 'fullchain.pem'],
    ['expired', trusting, 'has expired', 'Renew the certificate'],
    ['elsewhere', trusting, 'is for another host name', 'Set STREAMGATE_ENDPOINT to a name'],
  ] as const) {
    it(`reports that the certificate ${fault} and what to do, and sends nothing`, async () => {
      const { port, calls } = serve(certificate);
      const { status, code, message } = await answerOf(await port, env);
      assert.deepEqual([status, code, calls()], [1, 'tls_failed', 0]);
      assert.ok(message.includes(fault) && message.includes(next), message);
      assert.ok(!message.includes('No server answers') && !message.includes('sg_secret'), message);
    });
  }

  it('reports that the server does not speak TLS', async () => {
    const port = await listening(createHttpServer((_req, res) => res.end()));
    const { status, code, message } = await answerOf(port);
    assert.deepEqual([status, code], [1, 'tls_failed']);
    assert.match(message, /does not speak TLS/);
  });
});

describe('tlsFailure', () => {
  const failed = (code: string) => {
    const cause = Object.assign(new Error(`the message of ${code}`), { code });
    return tlsFailure(
      'https://a.example',
      new Error('unreachable', { cause: new TypeError('fetch failed', { cause }) }),
    );
  };

  it('reports other TLS errors with their code and message', () => {
    assert.match(failed('CERT_NOT_YET_VALID')!.message, /not valid yet .*clock/);
    assert.match(failed('UNABLE_TO_GET_ISSUER_CERT_LOCALLY')!.message, /does not know/);
    assert.match(failed('CERT_REVOKED')!.message, /the message of CERT_REVOKED \(CERT_REVOKED\)/);
    assert.match(failed('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION')!.message, /TLS settings/);
  });

  it('returns undefined for errors without TLS', () => {
    for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'ECONNRESET', 'UND_ERR_CONNECT_TIMEOUT']) {
      assert.equal(failed(code), undefined, code);
    }
    assert.equal(tlsFailure('https://a.example', new Error('none')), undefined);
  });
});
