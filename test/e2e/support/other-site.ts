import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

type Content = string | { readonly body: string | Buffer; readonly headers: Readonly<Record<string, string>> };

/** A website on another origin, and another site, than the server. */
export class OtherSite {
  readonly #server: Server;
  /** By path. Can be changed at any time. */
  readonly #contents = new Map<string, Content>();

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', ({ url = '/' }, res) => {
      const content = this.#contents.get(url.split('?')[0]!);
      if (content === undefined) return void res.writeHead(404).end();
      const { body, headers } = typeof content === 'string' ? { body: content, headers: {} } : content;
      res.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);
    });
  }

  static async open(): Promise<OtherSite> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new OtherSite(server);
  }

  get origin(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  /** @returns its address */
  put(path: string, content: Content): string {
    this.#contents.set(path, content);
    return this.origin + path;
  }

  /** A script, for pages of every origin. */
  putScript(path: string, body: string | Buffer): string {
    const headers = { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' };
    return this.put(path, { body, headers });
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}
