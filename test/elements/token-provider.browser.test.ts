import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import '../../src/define.js';
import type { TokenContext } from '../../src/client/authorization/token-provider.js';
import type { StreamBroadcasterElement } from '../../src/elements/broadcaster/stream-broadcaster-element.js';
import type { StreamViewerElement } from '../../src/elements/viewer/stream-viewer-element.js';
import { FakeService, granted } from '../support/client/fake-service.js';

const PATIENCE = { timeout: 10_000, interval: 10 };

describe('tokenProvider of the tags', () => {
  let service: FakeService;

  beforeEach(() => {
    service = new FakeService();
  });

  afterEach(() => service.close());

  const isLive = (element: StreamViewerElement | StreamBroadcasterElement) =>
    waitUntil(() => element.phase.name === 'live', 'it is not live', PATIENCE);
  const sentTokens = () => service.requests.map(({ token }) => token);

  it('admits a viewer without a token or an account in the markup', async () => {
    const element = await fixture<StreamViewerElement>(
      html`<stream-viewer
        autoplay
        endpoint="https://live.test"
        stream-name="keynote"
        .tokenProvider=${async () => 'sesame'}
      ></stream-viewer>`,
    );
    await isLive(element);
    expect(sentTokens()).to.deep.equal(['sesame']);
    expect(element.outerHTML + element.shadowRoot!.innerHTML).not.to.contain('sesame');
  });

  it('may be another function at every render without a restart; the newest is called', async () => {
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
    service.sendEvent('stopped', { streamId: 'acme/keynote', code: 'token_expired', message: 'the token expired' });
    await waitUntil(() => service.sockets.length === 2, 'it did not reconnect', PATIENCE);
    expect(sentTokens()).to.deep.equal(['one', 'two']);
  });

  it('is called once for two tags of the same stream', async () => {
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
    await waitUntil(() => calls > 0, 'it is not called', PATIENCE);
    await new Promise((resolve) => setTimeout(resolve));
    give('shared');
    await Promise.all(both.map(isLive));
    expect([calls, ...sentTokens()]).to.deep.equal([1, 'shared', 'shared']);
  });

  it('renews the session while the picture plays on', async () => {
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
    await waitUntil(() => !video.paused && video.currentTime > before, 'the picture does not move', PATIENCE);
    expect(element.phase.name).to.equal('live');
  });

  it('admits a broadcaster', async () => {
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
    expect(sentTokens()).to.deep.equal(['to publish']);
  });
});
