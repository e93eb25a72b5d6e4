import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { S3Options } from '../../server/recording/storage/s3-storage.js';
import type { Cleanup } from './cleanup.js';
import { s3 } from './s3.js';

export interface S3Gate {
  /** Of a storage behind the gate. */
  readonly options: S3Options;
  /** `away`: connections are closed. `forbidden`: the key may do nothing. */
  state: 'open' | 'away' | 'forbidden';
  /** Which of the requests are answered with a fault of S3, as in `requests`. None at first. */
  fails: (request: string) => boolean;
  /** `METHOD URL` of all requests so far. */
  readonly requests: string[];
}

/** An S3 that a test takes away and brings back. */
export async function s3Gate(cleanup: Cleanup): Promise<S3Gate> {
  const options = await s3(cleanup);
  const { hostname, port } = new URL(options.endpoint);
  const server = createServer((req, res) => {
    const asked = `${req.method} ${req.url}`;
    gate.requests.push(asked);
    if (gate.state === 'away') return void req.socket.destroy();
    if (gate.state === 'forbidden') {
      res.writeHead(403, { 'content-type': 'application/xml' });
      res.end('<Error><Code>AccessDenied</Code></Error>');
      return;
    }
    if (gate.fails(asked)) return void req.resume().on('end', () => res.writeHead(503).end());
    // s3rver does not know how to end an unfinished upload.
    if (req.method === 'DELETE' && req.url?.includes('?uploadId=')) return void res.writeHead(204).end();
    // The signature covers the header `host`, which stays.
    const { method, url, headers } = req;
    // A connection of its own: s3rver may close an idle one just when it is used again.
    const upstream = request({ hostname, port, method, path: url, headers, agent: false }, (answer) => {
      res.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(res);
    });
    upstream.on('error', () => res.destroy());
    req.pipe(upstream);
  });
  // Clients keep connections: one that is closed for idleness just when it is used again fails.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port: own } = server.address() as AddressInfo;
  const gate: S3Gate = {
    options: { ...options, endpoint: `http://127.0.0.1:${own}` },
    state: 'open',
    fails: () => false,
    requests: [],
  };
  return gate;
}
