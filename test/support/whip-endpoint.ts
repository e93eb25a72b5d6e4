import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Cleanup } from './cleanup.js';
import { until } from './media/until.js';
import { ANSWER } from './upstream-exchanges.js';

export interface UpstreamCallReceived {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Respond = (response: ServerResponse, call: UpstreamCallReceived) => void;

/** An upstream on the loopback address whose answers a test decides. By default every offer is answered, and all is live. */
export async function whipEndpoint(cleanup: Cleanup) {
  const calls: UpstreamCallReceived[] = [];
  let sessions = 0;
  const respond: Record<string, Respond> = {
    POST: (response) => {
      sessions += 1;
      response.writeHead(201, { 'content-type': 'application/sdp', location: `/session/${sessions}` }).end(ANSWER);
    },
    DELETE: (response) => response.writeHead(200).end(),
    GET: (response) => response.writeHead(200).end('{"ready":true}'),
  };
  const server = createServer(async (request, response) => {
    const call = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: await text(request),
    };
    calls.push(call);
    respond[call.method]!(response, call);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.after(() => server.closeAllConnections());
  cleanup.after(() => server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const of = (method: string) => calls.filter((call) => call.method === method);
  return {
    origin,
    /** By method. */
    respond,
    of,
    pathsOf: (method: string) => of(method).map(({ path }) => path),
    received: (method: string, count: number) => until(`${count} calls of ${method}`, () => of(method).length >= count),
    upstream: {
      software: 'mediamtx',
      urls: { publish: `${origin}/{name}/whip`, view: `${origin}/{name}/whep`, status: `${origin}/paths/{name}` },
      tokens: { publish: 'publish-token', view: 'view-token', status: 'status-token' },
    } as const,
  };
}
