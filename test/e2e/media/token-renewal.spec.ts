import type { Page } from '@playwright/test';
import type * as Streamgate from '../../../src/cdn.ts';
import { expectMovingPicture, mediaFlows, phaseOf } from '../support/pages.ts';
import { expect, test } from '../support/test.ts';

declare global {
  interface Window {
    /** Creates a token, like the page's own server. */
    makeToken(role: string): Promise<string>;
    reasons: string[];
    phases: string[];
  }
}

/** The life of the first tokens. Later tokens last longer than the test. */
const SECONDS = 16;

test('tokens are replaced before they expire: the broadcast continues, and its viewer sees no interruption', async ({
  server,
  tokens,
  streamName,
  page,
  context,
}) => {
  const created: Record<string, number> = {};
  const makeToken = (role: string) => {
    created[role] = (created[role] ?? 0) + 1;
    const expires = created[role] === 1 ? SECONDS : 3600;
    return role === 'publish' ? tokens.publish(streamName, { expires }) : tokens.subscribe(streamName, { expires });
  };
  const open = async (target: Page, tag: 'stream-broadcaster' | 'stream-viewer') => {
    await target.exposeFunction('makeToken', makeToken);
    await target.goto(`${server.origin}/viewer`);
    await target.evaluate(
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
    await expect.poll(() => phaseOf(target, tag)).toBe('live');
  };
  const record = (target: Page) => target.evaluate(() => ({ reasons: window.reasons, events: window.phases }));

  await open(page, 'stream-broadcaster');
  await mediaFlows({ origin: server.origin, streamName });
  const viewer = await context.newPage();
  await open(viewer, 'stream-viewer');
  const since = Date.now();
  const renewed = { reasons: ['first', 'expiring'], events: ['stream-live'] };
  await expect.poll(() => record(page)).toEqual(renewed);
  await expect.poll(() => record(viewer)).toEqual(renewed);
  // Both first tokens have expired by then. The server would have ended sessions that only they admit.
  await expect.poll(() => Date.now() - since).toBeGreaterThan((SECONDS + 2) * 1000);
  await expectMovingPicture(viewer);
  expect([await record(page), await record(viewer)]).toEqual([renewed, renewed]);
});
