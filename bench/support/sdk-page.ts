import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';

const sdkFile = join(
  dirname(createRequire(import.meta.url).resolve('@millicast/sdk/package.json')),
  'dist/millicast.umd.js',
);

/** The shortest page that plays a stream with the SDK, as its documentation shows it. */
const page = (endpoint: string, streamName: string) => `<!doctype html>
<title>SDK viewer</title>
<sdk-viewer></sdk-viewer>
<script src="/millicast.umd.js"></script>
<script>
  const host = document.querySelector('sdk-viewer');
  const video = document.createElement('video');
  video.muted = video.autoplay = true;
  host.attachShadow({ mode: 'open' }).append(video);
  const { Director, View } = millicast;
  Director.setEndpoint('${endpoint}');
  const view = new View('${streamName}', () =>
    Director.getSubscriber({ streamName: '${streamName}', streamAccountId: 'main' }),
  );
  view.on('track', (event) => { video.srcObject = event.streams[0]; });
  view.connect();
</script>`;

/** Serves that page and the unmodified SDK on a free port of the loopback address. */
export async function serveSdkPage(endpoint: string, streamName: string): Promise<{ url: string; stop: () => void }> {
  const server = createServer((req, res) => {
    if (req.url === '/millicast.umd.js') {
      res.setHeader('content-type', 'text/javascript');
      createReadStream(sdkFile).pipe(res);
      return;
    }
    res.setHeader('content-type', 'text/html');
    res.end(page(endpoint, streamName));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, stop: () => server.close() };
}
