import { expect, fixture, html, oneEvent, waitUntil } from '@open-wc/testing';
import '../../../src/define/stream-viewer.js';
import { safeDefine } from '../../../src/define/safe-define.js';
import type { StreamRejectedEvent, StreamViewerCountEvent } from '../../../src/elements/events.js';
import type { StreamViewerElement } from '../../../src/elements/viewer/stream-viewer-element.js';
import { itNeeds } from '../../support/capabilities.js';
import { FakeService, granted, refused } from '../../support/client/fake-service.js';
import { reachPhase } from '../../support/client/reach-phase.js';

const PATIENCE = { timeout: 10_000, interval: 10 };

describe('<stream-viewer>', () => {
  let service: FakeService;

  beforeEach(() => {
    service = new FakeService();
  });

  afterEach(() => service.close());

  const viewer = (token = '') =>
    fixture<StreamViewerElement>(
      html`<stream-viewer
        autoplay
        controls
        style="width: 640px"
        endpoint="https://live.test"
        account-id="acme"
        stream-name="keynote"
        .token=${token}
      ></stream-viewer>`,
    );
  const video = (element: StreamViewerElement) => element.shadowRoot!.querySelector('video')!;
  const text = (element: StreamViewerElement) => element.shadowRoot!.textContent.replaceAll(/\s+/g, ' ');
  const button = (element: StreamViewerElement, label: string) =>
    [...element.shadowRoot!.querySelectorAll('button')].find((one) =>
      (one.getAttribute('aria-label') ?? one.textContent).includes(label),
    );
  itNeeds('received-sound')('is muted by a browser that plays no sound before a click', async () => {
    const element = await viewer();
    await waitUntil(() => video(element).currentTime > 0, 'no picture', PATIENCE);
    expect(video(element).muted).to.equal(true);
  });

  it('plays a live stream by itself, and shows that it is live', async () => {
    const element = await viewer();
    await reachPhase(element, 'live');
    await waitUntil(() => video(element).videoWidth > 0 && video(element).currentTime > 0, 'no picture', PATIENCE);
    expect(element.matches(':state(live)')).to.equal(true);
    await waitUntil(
      () => text(element).includes('Live') && !element.shadowRoot!.querySelector('.spinner'),
      'spinner',
      PATIENCE,
    );
    await expect(element).to.be.accessible();
  });

  it('sends the token, and never has it in the DOM or in the URL of the websocket', async () => {
    const element = await viewer('sesame');
    await reachPhase(element, 'live');
    expect(service.requests[0]?.token).to.equal('sesame');
    expect(element.outerHTML + element.shadowRoot!.innerHTML + service.sockets[0]!.url).not.to.contain('sesame');
  });

  it('waits for a stream, and plays when the stream starts', async () => {
    service.isLive = false;
    const element = await viewer('sesame');
    await reachPhase(element, 'waiting');
    expect(text(element)).to.contain('Waiting for the stream');
    await expect(element).to.be.accessible();
    const live = oneEvent(element, 'stream-live');
    service.goLive();
    await live;
    expect(element.phase.name).to.equal('live');
  });

  it('shows the end, and plays again on the same connection when the broadcaster returns', async () => {
    const element = await viewer();
    await reachPhase(element, 'live');
    const { srcObject } = video(element);
    service.endStream();
    await element.updateComplete;
    expect(text(element)).to.contain('The broadcast stopped');
    await expect(element).to.be.accessible();
    service.goLive();
    await reachPhase(element, 'live');
    expect(video(element).srcObject).to.equal(srcObject);
    expect(service.sockets).to.have.length(1);
  });

  it('shows a message for a refusal, has the code in the event, and tries again when the person asks', async () => {
    service.answer = refused(409, 'token_full', 'too many viewers');
    const element = document.createElement('stream-viewer');
    Object.assign(element, { endpoint: 'https://live.test', accountId: 'acme', streamName: 'keynote', autoplay: true });
    const rejected = oneEvent<StreamRejectedEvent>(element, 'stream-rejected');
    document.body.append(element);
    expect((await rejected).reason).to.equal('token_full');
    await element.updateComplete;
    expect(text(element)).to.contain('Too many viewers');
    await expect(element).to.be.accessible();
    service.answer = granted;
    button(element, 'Try again')!.click();
    await reachPhase(element, 'live');
    element.remove();
  });

  it('offers no second attempt where that cannot help', async () => {
    service.answer = refused(401, 'token_expired', 'Unauthorized: Token expired');
    const element = await viewer('old');
    await reachPhase(element, 'rejected');
    await element.updateComplete;
    expect(text(element)).to.contain('Your access has expired');
    expect(button(element, 'Try again')).to.equal(undefined);
    expect(service.requests).to.have.length(1);
  });

  it('does not reconnect after the server has ended the session with a refusal code', async () => {
    const element = await viewer();
    await reachPhase(element, 'live');
    service.sendEvent('stopped', {
      streamId: 'acme/keynote',
      code: 'token_disabled',
      message: 'the token was disabled',
    });
    await reachPhase(element, 'rejected');
    expect(service.open).to.have.length(0);
    expect(service.requests).to.have.length(1);
  });

  it('reconnects by itself after a lost connection, and shows that meanwhile', async () => {
    const element = await viewer();
    await reachPhase(element, 'live');
    await waitUntil(() => !element.shadowRoot!.querySelector('.spinner'), 'no picture', PATIENCE);
    service.sockets[0]!.close();
    await reachPhase(element, 'reconnecting');
    await element.updateComplete;
    expect(text(element)).to.contain('Reconnecting');
    await reachPhase(element, 'live');
    expect(service.sockets).to.have.length(2);
  });

  it('shows and dispatches the viewer count', async () => {
    const element = await viewer();
    await reachPhase(element, 'live');
    const counted = oneEvent<StreamViewerCountEvent>(element, 'stream-viewer-count');
    service.sendEvent('viewercount', { viewercount: 42 });
    expect((await counted).viewers).to.equal(42);
    await element.updateComplete;
    expect(element.shadowRoot!.querySelector('[part=viewer-count]')!.textContent).to.contain('42');
  });

  it('plays on while it renders another viewer count', async () => {
    const element = await viewer();
    await reachPhase(element, 'live');
    await waitUntil(() => video(element).currentTime > 0, 'no picture', PATIENCE);
    let restarts = 0;
    video(element).addEventListener('emptied', () => restarts++);
    const before = video(element).currentTime;
    service.sendEvent('viewercount', { viewercount: 43 });
    await element.updateComplete;
    await waitUntil(() => video(element).currentTime > before, 'stopped', PATIENCE);
    expect(restarts).to.equal(0);
  });

  it('connects to another stream, and closes the first connection', async () => {
    const element = await viewer();
    await reachPhase(element, 'live');
    element.setAttribute('stream-name', 'encore');
    await waitUntil(() => service.sockets.length === 2 && element.phase.name === 'live', 'no second', PATIENCE);
    expect(service.requests.at(-1)?.body).to.deep.equal({ streamName: 'encore', streamAccountId: 'acme' });
    expect(service.open).to.have.length(1);
  });

  it('disconnects when it is removed, and connects when it is inserted again', async () => {
    const element = await viewer();
    await reachPhase(element, 'live');
    const parent = element.parentElement!;
    element.remove();
    await waitUntil(() => service.open.length === 0, 'a socket is open', PATIENCE);
    await element.updateComplete;
    expect(element.phase.name).to.equal('idle');
    parent.append(element);
    await reachPhase(element, 'live');
    expect(service.open).to.have.length(1);
  });

  it('closes its socket on pagehide, and connects again on pageshow', async () => {
    const element = await viewer();
    await reachPhase(element, 'live');
    window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    await element.updateComplete;
    expect(service.open).to.have.length(0);
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await reachPhase(element, 'live');
  });

  it('is independent of another one on the same page', async () => {
    const [one, other] = [await viewer(), await viewer()];
    await Promise.all([reachPhase(one, 'live'), reachPhase(other, 'live')]);
    one.remove();
    await waitUntil(() => service.open.length === 1, 'not one socket is open', PATIENCE);
    expect(other.phase.name).to.equal('live');
  });

  it('does nothing without a stream name', async () => {
    const element = await fixture<StreamViewerElement>(html`<stream-viewer></stream-viewer>`);
    expect(element.phase.name).to.equal('idle');
    expect(service.requests).to.have.length(0);
  });

  it('shows the content of a slot instead of its own text', async () => {
    service.isLive = false;
    const element = await viewer('sesame');
    element.append(Object.assign(document.createElement('b'), { slot: 'waiting', textContent: 'We start soon' }));
    await reachPhase(element, 'waiting');
    await element.updateComplete;
    const slot = element.shadowRoot!.querySelector<HTMLSlotElement>('slot[name=waiting]')!;
    expect(slot.assignedElements()[0]?.textContent).to.equal('We start soon');
  });

  it('does not replace a tag that is already defined', () => {
    const before = customElements.get('stream-viewer');
    safeDefine('stream-viewer', class extends HTMLElement {});
    expect(customElements.get('stream-viewer')).to.equal(before);
  });
});
