import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, it } from 'node:test';
import { WaitingConnections } from '../../server/waiting-connections.js';
import { Cleanup } from '../support/cleanup.js';

const CERTIFICATES = join(import.meta.dirname, '../support/certificates');
const read = (name: string) => readFileSync(join(CERTIFICATES, name));
const MOST = 4;
const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

for (const scheme of ['HTTP', 'HTTPS'] as const) {
  describe(`connections over ${scheme} that wait for a request`, () => {
    const cleanup = new Cleanup();
    afterEach(() => cleanup.run());

    const serve = async () => {
      const server: Server =
        scheme === 'HTTP'
          ? createServer()
          : createTlsServer({ cert: read('trusted.pem'), key: read('server.key.pem') });
      new WaitingConnections(MOST, MOST).follow(server);
      server.on('request', (request, response) => {
        // The client reads nothing of such an answer.
        if (request.url === '/unread') response.write('half');
        else request.resume().once('end', () => response.end('done'));
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      cleanup.after(() => void server.close());
      cleanup.after(() => server.closeAllConnections());
      return (server.address() as AddressInfo).port;
    };
    const open = async (port: number, localAddress: string) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress });
      const secured = scheme === 'HTTP' ? socket : connectTls({ socket, rejectUnauthorized: false });
      const closed = once(socket, 'close');
      secured.on('error', () => {});
      cleanup.after(() => socket.destroy());
      await once(secured, scheme === 'HTTP' ? 'connect' : 'secureConnect');
      const answer = async () => String((await once(secured, 'data'))[0]).split('\r\n', 1)[0];
      return { closed, answer, write: (text: string) => secured.write(text) };
    };

    it('lose their oldest in the network that has the most, when there are too many', async () => {
      const port = await serve();
      const honest = await open(port, '127.1.0.1');
      const flood = [];
      for (let index = 0; index < MOST; index += 1) {
        const one = await open(port, `127.0.0.${index + 1}`);
        one.write('GET / HT');
        flood.push(one);
      }
      await flood[0]!.closed;
      const late = await open(port, '127.2.0.1');
      await flood[1]!.closed;
      for (const one of [honest, late]) {
        one.write(GET);
        assert.equal(await one.answer(), 'HTTP/1.1 200 OK');
      }
    });

    it('are limited in the same way while their answer is not taken', { timeout: 10_000 }, async () => {
      const port = await serve();
      const flood = [];
      for (let index = 0; index < MOST; index += 1) {
        const one = await open(port, `127.0.0.${index + 1}`);
        one.write('GET /unread HTTP/1.1\r\nhost: x\r\n\r\n');
        assert.equal(await one.answer(), 'HTTP/1.1 200 OK');
        flood.push(one);
      }
      const honest = await open(port, '127.1.0.1');
      honest.write(GET);
      assert.equal(await honest.answer(), 'HTTP/1.1 200 OK');
      await flood[0]!.closed;
    });

    it('are those of a request whose body is not complete, and none that is being answered', async () => {
      const port = await serve();
      const slow = await open(port, '127.0.0.1');
      slow.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nhalf');
      const others = [];
      for (let index = 0; index < MOST; index += 1) others.push(await open(port, '127.0.0.1'));
      await slow.closed;
      others.at(-1)!.write(GET);
      assert.equal(await others.at(-1)!.answer(), 'HTTP/1.1 200 OK');
    });
  });
}
