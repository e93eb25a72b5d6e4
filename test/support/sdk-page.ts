import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const sdkFile = join(dirname(require.resolve('@millicast/sdk/package.json')), 'dist/millicast.umd.js');

/**
 * Serves a page with the unmodified SDK on a free port of the loopback address, as another site. `script` runs after the
 * SDK.
 */
export async function serveSdkPage(script = ''): Promise<{ url: string; stop: () => void }> {
  const server = createServer((req, res) => {
    if (req.url === '/millicast.umd.js') {
      res.setHeader('content-type', 'text/javascript');
      createReadStream(sdkFile).pipe(res);
      return;
    }
    res.setHeader('content-type', 'text/html');
    res.end(
      `<!doctype html><title>SDK</title><sdk-viewer></sdk-viewer>` +
        `<script src="/millicast.umd.js"></script><script>${script}</script>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
