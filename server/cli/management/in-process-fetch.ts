import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type RequestListener } from 'node:http';
import { duplexPair } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** A `fetch` that asks `listener` within this process: there is no port at which anybody else could knock. */
export function inProcessFetch(listener: RequestListener): typeof fetch {
  const server = createServer(listener);
  return async (input, init) => {
    const asked = new Request(input, init);
    const body = new Uint8Array(await asked.arrayBuffer());
    const [near, far] = duplexPair();
    server.emit('connection', far);
    const sent = request(asked.url, {
      method: asked.method,
      headers: Object.fromEntries(asked.headers),
      signal: asked.signal,
      createConnection: () => near,
    });
    const answered = once(sent, 'response');
    sent.end(body);
    const [answer] = await answered;
    return await responseOf(answer);
  };
}

async function responseOf(answer: IncomingMessage): Promise<Response> {
  const { statusCode: status = 0, statusMessage: statusText = '', headersDistinct } = answer;
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const body = await buffer(answer);
  return new Response(body.length > 0 ? body : null, { status, statusText, headers });
}
