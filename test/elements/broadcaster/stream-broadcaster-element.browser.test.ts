import { expect, fixture, html, oneEvent, waitUntil } from '@open-wc/testing';
import '../../../src/define/stream-broadcaster.js';
import { CaptureError } from '../../../src/client/broadcaster/capture.js';
import type { StreamError } from '../../../src/client/errors.js';
import type { StreamBroadcasterElement } from '../../../src/elements/broadcaster/stream-broadcaster-element.js';
import { clockTime } from '../../../src/elements/broadcaster/live/live-status.js';
import { FakeService, granted, refused } from '../../support/client/fake-service.js';
import { reachPhase } from '../../support/client/reach-phase.js';

const PATIENCE = { timeout: 10_000, interval: 10 };

describe('<stream-broadcaster>', () => {
  let service: FakeService;

  beforeEach(async () => {
    service = new FakeService();
    // The tag of the previous test saves its session key in a microtask after its removal.
    await Promise.resolve();
    sessionStorage.clear();
  });

  afterEach(() => service.close());

  const broadcaster = (token = 'sesame') =>
    fixture<StreamBroadcasterElement>(
      html`<stream-broadcaster
        style="width: 640px"
        endpoint="https://live.test"
        stream-name="keynote"
        .token=${token}
      ></stream-broadcaster>`,
    );
  const preview = (element: StreamBroadcasterElement) => element.shadowRoot!.querySelector('video')!;
  const tracks = (element: StreamBroadcasterElement) =>
    preview(element).srcObject instanceof MediaStream ? (preview(element).srcObject as MediaStream).getTracks() : [];
  const text = (element: StreamBroadcasterElement) => element.shadowRoot!.textContent.replaceAll(/\s+/g, ' ');
  /** Whether the timer has moved. From two seconds on, because a loaded machine may skip one. */
  const isTimerRunning = (element: StreamBroadcasterElement) => /0:(?:0[2-9]|[1-5]\d)/.test(text(element));
  const button = (element: StreamBroadcasterElement, label: string) =>
    [...element.shadowRoot!.querySelectorAll('button')].find((one) =>
      (one.getAttribute('aria-label') ?? one.textContent).includes(label),
    );
  async function withCamera(token?: string): Promise<StreamBroadcasterElement> {
    const element = await broadcaster(token);
    await element.openCamera();
    await waitUntil(() => tracks(element).length === 2 && button(element, 'live'), 'no camera', PATIENCE);
    return element;
  }

  async function live(): Promise<StreamBroadcasterElement> {
    const element = await withCamera();
    button(element, 'Go live')!.click();
    await reachPhase(element, 'live');
    await element.updateComplete;
    return element;
  }

  it('shows a preview and sends nothing until the button is pressed', async () => {
    const element = await withCamera();
    await waitUntil(() => preview(element).videoWidth > 0, 'no preview', PATIENCE);
    expect(preview(element).muted).to.equal(true);
    expect(element.phase.name).to.equal('idle');
    expect(service.requests).to.have.length(0);
    await expect(element).to.be.accessible();
  });

  it('offers to go on when its page was left while it was live, opens the devices and goes live', async () => {
    await live();
    window.dispatchEvent(new PageTransitionEvent('pagehide'));
    const element = await broadcaster();
    expect(text(element)).to.contain('You were live a moment ago');
    await expect(element).to.be.accessible();
    button(element, 'Go on')!.click();
    await reachPhase(element, 'live');
    expect(text(element)).not.to.contain('Go on');
  });

  it('offers nothing after a broadcast that was stopped, of another stream, or of long ago', async () => {
    const first = await live();
    first.stop();
    expect(text(await broadcaster())).not.to.contain('Go on');
    await reachPhase(first, 'idle');
    first.goLive();
    await reachPhase(first, 'live');
    window.dispatchEvent(new PageTransitionEvent('pagehide'));
    const element = await broadcaster();
    expect(text(element)).to.contain('Go on');
    element.streamName = 'another';
    await element.updateComplete;
    expect(text(element)).not.to.contain('Go on');
    element.streamName = 'keynote';
    const { now } = Date;
    Date.now = () => now() + 61_000;
    await element.updateComplete;
    Date.now = now;
    expect(text(element)).not.to.contain('Go on');
  });

  it('goes live under the stream name, with the token as a Bearer, and exposes the account', async () => {
    const element = await live();
    expect(service.requests[0]).to.deep.include({ token: 'sesame', body: { streamName: 'keynote' } });
    expect(element.phase).to.deep.include({ name: 'live', accountId: 'acme', streamName: 'keynote' });
    expect(text(element)).to.contain('Live');
    expect(element.matches(':state(live)')).to.equal(true);
    await expect(element).to.be.accessible();
  });

  it('shows the number of viewers', async () => {
    const element = await live();
    service.sendEvent('viewercount', { viewercount: 7 });
    await element.updateComplete;
    expect(element.shadowRoot!.querySelector('[part=viewer-count]')!.textContent).to.contain('7');
  });

  it('does not restart the preview while the timer moves', async () => {
    const element = await live();
    await waitUntil(() => preview(element).currentTime > 0, 'no preview', PATIENCE);
    let restarts = 0;
    preview(element).addEventListener('emptied', () => restarts++);
    await waitUntil(() => isTimerRunning(element), 'the timer does not move', PATIENCE);
    expect(restarts).to.equal(0);
  });

  it('stops, keeps the preview, and can go live again', async () => {
    const element = await live();
    const ended = oneEvent(element, 'stream-ended');
    button(element, 'Stop')!.click();
    await ended;
    expect(service.open).to.have.length(0);
    expect(tracks(element).every(({ readyState }) => readyState === 'live')).to.equal(true);
    await element.updateComplete;
    button(element, 'Go live')!.click();
    await reachPhase(element, 'live');
  });

  it('ignores goLive() while it starts and while it is live', async () => {
    const element = await withCamera();
    const events: string[] = [];
    for (const name of ['stream-live', 'stream-ended']) element.addEventListener(name, () => events.push(name));
    for (const phase of ['idle', 'starting', 'live'] as const) {
      await reachPhase(element, phase);
      element.goLive();
      element.goLive();
      await element.updateComplete;
    }
    await element.updateComplete;
    expect([events, element.phase.name]).to.deep.equal([['stream-live'], 'live']);
    expect([service.requests.length, service.sockets.length]).to.deep.equal([1, 1]);
  });

  it('goes live once where a page starts, stops and starts it at once, as React does in StrictMode', async () => {
    const element = await withCamera();
    element.goLive();
    element.stop();
    element.goLive();
    await reachPhase(element, 'live');
    expect([service.requests.length, service.sockets.length]).to.deep.equal([1, 1]);
    element.stop();
    expect(element.phase.name).to.equal('idle');
    element.goLive();
    await reachPhase(element, 'live');
    expect(service.sockets).to.have.length(2);
  });

  it('sends a session key only for the stream that it belongs to', async () => {
    const element = await live();
    element.streamName = 'other';
    await element.updateComplete;
    await reachPhase(element, 'live');
    element.endpoint = 'https://elsewhere.test';
    await element.updateComplete;
    await reachPhase(element, 'live');
    element.streamName = 'keynote';
    element.endpoint = 'https://live.test';
    await element.updateComplete;
    await reachPhase(element, 'live');
    const sent = service.requests.map(({ url, body }) => [new URL(url).host, body]);
    expect(sent).to.deep.equal([
      ['live.test', { streamName: 'keynote' }],
      ['live.test', { streamName: 'other' }],
      ['elsewhere.test', { streamName: 'other' }],
      ['live.test', { streamName: 'keynote', sessionKey: 'key-1' }],
    ]);
  });

  it('shows why the server refused it, until it is started again', async () => {
    service.answer = refused(409, 'stream_in_use', 'another publisher is live under this stream name');
    const element = await withCamera();
    const rejected = oneEvent(element, 'stream-rejected');
    button(element, 'Go live')!.click();
    await rejected;
    await element.updateComplete;
    expect(element.phase.name).to.equal('rejected');
    expect(element.shadowRoot!.querySelector('[role=alert]')!.textContent).to.contain('This stream is already live');
    expect(button(element, 'Go live')!.disabled).to.equal(false);
    await expect(element).to.be.accessible();
  });

  it('goes live when the page calls goLive() in its handler of stream-rejected', async () => {
    service.answer = refused(401, 'token_expired', 'the token ran out');
    const element = await withCamera();
    element.addEventListener('stream-rejected', () => {
      service.answer = granted;
      element.token = 'another';
      element.goLive();
    });
    button(element, 'Go live')!.click();
    await reachPhase(element, 'live');
    expect(service.requests.map(({ token }) => token)).to.deep.equal(['sesame', 'another']);
  });

  it('reconnects after a loss with the session key of its session', async () => {
    const element = await live();
    service.sockets[0]!.close();
    await reachPhase(element, 'reconnecting');
    await reachPhase(element, 'live');
    expect(service.requests[1]?.body).to.deep.equal({ streamName: 'keynote', sessionKey: 'key-1' });
  });

  it('mutes the microphone and switches the camera off while it is live', async () => {
    const element = await live();
    for (const kind of ['microphone', 'camera']) {
      const toggle = button(element, `Turn off ${kind}`)!;
      toggle.click();
      await element.updateComplete;
      expect(toggle.getAttribute('aria-label')).to.equal(`Turn on ${kind}`);
    }
    expect(tracks(element).map(({ enabled }) => enabled)).to.deep.equal([false, false]);
    await expect(element).to.be.accessible();
    button(element, 'Turn on camera')!.click();
    expect(tracks(element).map(({ kind, enabled }) => [kind, enabled])).to.deep.include(['video', true]);
  });

  it('changes the camera while live without a new connection', async () => {
    const element = await live();
    const before = tracks(element).find(({ kind }) => kind === 'video');
    const [, cameras] = element.shadowRoot!.querySelectorAll('select');
    cameras!.dispatchEvent(new Event('change'));
    await waitUntil(
      () => {
        const now = tracks(element).find(({ kind }) => kind === 'video');
        return now !== undefined && now !== before;
      },
      'the camera is the same',
      PATIENCE,
    );
    expect(before?.readyState).to.equal('ended');
    expect(service.sockets).to.have.length(1);
    expect(element.phase.name).to.equal('live');
  });

  it('cannot go live without a token, and shows that', async () => {
    const element = await withCamera('');
    expect(button(element, 'Go live')!.disabled).to.equal(true);
    expect(text(element)).to.contain('No stream name or token');
  });

  it('closes camera and microphone when it is removed, and is not live when it is inserted again', async () => {
    const element = await live();
    const parent = element.parentElement!;
    const before = tracks(element);
    element.remove();
    await Promise.resolve();
    expect(before.every(({ readyState }) => readyState === 'ended')).to.equal(true);
    expect(service.open).to.have.length(0);
    parent.append(element);
    await element.updateComplete;
    expect(element.phase.name).to.equal('idle');
    expect(service.requests).to.have.length(1);
  });

  it('stays live when it is moved within the page', async () => {
    const element = await live();
    const before = tracks(element);
    const parent = await fixture<HTMLElement>(html`<div></div>`);
    parent.append(element);
    await element.updateComplete;
    await waitUntil(() => isTimerRunning(element), 'the timer does not move', PATIENCE);
    expect([element.phase.name, service.sockets.length]).to.deep.equal(['live', 1]);
    expect(tracks(element)).to.deep.equal(before);
    expect(before.every(({ readyState }) => readyState === 'live')).to.equal(true);
  });

  for (const [name, title] of [
    ['NotAllowedError', 'Camera and microphone are blocked'],
    ['NotFoundError', 'No camera or microphone found'],
    ['NotReadableError', 'Camera or microphone is in use'],
  ] as const) {
    it(`shows what ${name} means, and offers to try again`, async () => {
      const { getUserMedia } = navigator.mediaDevices;
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', name));
      const element = await broadcaster();
      await element.openCamera().catch(() => {});
      navigator.mediaDevices.getUserMedia = getUserMedia;
      await element.updateComplete;
      expect(text(element)).to.contain(title);
      await expect(element).to.be.accessible();
      button(element, 'Try again')!.click();
      await waitUntil(() => tracks(element).length === 2, 'no camera', PATIENCE);
    });
  }

  it('shows below the text of the page why the camera did not open, and sends an event', async () => {
    const { getUserMedia } = navigator.mediaDevices;
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    const element = await fixture<StreamBroadcasterElement>(
      html`<stream-broadcaster><p slot="intro">Say hello to the class.</p></stream-broadcaster>`,
    );
    const errors: StreamError[] = [];
    document.addEventListener('stream-capture-error', ({ error }) => errors.push(error), { once: true });
    await element.openCamera().catch(() => {});
    navigator.mediaDevices.getUserMedia = getUserMedia;
    expect(errors.map((error) => [error instanceof CaptureError, error.code])).to.deep.equal([
      [true, 'capture_denied'],
    ]);
    await element.updateComplete;
    const alert = element.shadowRoot!.querySelector<HTMLElement>('[role=alert]')!;
    expect(alert.innerText).to.contain('Camera and microphone are blocked');
    expect(alert.innerText).to.contain('Allow them in the address bar');
    expect(alert.closest('slot')).to.equal(null);
    expect(element.querySelector('p')!.checkVisibility()).to.equal(true);
    expect(text(element)).not.to.contain('Ready to go live');
    await expect(element).to.be.accessible();
    button(element, 'Try again')!.click();
    await waitUntil(() => tracks(element).length === 2, 'no camera', PATIENCE);
  });

  it('reads its attributes, and uses the default for a value that it cannot read', async () => {
    const element = await fixture<StreamBroadcasterElement>(
      html`<stream-broadcaster codec="av1" resolution="1080" frame-rate="60" max-bitrate="900000" simulcast>
      </stream-broadcaster>`,
    );
    const values = () => [element.codec, element.resolution, element.frameRate, element.maxBitrate, element.simulcast];
    expect(values()).to.deep.equal(['av1', 1080, 60, 900_000, true]);
    for (const name of ['codec', 'frame-rate', 'max-bitrate']) element.setAttribute(name, 'toString');
    for (const name of ['resolution', 'simulcast']) element.removeAttribute(name);
    expect(values()).to.deep.equal(['auto', 720, 30, 0, 'auto']);
    for (const [attribute, value] of [
      ['', true],
      ['true', true],
      ['false', false],
      ['auto', 'auto'],
    ] as const) {
      element.setAttribute('simulcast', attribute);
      expect(element.simulcast).to.equal(value);
    }
    element.setAttribute('stream-name', 'keynote');
    expect(element.streamName).to.equal('keynote');
    element.removeAttribute('stream-name');
    expect(element.streamName).to.equal('');
  });

  it('reads its resolution as a viewer reads its quality', async () => {
    const element = await fixture<StreamBroadcasterElement>(
      html`<stream-broadcaster resolution="1080p"></stream-broadcaster>`,
    );
    expect(element.resolution).to.equal(1080);
    const { warn } = console;
    const warnings: unknown[] = [];
    console.warn = (text: unknown) => void warnings.push(text);
    try {
      element.setAttribute('resolution', 'auto');
      expect([element.resolution, ...warnings]).to.deep.equal(['auto']);
      Object.assign(element, { resolution: '480p' });
      expect([element.resolution, ...warnings]).to.deep.equal([480]);
      Object.assign(element, { resolution: 'high' });
    } finally {
      console.warn = warn;
    }
    expect([element.resolution, ...warnings]).to.deep.equal([
      'auto',
      '<stream-broadcaster resolution="high"> counts as "auto"',
    ]);
  });

  it('keeps properties that the page set before the tag was defined', async () => {
    const late = class extends (customElements.get('stream-broadcaster') as typeof StreamBroadcasterElement) {};
    const element = document.createElement('late-broadcaster') as StreamBroadcasterElement;
    element.streamName = 'keynote';
    customElements.define('late-broadcaster', late);
    document.body.append(element);
    await element.updateComplete;
    expect(element.streamName).to.equal('keynote');
    expect(Object.hasOwn(element, 'streamName')).to.equal(false);
    element.remove();
  });

  it('has a custom state while the camera is switched off', async () => {
    const element = await withCamera();
    button(element, 'Turn off camera')!.click();
    await element.updateComplete;
    expect(element.matches(':state(idle):state(camera-off)')).to.equal(true);
    expect(element.matches(':state(microphone-off)')).to.equal(false);
  });

  it('formats the timer in minutes and seconds, and in hours once there are any', () => {
    expect([0, 7_999, 754_000, 3_723_000, -5].map(clockTime)).to.deep.equal([
      '0:00',
      '0:07',
      '12:34',
      '1:02:03',
      '0:00',
    ]);
  });
});
