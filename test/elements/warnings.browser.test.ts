import { expect, waitUntil } from '@open-wc/testing';
import '../../src/define.js';
import { FakeService, refused } from '../support/client/fake-service.js';
import { inPhase, mount, PATIENCE, unmount } from './viewer/viewer-fixture.js';

describe('the warning of a refused tag', () => {
  const { warn } = console;
  let service: FakeService;
  let warned: string[];

  beforeEach(() => {
    service = new FakeService();
    warned = [];
    console.warn = (...texts: unknown[]) => void warned.push(texts.join(' '));
  });

  afterEach(() => {
    console.warn = warn;
    unmount();
    document.body.replaceChildren();
    service.close();
  });

  it('has the code, the origin and a link to the documentation, and never the token; it appears once for each refusal', async () => {
    service.answer = refused(401, 'origin_not_allowed', 'Unauthorized: Origin not allowed');
    const viewer = await mount({ endpoint: 'https://live.test/', token: 'sesame' });
    await inPhase(viewer, 'rejected');
    expect(warned).to.deep.equal([
      `<stream-viewer> on ${location.origin} is refused: https://live.test/errors/origin_not_allowed`,
    ]);
    viewer.retry();
    await waitUntil(() => warned.length === 2, 'no warning for the next refusal', PATIENCE);
    expect(warned[1]).to.equal(warned[0]);
  });

  it('does not appear while the viewer reconnects', async () => {
    const viewer = await mount({ muted: true });
    await inPhase(viewer, 'live');
    service.answer = refused(503, 'busy', 'later');
    service.open[0]!.close();
    await inPhase(viewer, 'reconnecting');
    await waitUntil(
      () => viewer.phase.name === 'reconnecting' && viewer.phase.attempt > 2,
      'no further attempts',
      PATIENCE,
    );
    expect(warned).to.deep.equal([]);
  });

  it('appears for a broadcaster, too', async () => {
    service.answer = refused(409, 'stream_in_use', 'in use');
    const broadcaster = document.createElement('stream-broadcaster');
    const canvas = document.createElement('canvas');
    canvas.getContext('2d');
    Object.assign(broadcaster, {
      endpoint: 'https://live.test',
      streamName: 'keynote',
      token: 'sesame',
      srcObject: canvas.captureStream(1),
    });
    document.body.append(broadcaster);
    await broadcaster.updateComplete;
    broadcaster.goLive();
    await inPhase(broadcaster, 'rejected');
    expect(warned).to.deep.equal([
      `<stream-broadcaster> on ${location.origin} is refused: https://live.test/errors/stream_in_use`,
    ]);
  });
});
