import { Gatekeeper } from '../support/gatekeeper.ts';
import { expectPlayback, PacketBroadcast } from '../support/packet-broadcast.ts';
import { viewersOf } from '../support/pages.ts';
import { expect, test } from '../support/test.ts';

test('a viewer on another origin makes one call without a preflight, and plays before its websocket is open', async ({
  server,
  tokens,
  streamName,
  otherSite: site,
  page: viewer,
}) => {
  const publishToken = await tokens.publish(streamName, { subscribeRequiresAuth: true });
  const broadcast = await PacketBroadcast.begin({ origin: server.origin, streamName, token: publishToken });
  const keeper = await Gatekeeper.before(server.origin);
  const token = await tokens.subscribe(streamName);
  const tag = `<!doctype html>
    <script type="module" src="${keeper.origin}/streamgate.js"></script>
    <stream-viewer autoplay account-id="main" stream-name="${streamName}" token="${token}"></stream-viewer>`;
  try {
    await viewer.goto(site.put('/', tag));
    await expectPlayback(viewer);
    expect(keeper.passed.filter((request) => request.includes('/api/'))).toEqual(['POST /api/director/subscribe']);
    expect(keeper.waiting, 'a websocket waits').toBe(1);

    keeper.letThrough();
    await expect
      .poll(() => viewersOf(viewer, 'stream-viewer'), { message: 'the tag receives the viewer count' })
      .toBe(1);
    await expectPlayback(viewer);
    expect(keeper.passed.filter((request) => request.includes('/api/'))).toHaveLength(1);
  } finally {
    await broadcast.end();
    keeper.close();
  }
});
