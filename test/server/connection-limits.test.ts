import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, it } from 'node:test';
import { ConnectionLimits, placesFor } from '../../server/connection-limits.js';
import { Cleanup } from '../support/cleanup.js';
import { until } from '../support/media/until.js';

const CERTIFICATES = join(import.meta.dirname, '../support/certificates');
const read = (name: string) => readFileSync(join(CERTIFICATES, name));
const MOST = 4;
const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

for (const scheme of ['HTTP', 'HTTPS'] as const) {
  describe(`connections over ${scheme}`, () => {
    const cleanup = new Cleanup();
    afterEach(() => cleanup.run());

    /** @param body what each answer has */
    const serve = async ({ body = 'done' as string | Buffer, answering = true } = {}) => {
      const server: Server =
        scheme === 'HTTP'
          ? createServer()
          : createTlsServer({ cert: read('trusted.pem'), key: read('server.key.pem') });
      const limits = new ConnectionLimits({ mostWaiting: MOST, mostUnread: MOST });
      const asked: Socket[] = [];
      limits.serve(server, (request, response) => {
        asked.push(request.socket);
        if (answering) request.resume().once('end', () => response.end(body));
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      cleanup.after(() => void server.close());
      cleanup.after(() => server.closeAllConnections());
      return { port: (server.address() as AddressInfo).port, limits, asked, server };
    };
    const open = async (port: number, localAddress: string) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress });
      const secured = scheme === 'HTTP' ? socket : connectTls({ socket, rejectUnauthorized: false });
      const closed = once(socket, 'close');
      secured.on('error', () => {});
      cleanup.after(() => socket.destroy());
      await once(secured, scheme === 'HTTP' ? 'connect' : 'secureConnect');
      const answer = async () => String((await once(secured, 'data'))[0]).split('\r\n', 1)[0];
      return { closed, answer, write: (text: string) => secured.write(text), ignore: () => secured.pause() };
    };

    it('that wait for a request lose their oldest in the network that has the most, when there are too many', async () => {
      const { port } = await serve();
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

    it('wait for the rest of a request whose body is not complete, and not while they are answered', async () => {
      const { port } = await serve();
      const slow = await open(port, '127.0.0.1');
      slow.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nhalf');
      const others = [];
      for (let index = 0; index < MOST; index += 1) others.push(await open(port, '127.0.0.1'));
      await slow.closed;
      others.at(-1)!.write(GET);
      assert.equal(await others.at(-1)!.answer(), 'HTTP/1.1 200 OK');
    });

    it('are closed with those of their address that wait, if they send many requests before the first is answered', async () => {
      const { port, asked } = await serve({ answering: false });
      const neighbour = await open(port, '127.0.0.2');
      const waiting = await open(port, '127.0.0.1');
      const hasty = await open(port, '127.0.0.1');
      hasty.write(GET.repeat(500));
      await Promise.all([hasty.closed, waiting.closed]);
      assert.equal(asked.length, 4);
      neighbour.write(GET.repeat(4));
      await until('four more are asked', () => asked.length === 8);
    });

    it('may have many requests one after the other', async () => {
      const { port, asked } = await serve();
      const patient = await open(port, '127.0.0.1');
      for (let turn = 0; turn < 10; turn += 1) {
        patient.write(GET);
        await patient.answer();
      }
      assert.equal(asked.length, 10);
    });

    it('are not limited here once they are websockets', async () => {
      const { port, limits, server } = await serve();
      const upgraded: Socket[] = [];
      server.on('upgrade', ({ socket }) => {
        upgraded.push(socket);
        socket.on('error', () => {});
        socket.write(Buffer.alloc(20_000_000));
      });
      for (let index = 0; index <= MOST; index += 1) {
        const idle = await open(port, '127.0.0.1');
        idle.ignore();
        idle.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
        await until('it is upgraded', () => upgraded.length === index + 1);
      }
      const taken = () => upgraded.map(({ bytesWritten, writableLength }) => bytesWritten - writableLength).join();
      let before = '';
      // So long that the system takes no more.
      await until('nothing is read', () => {
        const isSame = before === taken();
        before = taken();
        limits.look();
        return isSame;
      });
      limits.look();
      assert.ok(upgraded.every(({ destroyed }) => !destroyed));
    });

    it('whose answers are not read lose one in the network that has the most, when there are too many', async () => {
      const { port, limits, asked } = await serve({ body: Buffer.alloc(20_000_000) });
      const honest = await open(port, '127.1.0.1');
      for (let index = 0; index <= MOST; index += 1) {
        const lazy = await open(port, '127.0.0.1');
        lazy.ignore();
        lazy.write(GET);
        await until('it is asked', () => asked.length === index + 1);
      }
      const closed = () => asked.filter(({ destroyed }) => destroyed).length;
      await until('one is closed', () => {
        // Also before it is closed.
        for (let look = 0; look < MOST; look += 1) limits.look();
        return closed() > 0;
      });
      limits.look();
      assert.equal(closed(), 1);
      honest.write(GET);
      assert.equal(await honest.answer(), 'HTTP/1.1 200 OK');
    });
  });
}

describe('the places for connections', () => {
  for (const [descriptors, places] of [
    [65_536, 5_000],
    [3_000, 1_500],
    [1, 1],
    [Infinity, 5_000],
  ] as const) {
    it(`are ${places} with ${descriptors} file descriptors`, () => {
      assert.equal(placesFor(descriptors), places);
    });
  }
});
