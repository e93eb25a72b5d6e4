import type { Page, WebSocketRoute } from '@playwright/test';
import type * as Frame from '../../../src/frame.ts';
import { bundled } from '../support/bundled.ts';
import { expectPlayback, PacketBroadcast } from '../support/packet-broadcast.ts';
import { expect, test } from '../support/test.ts';

declare global {
  interface Window {
    frameMessages: Frame.FrameMessage[];
    frame: Frame.StreamFrame;
    StreamFrame: typeof Frame.StreamFrame;
  }
}

const ALLOW = 'autoplay; fullscreen; picture-in-picture';

/** A page of another site with the hosted viewer in a frame. It records all messages of the frame. */
const embedding = (src: string): string => `<!doctype html>
  <script>
    window.frameMessages = [];
    addEventListener('message', ({ data }) => window.frameMessages.push(data));
  </script>
  <iframe src="${src}" allow="${ALLOW}" width="640" height="360"></iframe>`;

const messagesOf = (page: Page) => page.evaluate(() => window.frameMessages);
const types = async (page: Page) => (await messagesOf(page)).map(({ type }) => type);
const last = async <Type extends Frame.FrameEventType>(page: Page, type: Type) =>
  (await messagesOf(page)).findLast((message): message is Frame.FrameMessage<Type> => message.type === type);

const post = (page: Page, message: unknown) =>
  page.evaluate((data) => document.querySelector('iframe')!.contentWindow!.postMessage(data, '*'), message);
const command = (page: Page, type: string, more: object = {}) => post(page, { source: 'streamgate', type, ...more });

const viewerIn = (page: Page) => page.frames().find((frame) => new URL(frame.url()).pathname === '/viewer')!;
const isMuted = (page: Page) => viewerIn(page).evaluate(() => document.querySelector('stream-viewer')!.muted);

test('a site with the viewer in a frame receives live and ended, and turns the sound off and on', async ({
  server,
  tokens,
  streamName,
  otherSite: site,
  page,
}) => {
  const { origin } = server;
  const token = await tokens.subscribe(streamName);
  await page.goto(site.put('/', embedding(`${origin}/viewer?streamId=main/${streamName}#token=${token}`)));
  await expect.poll(() => types(page)).toContain('waiting');

  const secret = await tokens.publish(streamName);
  const broadcast = await PacketBroadcast.begin({ origin, streamName, token: secret });
  await expect.poll(() => types(page)).toContain('viewer-count');
  expect(await last(page, 'live')).toEqual({ source: 'streamgate', type: 'live', streamName });
  expect(await last(page, 'viewer-count')).toEqual({ source: 'streamgate', type: 'viewer-count', viewers: 1 });
  await expectPlayback(viewerIn(page));

  // The scripts of a test count as a click, also in a frame with `allow="autoplay"`.
  expect((await last(page, 'state'))!.muted).toBe(false);
  await command(page, 'setVolume', { volume: 0.25 });
  await command(page, 'mute');
  await expect
    .poll(() => last(page, 'volume'))
    .toEqual({ source: 'streamgate', type: 'volume', volume: 0.25, muted: true });
  expect(await isMuted(page)).toBe(true);
  await command(page, 'unmute');
  await expect.poll(() => isMuted(page)).toBe(false);

  await command(page, 'pause');
  await expect.poll(() => types(page)).toContain('pause');
  expect((await last(page, 'state'))!.paused).toBe(true);
  await command(page, 'play');
  await expect.poll(async () => (await last(page, 'state'))!.paused).toBe(false);

  await broadcast.end();
  await expect.poll(() => types(page)).toContain('ended');
  expect((await last(page, 'state'))!.phase).toBe('ended');

  const begun = async () =>
    (await messagesOf(page)).filter((one) => one.type === 'phase-change' && one.current === 'authorizing').length;
  const before = await begun();
  await command(page, 'retry');
  await expect.poll(begun).toBe(before + 1);

  // Each phase change comes before the message for the new phase. No message contains a token.
  const messages = await messagesOf(page);
  const order = messages.map((message) =>
    message.type === 'phase-change' ? `phase ${message.current}` : message.type,
  );
  for (const phase of ['waiting', 'live', 'ended'])
    expect(order.indexOf(phase)).toBe(order.indexOf(`phase ${phase}`) + 1);
  expect(order[0]).toBe('state');
  const text = JSON.stringify(messages);
  for (const value of [token, secret, 'token=']) expect(text).not.toContain(value);
});

test('the viewer in a frame plays without sound before a click, and reports why sound is refused', async ({
  server,
  tokens,
  streamName,
  otherSite: site,
  page,
}) => {
  const { origin } = server;
  const broadcast = await PacketBroadcast.begin({ origin, streamName, token: await tokens.publish(streamName) });
  // The messages are read from the console, because a script of the test would count as a click.
  const messages: Frame.FrameMessage[] = [];
  page.on('console', (line) => {
    if (line.type() === 'info') messages.push(JSON.parse(line.text()));
  });
  await page.goto(
    site.put(
      '/',
      `<!doctype html>
        <script>
          addEventListener('message', ({ data, source }) => {
            console.info(JSON.stringify(data));
            if (data.type === 'viewer-count' && data.viewers === 1) {
              source.postMessage({ source: 'streamgate', type: 'unmute' }, '*');
            }
          });
        </script>
        <iframe src="${origin}/viewer?streamId=main/${streamName}" allow="${ALLOW}"></iframe>`,
    ),
  );
  await expect
    .poll(() => messages.find(({ type }) => type === 'command-error'))
    .toMatchObject({ command: 'unmute', code: 'click_needed' });
  expect(messages.findLast(({ type }) => type === 'state')).toMatchObject({
    phase: 'live',
    muted: true,
    paused: false,
  });
  await broadcast.end();
});

test('a frame reports a lost connection with the time of the next attempt', async ({
  server,
  tokens,
  streamName,
  otherSite: site,
  page,
}) => {
  const sockets: WebSocketRoute[] = [];
  let isDown = false;
  await page.routeWebSocket(/\/ws\//, (socket) => {
    if (isDown) return void socket.close();
    socket.connectToServer();
    sockets.push(socket);
  });
  await page.route('**/api/director/**', (route) => (isDown ? route.abort() : route.continue()));
  const token = await tokens.subscribe(streamName);
  await page.goto(site.put('/', embedding(`${server.origin}/viewer?streamId=main/${streamName}#token=${token}`)));
  await expect.poll(() => types(page)).toContain('waiting');

  isDown = true;
  for (const socket of sockets) await socket.close();
  await expect.poll(() => last(page, 'error')).toMatchObject({ code: 'unreachable', retryable: true, retrying: true });
  expect((await last(page, 'error'))?.retryInMs).toBeGreaterThanOrEqual(0);
  await expect.poll(() => last(page, 'state')).toMatchObject({ phase: 'reconnecting', reason: 'unreachable' });
  expect((await last(page, 'state'))?.retryInMs).toBeGreaterThanOrEqual(0);
  isDown = false;
  await expect.poll(async () => (await last(page, 'state'))?.phase).toBe('waiting');
});

test('a frame answers unknown commands, and answers its parent page only', async ({
  server,
  streamName,
  otherSite: site,
  page,
}) => {
  const src = `${server.origin}/viewer?streamId=main/${streamName}`;
  await page.goto(site.put('/', embedding(src)));
  await expect.poll(() => last(page, 'waiting')).toMatchObject({ streamName });
  expect(await last(page, 'state')).toMatchObject({ phase: 'waiting' });

  await command(page, 'jump');
  await expect.poll(() => last(page, 'command-error')).toMatchObject({ command: 'jump', code: 'unknown_command' });
  await command(page, 'setVolume', { volume: 11 });
  await expect.poll(() => last(page, 'command-error')).toMatchObject({ command: 'setVolume', code: 'invalid_command' });

  // The frame ignores messages from a sibling frame and messages of another form. Only the last request is answered.
  const before = (await messagesOf(page)).length;
  await page.evaluate(async () => {
    const player = document.querySelector('iframe')!.contentWindow!;
    const other = document.createElement('iframe');
    other.srcdoc = `<script>
      for (const type of ['mute', 'jump', 'requestState'])
        parent.frames[0].postMessage({ source: 'streamgate', type }, '*');
      parent.done();
    </script>`;
    await new Promise<void>((done) => {
      Object.assign(window, { done });
      document.body.append(other);
    });
    for (const data of [null, 'mute', { type: 'mute' }, { source: 'other', type: 'mute' }])
      player.postMessage(data, '*');
  });
  await command(page, 'requestState');
  await expect.poll(async () => (await messagesOf(page)).length).toBeGreaterThan(before);
  expect((await messagesOf(page)).slice(before)).toMatchObject([{ type: 'state', muted: false }]);
});

test('a frame whose address names a parent origin sends nothing to other origins and obeys no commands from them', async ({
  server,
  streamName,
  otherSite: site,
  page,
}) => {
  const src = `${server.origin}/viewer?streamId=main/${streamName}&parentOrigin=`;
  await page.goto(site.put('/named-origin', embedding(src + encodeURIComponent(site.origin))));
  await expect.poll(() => types(page)).toContain('waiting');

  for (const origin of ['https://elsewhere.test', 'nonsense']) {
    await page.goto(site.put('/other-origin', embedding(src + encodeURIComponent(origin))));
    const refused = page.frameLocator('iframe').locator('stream-viewer').getByText('Waiting for the stream');
    await expect(refused).toBeVisible();
    await command(page, 'mute');
    // A later task of the frame runs after the command would have been handled.
    await viewerIn(page).evaluate(() => new Promise((done) => setTimeout(done)));
    expect(await isMuted(page)).toBe(false);
    expect(await messagesOf(page)).toEqual([]);
  }
});

test('StreamFrame of the package controls a frame', async ({ server, tokens, streamName, otherSite: site, page }) => {
  const { origin } = server;
  const [script] = await bundled(`export { StreamFrame } from 'streamgate/frame';`);
  const file = site.putScript('/frame.js', script!.code);
  await page.goto(
    site.put(
      '/',
      `<!doctype html>
        <iframe src="${origin}/viewer?streamId=main/${streamName}#token=${await tokens.subscribe(streamName)}" allow="${ALLOW}"></iframe>
        <script type="module">
          import { StreamFrame } from '${file}';
          window.StreamFrame = StreamFrame;
          window.frame = new StreamFrame(document.querySelector('iframe'));
          window.frameMessages = [];
          for (const type of ['live', 'ended', 'waiting', 'volume']) frame.addEventListener(type, ({ message }) => frameMessages.push(message));
        </script>`,
    ),
  );
  await expect.poll(() => page.evaluate(() => window.frame.state?.phase)).toBe('waiting');
  const broadcast = await PacketBroadcast.begin({ origin, streamName, token: await tokens.publish(streamName) });
  await expect.poll(() => types(page)).toContain('live');
  expect(await page.evaluate(() => window.frame.state)).toMatchObject({ streamName, phase: 'live', paused: false });

  await page.evaluate(() => window.frame.setVolume(0.5));
  await expect.poll(() => page.evaluate(() => window.frame.state!.volume)).toBe(0.5);
  // A frame object that is created later requests the state.
  await page.evaluate(() => {
    window.frame.close();
    window.frame = new window.StreamFrame(document.querySelector('iframe')!);
  });
  await expect.poll(() => page.evaluate(() => window.frame.state)).toMatchObject({ phase: 'live', volume: 0.5 });
  await broadcast.end();
});

test('the viewer plays in a sandboxed frame', async ({ server, tokens, streamName, otherSite: site, page }) => {
  const { origin } = server;
  const publishToken = await tokens.publish(streamName, { subscribeRequiresAuth: true });
  const broadcast = await PacketBroadcast.begin({ origin, streamName, token: publishToken });
  // With the token in the query, as in older links: the page removes it from its address.
  const src = `${origin}/viewer?streamId=main/${streamName}&token=${await tokens.subscribe(streamName)}`;
  // The strictest conditions for a frame: a cross-origin isolated page, and a frame with an opaque origin.
  await page.goto(
    site.put('/', {
      body: embedding(src).replace('<iframe', '<iframe sandbox="allow-scripts"'),
      headers: {
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-embedder-policy': 'require-corp',
        'content-security-policy': `default-src 'none'; script-src 'unsafe-inline'; frame-src ${origin}`,
      },
    }),
  );
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await expect.poll(async () => (await last(page, 'viewer-count'))?.viewers).toBe(1);
  expect((await last(page, 'state'))!.phase).toBe('live');
  await broadcast.end();
});

test('the broadcaster goes live from a frame that may use the camera, and shows a notice if it may not share the screen', async ({
  server,
  tokens,
  streamName,
  otherSite: site,
  page,
}) => {
  const src = `${server.origin}/broadcaster?streamName=${streamName}#token=${await tokens.publish(streamName)}`;
  await page.goto(
    site.put('/', `<!doctype html><iframe src="${src}" allow="camera; microphone" width="640" height="700"></iframe>`),
  );
  const broadcaster = page.frameLocator('iframe');
  await broadcaster.getByRole('button', { name: 'Go live' }).click();
  await expect(broadcaster.getByRole('button', { name: 'Stop' })).toBeVisible();
  await broadcaster.getByRole('button', { name: 'Share screen' }).click();
  await expect(broadcaster.getByRole('alert')).toContainText('Your screen cannot be shared');
  await broadcaster.getByRole('button', { name: 'Stop' }).click();
});

test('the dashboard refuses to be shown in a frame', async ({ server, otherSite: site, page }) => {
  await page.goto(site.put('/', `<!doctype html><iframe src="${server.origin}/dashboard"></iframe>`));
  const refused = page.frames().find((frame) => frame !== page.mainFrame());
  expect(refused?.url()).not.toContain('/dashboard');
});
