import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { createServer } from 'node:tls';
import { servedUntil } from '../../../server/health/served-certificate.js';
import { Cleanup } from '../../support/cleanup.js';
import { freePort } from '../../support/free-port.js';
import { streamServer } from '../../support/stream-server.js';

const FOLDER = join(import.meta.dirname, '../../support/certificates');
const file = (name: string) => join(FOLDER, name);
const endOf = (name: string) => new X509Certificate(readFileSync(file(name))).validToDate.getTime();

describe('the certificate that a port serves', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  const listening = async (server: Server): Promise<number> => {
    cleanup.after(() => server.close());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };

  for (const name of ['expired.pem', 'self-signed.pem']) {
    it(`is read, whether browsers accept it or not: ${name}`, async () => {
      const options = { cert: readFileSync(file(name)), key: readFileSync(file('server.key.pem')) };
      const port = await listening(createServer(options, (socket) => socket.on('error', () => {})));
      assert.equal(await servedUntil('127.0.0.1', port), endOf(name));
    });
  }

  it('cannot be read where nothing listens, or something without TLS', async () => {
    await assert.rejects(servedUntil('127.0.0.1', await freePort()));
    const port = await listening(createTcpServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')));
    await assert.rejects(servedUntil('127.0.0.1', port));
  });

  it('is read of the listener of the whole server', async () => {
    const { origin } = await streamServer(cleanup, { TLS_CERT: file('expired.pem'), TLS_KEY: file('server.key.pem') });
    assert.equal(await servedUntil('127.0.0.1', Number(new URL(origin).port)), endOf('expired.pem'));
  });
});
