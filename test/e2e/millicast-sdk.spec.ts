import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { expectMovingPicture, openViewer } from './support/pages.ts';
import { expect, test } from './support/test.ts';

const require = createRequire(import.meta.url);
const sdkFile = join(dirname(require.resolve('@millicast/sdk/package.json')), 'dist/millicast.umd.js');
const sdk = readFileSync(sdkFile, 'utf8');

/** The part of the SDK's global that the tests call. */
interface Sdk {
  Director: {
    setEndpoint(origin: string): void;
    getPublisher(ask: object): Promise<object>;
    getSubscriber(ask: object): Promise<object>;
  };
  Publish: new (
    streamName: string,
    tokenGenerator: () => Promise<object>,
  ) => { connect(options: object): Promise<void> };
  View: new (
    streamName: string,
    tokenGenerator: () => Promise<object>,
  ) => {
    on(event: 'track', listener: (event: RTCTrackEvent) => void): void;
    connect(options?: object): Promise<void>;
  };
}

/** A page on the server's own origin with the SDK in it, as unchanged as npm has it. */
async function openSdkPage(page: Page, origin: string): Promise<void> {
  await page.route(`${origin}/sdk-test`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>SDK</title><div id="view"></div>' }),
  );
  await page.goto(`${origin}/sdk-test`);
  await page.addScriptTag({ content: sdk });
}

async function publishBySdk(page: Page, ask: { origin: string; streamName: string; token: string; codec: string }) {
  await page.evaluate(async ({ origin, streamName, token, codec }) => {
    const { Director, Publish } = (window as unknown as { millicast: Sdk }).millicast;
    Director.setEndpoint(origin);
    const publisher = new Publish(streamName, () => Director.getPublisher({ token, streamName }));
    const mediaStream = await navigator.mediaDevices.getUserMedia({ audio: true, video: true });
    await publisher.connect({ mediaStream, codec });
  }, ask);
}

async function viewBySdk(page: Page, ask: { origin: string; streamName: string; token?: string }) {
  await page.evaluate(async ({ origin, streamName, token }) => {
    const { Director, View } = (window as unknown as { millicast: Sdk }).millicast;
    Director.setEndpoint(origin);
    const view = new View(streamName, () =>
      Director.getSubscriber({ streamName, streamAccountId: 'main', subscriberToken: token }),
    );
    // The video stands where the samplers look for one: in the shadow of an element.
    const host = document.createElement('sdk-viewer');
    const video = document.createElement('video');
    video.muted = video.autoplay = true;
    host.attachShadow({ mode: 'open' }).append(video);
    document.body.append(host);
    view.on('track', (event) => {
      video.srcObject = event.streams[0] ?? null;
    });
    await view.connect();
  }, ask);
}

test.describe('the unmodified @millicast/sdk', () => {
  for (const codec of ['h264', 'vp8']) {
    test(`publishes ${codec}, and both its own viewer and ours see it`, async ({
      server,
      tokens,
      streamName,
      context,
    }) => {
      const { origin } = server;
      const publisher = await context.newPage();
      await openSdkPage(publisher, origin);
      await publishBySdk(publisher, { origin, streamName, token: await tokens.publish(streamName), codec });

      const theirs = await context.newPage();
      await openSdkPage(theirs, origin);
      await viewBySdk(theirs, { origin, streamName });
      await expectMovingPicture(theirs, 'sdk-viewer');

      const ours = await context.newPage();
      await openViewer(ours, { origin, streamName });
      await expectMovingPicture(ours);
    });
  }

  test('waits with a subscribe token for a stream to begin', async ({ server, tokens, streamName, context }) => {
    const { origin } = server;
    const viewer = await context.newPage();
    await openSdkPage(viewer, origin);
    await viewBySdk(viewer, { origin, streamName, token: await tokens.subscribe(streamName) });

    const publisher = await context.newPage();
    await openSdkPage(publisher, origin);
    await publishBySdk(publisher, { origin, streamName, token: await tokens.publish(streamName), codec: 'vp8' });
    await expectMovingPicture(viewer, 'sdk-viewer');
  });

  test('reads our refusals', async ({ server, streamName, page }) => {
    const { origin } = server;
    await openSdkPage(page, origin);
    const refusal = viewBySdk(page, { origin, streamName, token: '00'.repeat(32) });
    await expect(refusal).rejects.toThrow(/Unauthorized: Invalid token/);
  });
});
