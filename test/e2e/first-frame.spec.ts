import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Gatekeeper } from './support/gatekeeper.ts';
import { expectMovingPicture, goLive, openBroadcaster } from './support/pages.ts';
import { expect, test } from './support/test.ts';

/** A page of somebody else's origin. */
async function customerPage(body: string) {
  const server = createServer((req, res) => {
    if (req.url !== '/') return res.writeHead(404).end();
    return res.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>Customer</title>${body}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close };
}

test('a viewer on somebody’s page asks once, without a preflight, and plays before its websocket is there', async ({
  server,
  tokens,
  streamName,
  context,
}) => {
  const broadcaster = await context.newPage();
  await openBroadcaster(broadcaster, {
    origin: server.origin,
    streamName,
    token: await tokens.publish(streamName, { subscribeRequiresAuth: true }),
  });
  await goLive(broadcaster);

  const keeper = await Gatekeeper.before(server.origin);
  const token = await tokens.subscribe(streamName);
  const page = await customerPage(`
    <script type="module" src="${keeper.origin}/streamgate.js"></script>
    <stream-viewer account-id="main" stream-name="${streamName}" token="${token}"></stream-viewer>`);
  try {
    const viewer = await context.newPage();
    await viewer.goto(page.url);
    await expectMovingPicture(viewer);
    expect(keeper.passed.filter((request) => request.includes('/api/'))).toEqual(['POST /api/director/subscribe']);
    expect(keeper.held, 'a websocket waits').toBe(1);

    keeper.letThrough();
    const viewers = () =>
      viewer.evaluate(() => {
        const { phase } = document.querySelector('stream-viewer')!;
        return phase.name === 'live' ? phase.viewers : undefined;
      });
    await expect.poll(viewers, { message: 'it hears how many watch' }).toBe(1);
    await expectMovingPicture(viewer);
    expect(keeper.passed.filter((request) => request.includes('/api/'))).toHaveLength(1);
  } finally {
    keeper.close();
    page.close();
  }
});
