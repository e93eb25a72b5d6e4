import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, preview, type ProxyOptions } from 'vite';
import { root } from './run-command.ts';

export interface PlaygroundServer {
  /** As `http://127.0.0.1:PORT`. */
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * Builds the playground and serves it on a free port of the loopback address.
 *
 * @param options.server origin of a server for its calls; without one, the playground only simulates
 */
export async function openPlayground({ server: target }: { server?: string } = {}): Promise<PlaygroundServer> {
  const outDir = mkdtempSync(join(tmpdir(), 'streamgate-playground-'));
  const config = { configFile: join(root, 'demo/vite.config.ts'), logLevel: 'error' } as const;
  await build({ ...config, build: { outDir } });
  const proxy: Record<string, ProxyOptions> = target ? { '/api': { target }, '/ws': { target, ws: true } } : {};
  const server = await preview({ ...config, build: { outDir }, preview: { port: 0, host: '127.0.0.1', proxy } });
  const { port } = server.httpServer.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      await server.close();
      rmSync(outDir, { recursive: true, force: true });
    },
  };
}
