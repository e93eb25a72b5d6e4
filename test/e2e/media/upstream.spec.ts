import { RestTokens } from '../../support/rest-tokens.ts';
import { serveSdkPage } from '../../support/sdk-page.ts';
import { startServer } from '../../support/server-process.ts';
import { expectMovingPicture, openViewer, phaseOf } from '../support/pages.ts';
import { installSdkApp, SdkApp } from '../support/sdk-app.ts';
import { expect, test as base } from '../support/test.ts';

interface Upstream {
  readonly origin: string;
  readonly secret: string;
}

/** The server of these tests has its media carried by another one. */
const test = base.extend<object, { upstream: Upstream }>({
  upstream: [
    async ({ server, apiSecret }, use) => {
      const media = await startServer();
      const { secret } = await media.cli('secret', 'create', '--account', 'main');
      const tokens = new RestTokens(media.origin, String(secret));
      const streams = [{ streamName: '.*', isRegex: true }];
      const response = await fetch(`${server.origin}/api/upstreams`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${apiSecret}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          software: 'streamgate',
          publishUrl: `${media.origin}/api/whip/{name}`,
          viewUrl: `${media.origin}/api/whep/main/{name}`,
          statusUrl: `${media.origin}/api/live`,
          publishToken: (await tokens.create('publish_token', { streams })).Token,
          viewToken: (await tokens.create('subscribe_token', { streams })).Token,
          statusToken: secret,
        }),
      });
      if (!response.ok) throw new Error(await response.text());
      await use({ origin: media.origin, secret: String(secret) });
      await media.stop();
    },
    { scope: 'worker', auto: true },
  ],
});

test.use({ environment: { UPSTREAM_ALLOWED_NETWORKS: '127.0.0.1' } });

/** How many sessions of a stream the upstream has. */
async function sessionsAt({ origin, secret }: Upstream, streamName: string): Promise<number> {
  const url = `${origin}/api/streams/${streamName}/sessions?state=open&itemsOnPage=100`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${secret}` } });
  const { data }: { data: readonly unknown[] } = await response.json();
  return data.length;
}

test('a server whose media another one carries shows a stream to viewers who waited, and ends what it left there', async ({
  server,
  upstream,
  tokens,
  streamName,
  context,
  broadcast,
}) => {
  const { origin } = server;
  const token = await tokens.subscribe(streamName);
  const viewer = await context.newPage();
  await openViewer(viewer, { origin, streamName, token });
  await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('waiting');
  const { url, stop } = await serveSdkPage(`(${installSdkApp})()`);
  const sdk = await context.newPage();
  await sdk.goto(url);
  const viewing = new SdkApp(sdk).view({ origin, streamName, token });

  await broadcast();
  await viewing;
  await expectMovingPicture(viewer);
  await sdk.bringToFront();
  await expectMovingPicture(sdk, 'sdk-viewer');
  expect(await sessionsAt(upstream, streamName)).toBe(3);
  await sdk.close();
  stop();

  await server.restart('SIGKILL');
  await expect.poll(() => server.output()).toContain('sessions that a server left at its upstream are ended');
  await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('live');
  await expectMovingPicture(viewer);
  await expect.poll(() => sessionsAt(upstream, streamName)).toBe(2);
});
