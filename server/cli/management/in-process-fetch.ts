import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type RequestListener } from 'node:http';
import { duplexPair } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/**
 * A `fetch` that calls `listener` inside this process. It opens no port, so that no other process can call. Why this is not
 * light-my-request: docs/decisions/0021.
 */
export function inProcessFetch(listener: RequestListener): typeof fetch {
  const server = createServer(listener);
  return async (input, init) => {
    const asked = new Request(input, init);
    const body = new Uint8Array(await asked.arrayBuffer());
    const [clientEnd, serverEnd] = duplexPair();
    server.emit('connection', serverEnd);
    const sent = request(asked.url, {
      method: asked.method,
      headers: Object.fromEntries(asked.headers),
      signal: asked.signal,
      createConnection: () => clientEnd,
    });
    const responded = once(sent, 'response');
    sent.end(body);
    const [response] = await responded;
    return await toFetchResponse(response);
  };
}

async function toFetchResponse(message: IncomingMessage): Promise<Response> {
  const { statusCode: status = 0, statusMessage: statusText = '', headersDistinct } = message;
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const body = await buffer(message);
  return new Response(body.length > 0 ? body : null, { status, statusText, headers });
}
