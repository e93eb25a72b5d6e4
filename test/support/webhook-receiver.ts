import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Cleanup } from './cleanup.js';
import { until } from './media/until.js';

export interface ReceivedCall {
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
}

/** A receiver of webhooks on the loopback address. `answer` may leave a call without an answer. */
export async function webhookReceiver(
  cleanup: Cleanup,
  answer: (response: ServerResponse, call: ReceivedCall) => void = (response) => response.writeHead(204).end(),
) {
  const calls: ReceivedCall[] = [];
  const server = createServer(async (request, response) => {
    try {
      const call = { body: await text(request), headers: request.headers, path: request.url ?? '' };
      calls.push(call);
      answer(response, call);
    } catch {
      // The caller broke the call off.
    }
  }).listen(0, '127.0.0.1');
  let connections = 0;
  server.on('connection', () => (connections += 1));
  await once(server, 'listening');
  cleanup.after(() => server.closeAllConnections());
  cleanup.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    port,
    calls,
    connections: () => connections,
    /** Resolves when as many calls were answered. */
    async received(count: number): Promise<readonly ReceivedCall[]> {
      await until(`${count} calls of webhooks`, () => calls.length >= count);
      return calls;
    },
    types: () => calls.map(({ body }): string => JSON.parse(body).type),
  };
}
