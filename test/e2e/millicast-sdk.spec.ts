import type { Page } from '@playwright/test';
import { expectMovingPicture, mediaFlows, openViewer } from './support/pages.ts';
import { serveSdkPage } from '../support/sdk-page.ts';
import { expect, test as base } from './support/test.ts';

const test = base.extend<object, { sdkPage: string }>({
  sdkPage: [
    async ({}, use) => {
      const { url, stop } = await serveSdkPage();
      await use(url);
      stop();
    },
    { scope: 'worker' },
  ],
});

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
    const video = document.createElement('video');
    video.muted = video.autoplay = true;
    document.querySelector('sdk-viewer')!.attachShadow({ mode: 'open' }).append(video);
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
      sdkPage,
      streamName,
      context,
    }) => {
      const { origin } = server;
      const publisher = await context.newPage();
      await publisher.goto(sdkPage);
      await publishBySdk(publisher, { origin, streamName, token: await tokens.publish(streamName), codec });
      await mediaFlows(origin, streamName);

      const theirs = await context.newPage();
      await theirs.goto(sdkPage);
      await viewBySdk(theirs, { origin, streamName });
      await expectMovingPicture(theirs, 'sdk-viewer');

      const ours = await context.newPage();
      await openViewer(ours, { origin, streamName });
      await expectMovingPicture(ours);
    });
  }

  test('waits with a subscribe token for a stream to begin', async ({
    server,
    tokens,
    sdkPage,
    streamName,
    context,
  }) => {
    const { origin } = server;
    const viewer = await context.newPage();
    await viewer.goto(sdkPage);
    await viewBySdk(viewer, { origin, streamName, token: await tokens.subscribe(streamName) });

    const publisher = await context.newPage();
    await publisher.goto(sdkPage);
    await publishBySdk(publisher, { origin, streamName, token: await tokens.publish(streamName), codec: 'vp8' });
    await expectMovingPicture(viewer, 'sdk-viewer');
  });

  test('reads our refusals', async ({ server, sdkPage, streamName, page }) => {
    const { origin } = server;
    await page.goto(sdkPage);
    const refusal = viewBySdk(page, { origin, streamName, token: '00'.repeat(32) });
    await expect(refusal).rejects.toThrow(/Unauthorized: Invalid token/);
  });
});
