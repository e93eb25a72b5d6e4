import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import '../../src/define.js';
import type { TokenContext } from '../../src/client/authorization/token-provider.js';
import type { StreamBroadcasterElement } from '../../src/elements/broadcaster/stream-broadcaster-element.js';
import type { StreamViewerElement } from '../../src/elements/viewer/stream-viewer-element.js';
import { FakeService, granted } from '../support/client/fake-service.js';

const PATIENCE = { timeout: 10_000 };

describe('tokenProvider of the tags', () => {
  let service: FakeService;

  beforeEach(() => {
    service = new FakeService();
  });

  afterEach(() => service.close());

  const isLive = (element: StreamViewerElement | StreamBroadcasterElement) =>
    waitUntil(() => element.phase.name === 'live', 'it is not live', PATIENCE);
  const shown = () => service.requests.map(({ token }) => token);

  it('lets a viewer in without a token or an account in the markup', async () => {
    const element = await fixture<StreamViewerElement>(
      html`<stream-viewer
        autoplay
        endpoint="https://live.test"
        stream-name="keynote"
        .tokenProvider=${async () => 'sesame'}
      ></stream-viewer>`,
    );
    await isLive(element);
    expect(shown()).to.deep.equal(['sesame']);
    expect(element.outerHTML + element.shadowRoot!.innerHTML).not.to.contain('sesame');
  });

  it('may be another function at every render, and nothing begins anew; the newest is asked', async () => {
    const element = await fixture<StreamViewerElement>(
      html`<stream-viewer
        autoplay
        endpoint="https://live.test"
        stream-name="keynote"
        .tokenProvider=${async () => 'one'}
      ></stream-viewer>`,
    );
    await isLive(element);
    element.tokenProvider = async () => 'two';
    await element.updateComplete;
    expect([element.phase.name, service.sockets.length]).to.deep.equal(['live', 1]);
    service.tell('stopped', { streamId: 'acme/keynote', code: 'token_expired', message: 'the token expired' });
    await waitUntil(() => service.sockets.length === 2, 'it did not come back', PATIENCE);
    expect(shown()).to.deep.equal(['one', 'two']);
  });

  it('is asked once for two tags that want the same', async () => {
    let calls = 0;
    let give = (_token: string): void => {};
    const tokenProvider = () => {
      calls++;
      return new Promise<string>((resolve) => (give = resolve));
    };
    const viewer = () => html`
      <stream-viewer
        autoplay
        endpoint="https://live.test"
        stream-name="keynote"
        .tokenProvider=${tokenProvider}
      ></stream-viewer>
    `;
    const both = [...(await fixture(html`<div>${viewer()}${viewer()}</div>`)).querySelectorAll('stream-viewer')];
    await waitUntil(() => calls > 0, 'nobody asks', PATIENCE);
    await new Promise((resolve) => setTimeout(resolve));
    give('shared');
    await Promise.all(both.map(isLive));
    expect([calls, ...shown()]).to.deep.equal([1, 'shared', 'shared']);
  });

  it('renews a session under a viewer, who sees the picture go on', async () => {
    const { body } = granted as { body: { data: object } };
    const forSeconds = (tokenExpiresIn: number) => ({
      ...granted,
      body: { ...body, data: { ...body.data, tokenExpiresIn } },
    });
    service.answer = forSeconds(4);
    const element = await fixture<StreamViewerElement>(
      html`<stream-viewer
        autoplay
        endpoint="https://live.test"
        stream-name="keynote"
        muted
        .tokenProvider=${async () => 'sesame' + service.requests.length}
      ></stream-viewer>`,
    );
    await isLive(element);
    service.answer = forSeconds(3600);
    await waitUntil(() => service.sockets.length === 2 && service.open.length === 1, 'no second session', PATIENCE);
    const video = element.shadowRoot!.querySelector('video')!;
    await waitUntil(() => video.srcObject === (element.phase as { media?: MediaStream }).media, 'old media', PATIENCE);
    const before = video.currentTime;
    await waitUntil(() => !video.paused && video.currentTime > before, 'the picture stands', PATIENCE);
    expect(element.phase.name).to.equal('live');
  });

  it('lets a broadcaster go live', async () => {
    const element = await fixture<StreamBroadcasterElement>(
      html`<stream-broadcaster
        endpoint="https://live.test"
        stream-name="keynote"
        .tokenProvider=${async ({ role }: TokenContext) => `to ${role}`}
      ></stream-broadcaster>`,
    );
    await element.openCamera();
    element.goLive();
    await isLive(element);
    expect(shown()).to.deep.equal(['to publish']);
  });
});
