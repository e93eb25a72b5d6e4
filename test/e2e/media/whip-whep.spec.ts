import type { Page } from '@playwright/test';
import { whenThereIsRoom } from '../../support/when-there-is-room.ts';
import { expectMovingPicture, expectSound, mediaFlows, openViewer } from '../support/pages.ts';
import { expect, test as base } from '../support/test.ts';

const test = base.extend<{ openSite: () => Promise<SitePage> }>({
  /** Opens another page of a site that uses the package. */
  openSite: async ({ whipWhepPage, context }, use) =>
    use(async () => {
      const page = await context.newPage();
      const records = record(page);
      await page.goto(whipWhepPage);
      return { page, ...records };
    }),
});

interface SitePage {
  readonly page: Page;
  /** Method and status of each response from the URLs of the session. */
  readonly responses: readonly string[];
  /** Uncaught errors of the page. */
  readonly errors: readonly string[];
}

/** The part of the package's clients that the tests call. */
interface Client {
  readonly eventSource?: EventSource;
  restart(): Promise<void>;
  stop(): Promise<void>;
  selectLayer(layer: object): Promise<void>;
}
interface Site {
  WHIPClient: new () => Client & { publish(pc: RTCPeerConnection, url: string, token?: string): Promise<void> };
  WHEPClient: new () => Client & { view(pc: RTCPeerConnection, url: string, token?: string): Promise<void> };
  /** The client of this page. */
  client: Client;
  /** The names of the received events. */
  eventNames: string[];
}

interface SessionOptions {
  readonly url: string;
  readonly token?: string;
  /** The simulcast encodings of the video, the smallest first. */
  readonly encodings?: RTCRtpEncodingParameters[] | undefined;
}

/** Publishes the page's camera and microphone as the package's readme does. */
function publish(page: Page, options: SessionOptions): Promise<void> {
  return whenThereIsRoom(() =>
    page.evaluate(async ({ url, token, encodings = [] }) => {
      const site = window as unknown as Site;
      const video = encodings.length > 1 ? { width: 1280, height: 720 } : true;
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true, video });
      const connection = new RTCPeerConnection({ bundlePolicy: 'max-bundle' });
      for (const track of stream.getTracks()) {
        const sendEncodings = track.kind === 'video' ? encodings : [];
        connection.addTransceiver(track, { direction: 'sendonly', sendEncodings });
      }
      const client = new site.WHIPClient();
      site.client = client;
      await client.publish(connection, url, token);
    }, options),
  );
}

/** Plays as the package's readme does, in a video where `expectMovingPicture` and others expect it. */
function view(page: Page, options: SessionOptions): Promise<void> {
  return whenThereIsRoom(() =>
    page.evaluate(async ({ url, token }) => {
      const site = window as unknown as Site;
      const connection = new RTCPeerConnection({ bundlePolicy: 'max-bundle' });
      for (const kind of ['audio', 'video']) connection.addTransceiver(kind, { direction: 'recvonly' });
      const video = document.createElement('video');
      video.muted = video.autoplay = true;
      const player = document.querySelector('whep-player')!;
      (player.shadowRoot ?? player.attachShadow({ mode: 'open' })).replaceChildren(video);
      connection.ontrack = ({ streams }) => {
        video.srcObject = streams[0] ?? null;
      };
      const client = new site.WHEPClient();
      site.client = client;
      await client.view(connection, url, token);
    }, options),
  );
}

/** Records the names of the received events. The first events describe the current state. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.waitForFunction(() => (window as unknown as Site).client.eventSource !== undefined);
  await page.evaluate(() => {
    const site = window as unknown as Site;
    site.eventNames = [];
    for (const name of ['active', 'inactive', 'viewercount', 'layers', 'stopped']) {
      site.client.eventSource!.addEventListener(name, () => site.eventNames.push(name));
    }
  });
  return () => page.evaluate(() => (window as unknown as Site).eventNames);
}

/** The layers of the next `layers` event, the smallest first. */
function reportedLayers(): Promise<{ encodingId: string; width: number }[]> {
  return new Promise((resolve) => {
    const { eventSource } = (window as unknown as Site).client;
    eventSource!.addEventListener(
      'layers',
      ({ data }) => {
        const { medias } = JSON.parse(data) as {
          medias: Record<string, { layers: { encodingId: string; width: number }[] }>;
        };
        const layers = Object.values(medias).flatMap((media) => media.layers);
        resolve(layers.toSorted((a, b) => a.width - b.width));
      },
      { once: true },
    );
  });
}

function shownWidth(): number {
  return document.querySelector('whep-player')!.shadowRoot!.querySelector('video')!.videoWidth;
}

function record(page: Page): Omit<SitePage, 'page'> {
  const responses: string[] = [];
  const errors: string[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/api/')) responses.push(`${response.request().method()} ${response.status()}`);
  });
  page.on('pageerror', ({ message }) => errors.push(message));
  return { responses, errors };
}

const whip = (origin: string, name: string, codec?: string) =>
  `${origin}/api/whip/${encodeURIComponent(name)}${codec ? `?codec=${codec}` : ''}`;
/** The smallest first. */
const threeSizes = [4, 2, 1].map((scaleResolutionDownBy, index) => ({ rid: `r${index}`, scaleResolutionDownBy }));
const whep = (origin: string, name: string) => `${origin}/api/whep/main/${encodeURIComponent(name)}`;

test.describe('the WHIP and WHEP clients of the whip-whep package', () => {
  test('publish three sizes under a name with a slash, play each size that is selected, go on after a refused ICE restart, and see the next broadcast', async ({
    server: { origin },
    tokens,
    streamName,
    page: ours,
    openSite,
  }) => {
    const name = `${streamName}/camera 1`;
    const token = await tokens.publish(name);
    const publisher = await openSite();
    await publish(publisher.page, { url: whip(origin, name, 'vp8'), token, encodings: threeSizes });
    await mediaFlows({ origin, streamName: name });
    const player = await openSite();
    await view(player.page, { url: whep(origin, name) });
    await expectMovingPicture(player.page, 'whep-player');
    await expectSound(player.page, 'whep-player');
    await openViewer(ours, { origin, streamName: name });
    await expectMovingPicture(ours);
    await ours.close();

    await player.page.waitForFunction(() => (window as unknown as Site).client.eventSource !== undefined);
    const layers = () => player.page.evaluate(reportedLayers);
    await expect.poll(async () => (await layers()).map(({ width }) => width)).toEqual([320, 640, 1280]);
    for (const { encodingId, width } of await layers()) {
      await player.page.evaluate(
        (id) => (window as unknown as Site).client.selectLayer({ encodingId: id }),
        encodingId,
      );
      await expect
        .poll(() => player.page.evaluate(shownWidth), { message: `layer ${encodingId} is shown` })
        .toBe(width);
    }
    const restart = player.page.evaluate(() => (window as unknown as Site).client.restart());
    await expect(restart).rejects.toThrow(/rejected with status 422/);
    await expectMovingPicture(player.page, 'whep-player');
    // The server accepted the trickled candidates.
    for (const { responses, errors } of [publisher, player]) {
      expect(responses).toContain('PATCH 204');
      expect(errors).toEqual([]);
    }

    await publisher.page.evaluate(() => (window as unknown as Site).client.stop());
    // The package closes its connection first. If the server notices that first, the session no longer exists.
    expect(publisher.responses.at(-1)).toMatch(/^DELETE (200|404)$/);
    await publish(publisher.page, { url: whip(origin, name, 'h264'), token });
    await mediaFlows({ origin, streamName: name });
    await expectMovingPicture(player.page, 'whep-player');
  });

  test('wait with a token for our broadcaster, receive the events of start and end, and are refused by the same rules', async ({
    server: { origin },
    tokens,
    streamName,
    openSite,
    broadcast,
  }) => {
    const { page: player, errors } = await openSite();
    const token = await tokens.subscribe(streamName);
    const url = whip(origin, streamName);
    await expect(publish(player, { url })).rejects.toThrow(/rejected with status 401/);
    await expect(publish(player, { url, token })).rejects.toThrow(/status 401/);
    await expect(view(player, { url: whep(origin, streamName) })).rejects.toThrow(/status 409/);

    await player.reload();
    await view(player, { url: whep(origin, streamName), token });
    const eventNames = await listen(player);
    const broadcaster = await broadcast();
    await expectMovingPicture(player, 'whep-player');
    await expect.poll(eventNames).toContain('active');
    await broadcaster.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(eventNames).toContain('inactive');
    expect(errors).toEqual([]);
  });
});
