import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const folder = dirname(require.resolve('whip-whep/package.json'));
const MODULES: ReadonlySet<string | undefined> = new Set(['/whip.js', '/whep.js']);

/**
 * Serves a page with the unmodified clients of the `whip-whep` package on a free port of the loopback address, as another
 * site. The clients are `window.WHIPClient` and `window.WHEPClient`.
 */
export async function serveWhipWhepPage(): Promise<{ url: string; stop: () => void }> {
  const server = createServer((req, res) => {
    if (MODULES.has(req.url)) {
      res.setHeader('content-type', 'text/javascript');
      createReadStream(join(folder, req.url!)).pipe(res);
      return;
    }
    res.setHeader('content-type', 'text/html');
    res.end(
      '<!doctype html><title>WHIP and WHEP</title><whep-player></whep-player><script type="module">' +
        "import { WHIPClient } from './whip.js'; import { WHEPClient } from './whep.js';" +
        'Object.assign(window, { WHIPClient, WHEPClient });</script>',
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
