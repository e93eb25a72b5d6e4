import type { Page } from '@playwright/test';
import type * as Streamgate from '../../../src/cdn.ts';
import { expectMovingPicture, mediaFlows, phaseOf } from '../support/pages.ts';
import { expect, test } from '../support/test.ts';

declare global {
  interface Window {
    /** Makes a token, as a page's own server would. */
    makeToken(role: string): Promise<string>;
    reasons: string[];
    phases: string[];
  }
}

/** What a first token holds; those that follow hold long enough for everything. */
const SECONDS = 16;

test('tokens are replaced before they expire: the broadcast goes on, and its viewer sees no break', async ({
  server,
  tokens,
  streamName,
  page,
  context,
}) => {
  const made: Record<string, number> = {};
  const makeToken = (role: string) => {
    made[role] = (made[role] ?? 0) + 1;
    const expires = made[role] === 1 ? SECONDS : 3600;
    return role === 'publish' ? tokens.publish(streamName, { expires }) : tokens.subscribe(streamName, { expires });
  };
  const open = async (place: Page, tag: 'stream-broadcaster' | 'stream-viewer') => {
    await place.exposeFunction('makeToken', makeToken);
    await place.goto(`${server.origin}/viewer`);
    await place.evaluate(
      async ([name, stream]) => {
        const file = '/streamgate.js';
        await (import(file) as Promise<typeof Streamgate>);
        Object.assign(window, { reasons: [], phases: [] });
        const element = document.createElement(name);
        element.streamName = stream;
        element.tokenProvider = ({ role, reason }) => {
          window.reasons.push(reason);
          return window.makeToken(role);
        };
        for (const event of ['stream-live', 'stream-error', 'stream-rejected', 'stream-ended'])
          element.addEventListener(event, ({ type }) => window.phases.push(type));
        document.body.replaceChildren(element);
        if (element.localName === 'stream-broadcaster') {
          await (element as Streamgate.StreamBroadcasterElement).openCamera();
          (element as Streamgate.StreamBroadcasterElement).goLive();
        } else (element as Streamgate.StreamViewerElement).autoplay = true;
      },
      [tag, streamName] as const,
    );
    await expect.poll(() => phaseOf(place, tag)).toBe('live');
  };
  const told = (place: Page) => place.evaluate(() => ({ reasons: window.reasons, events: window.phases }));

  await open(page, 'stream-broadcaster');
  await mediaFlows(server.origin, streamName);
  const viewing = await context.newPage();
  await open(viewing, 'stream-viewer');
  const since = Date.now();
  const renewed = { reasons: ['first', 'expiring'], events: ['stream-live'] };
  await expect.poll(() => told(page)).toEqual(renewed);
  await expect.poll(() => told(viewing)).toEqual(renewed);
  // Both first tokens are over by then, and the server ends at once whatever they alone admitted.
  await expect.poll(() => Date.now() - since).toBeGreaterThan((SECONDS + 2) * 1000);
  await expectMovingPicture(viewing);
  expect([await told(page), await told(viewing)]).toEqual([renewed, renewed]);
});
