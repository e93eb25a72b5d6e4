import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

export interface AppServer {
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves a built app on an origin of its own. Where its pages name a server of ours by its usual address, they get `streamgate`. */
export async function serveApp(folder: string, streamgate: string): Promise<AppServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost');
    const file = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    const type = TYPES[extname(file)];
    readFile(join(folder, file), 'utf8').then(
      (text) =>
        response
          .setHeader('content-type', `${type}; charset=utf-8`)
          .end(text.replaceAll('http://localhost:8080', streamgate)),
      () => response.writeHead(404).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
