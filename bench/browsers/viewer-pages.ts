import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const require = createRequire(import.meta.url);
const sdkFile = join(dirname(require.resolve('@millicast/sdk/package.json')), 'dist/millicast.umd.js');

export interface ViewedStream {
  /** The origin of the server. */
  readonly endpoint: string;
  readonly accountId: string;
  readonly streamName: string;
  readonly token?: string;
}

/** A customer's page with our tag, as in the README: the server serves the script. */
const tagPage = ({ endpoint, accountId, streamName, token }: ViewedStream) => `
<script type="module" src="${endpoint}/streamgate.js"></script>
<stream-viewer autoplay account-id="${accountId}" stream-name="${streamName}"${
  token ? ` token="${token}"` : ''
}></stream-viewer>`;

/** The shortest page that plays a stream with the SDK, as in its documentation. */
const sdkPage = ({ endpoint, accountId, streamName, token }: ViewedStream) => `
<sdk-viewer></sdk-viewer>
<script src="/millicast.umd.js"></script>
<script>
  const video = document.createElement('video');
  video.muted = video.autoplay = true;
  document.querySelector('sdk-viewer').attachShadow({ mode: 'open' }).append(video);
  const { Director, View } = millicast;
  Director.setEndpoint('${endpoint}');
  const view = new View('${streamName}', () =>
    Director.getSubscriber({
      streamName: '${streamName}',
      streamAccountId: '${accountId}',
      ${token ? `subscriberToken: '${token}',` : ''}
    }),
  );
  view.on('track', (event) => { video.srcObject = event.streams[0]; });
  view.connect();
</script>`;

export interface ViewerPages {
  readonly tag: string;
  readonly sdk: string;
  stop(): void;
}

/**
 * Serves a customer's site on an origin of its own: one page with our tag, and one page with the unmodified SDK, which
 * the site serves itself. Browsers do not cache any of it.
 */
export async function serveViewerPages(stream: ViewedStream): Promise<ViewerPages> {
  const html = (body: string) => ({
    zipped: gzipSync(`<!doctype html><title>Customer</title>${body}`),
    type: 'text/html',
  });
  const files = new Map([
    ['/tag', html(tagPage(stream))],
    ['/sdk', html(sdkPage(stream))],
    ['/millicast.umd.js', { zipped: gzipSync(readFileSync(sdkFile)), type: 'text/javascript' }],
  ]);
  const server = createServer((req, res) => {
    const file = files.get(req.url ?? '');
    if (!file) return res.writeHead(404).end();
    return res
      .writeHead(200, { 'content-type': file.type, 'content-encoding': 'gzip', 'cache-control': 'no-store' })
      .end(file.zipped);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    tag: `http://127.0.0.1:${port}/tag`,
    sdk: `http://127.0.0.1:${port}/sdk`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
