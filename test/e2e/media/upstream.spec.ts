import { RestTokens } from '../../support/rest-tokens.ts';
import { serveSdkPage } from '../../support/sdk-page.ts';
import { startServer } from '../../support/server-process.ts';
import { expectMovingPicture, goLive, openBroadcaster, openViewer, phaseOf, refusalCodeOf } from '../support/pages.ts';
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

test.describe('a server whose media another one carries', () => {
  test('shows a stream to a viewer who waited, and again after it ended', async ({
    server: { origin },
    upstream,
    tokens,
    streamName,
    context,
    broadcast,
  }) => {
    const viewer = await context.newPage();
    await openViewer(viewer, { origin, streamName, token: await tokens.subscribe(streamName) });
    await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('waiting');
    const broadcaster = await broadcast();
    await expectMovingPicture(viewer);
    expect(await sessionsAt(upstream, streamName)).toBe(2);

    await broadcaster.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => sessionsAt(upstream, streamName)).toBe(0);
    await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('waiting');
    await goLive(broadcaster);
    await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('live');
    await expectMovingPicture(viewer);
  });

  test('ends the session of a viewer there when the token is revoked', async ({
    server: { origin },
    upstream,
    tokens,
    streamName,
    context,
    broadcast,
  }) => {
    await broadcast();
    const { Id, Token } = await tokens.create('subscribe_token', { streams: [{ streamName }] });
    const viewer = await context.newPage();
    await openViewer(viewer, { origin, streamName, token: Token });
    await expectMovingPicture(viewer);
    await tokens.update('subscribe_token', Id, { isActive: false });
    await expect.poll(() => refusalCodeOf(viewer, 'stream-viewer')).toBe('token_disabled');
    await expect.poll(() => sessionsAt(upstream, streamName)).toBe(1);
  });

  test('serves the unmodified @millicast/sdk, which waits for the stream too', async ({
    server: { origin },
    tokens,
    streamName,
    context,
    broadcast,
  }) => {
    const { url, stop } = await serveSdkPage(`(${installSdkApp})()`);
    const page = await context.newPage();
    await page.goto(url);
    const viewing = new SdkApp(page).view({ origin, streamName, token: await tokens.subscribe(streamName) });
    await broadcast();
    await viewing;
    await page.bringToFront();
    await expectMovingPicture(page, 'sdk-viewer');
    stop();
  });

  test('ends what it left there after it was killed, and everybody comes back', async ({
    server,
    upstream,
    tokens,
    streamName,
    context,
  }) => {
    const { origin } = server;
    const broadcaster = await context.newPage();
    await openBroadcaster(broadcaster, { origin, streamName, token: await tokens.publish(streamName) });
    await goLive(broadcaster);
    const viewer = await context.newPage();
    await openViewer(viewer, { origin, streamName, token: await tokens.subscribe(streamName) });
    await expectMovingPicture(viewer);
    expect(await sessionsAt(upstream, streamName)).toBe(2);

    await server.restart('SIGKILL');
    await expect.poll(() => server.output()).toContain('sessions that a server left at its upstream are ended');
    await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('live');
    await expectMovingPicture(viewer);
    await expect.poll(() => sessionsAt(upstream, streamName)).toBe(2);
  });
});
