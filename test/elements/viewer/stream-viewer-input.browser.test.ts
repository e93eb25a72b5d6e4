import { expect, waitUntil } from '@open-wc/testing';
import type { StreamViewerElement } from '../../../src/elements/viewer/stream-viewer-element.js';
import { FakeService, granted, refused, type Answer } from '../../support/client/fake-service.js';
import { inPhase, mount, PATIENCE, playing, text, unmount } from './viewer-fixture.js';

/** Unusual input from pages, frameworks and networks. */
describe('<stream-viewer> with unusual input', () => {
  let service: FakeService;

  beforeEach(() => {
    service = new FakeService();
  });

  afterEach(() => {
    unmount();
    document.body.replaceChildren();
    service.close();
  });

  const showsText = async (viewer: StreamViewerElement, sentence: string): Promise<void> =>
    waitUntil(() => text(viewer).includes(sentence), `it shows: ${text(viewer)}`, PATIENCE);
  const fromMarkup = (html: string): StreamViewerElement => {
    const box = document.createElement('div');
    box.innerHTML = html;
    document.body.append(box);
    return box.querySelector('stream-viewer')!;
  };
  const TAG =
    '<stream-viewer autoplay muted controls endpoint="https://live.test" account-id="acme" stream-name="keynote"></stream-viewer>';

  describe('shows what is wrong with', () => {
    for (const [what, html, sentence] of [
      ['no attributes', '<stream-viewer></stream-viewer>', 'No stream selected'],
      [
        'empty attributes',
        '<stream-viewer stream-name="" account-id="" token=""></stream-viewer>',
        'No stream selected',
      ],
      ['no account and no token', '<stream-viewer autoplay stream-name="a"></stream-viewer>', 'No account-id or token'],
      [
        'an endpoint that is not a URL',
        '<stream-viewer autoplay endpoint="live" account-id="a" stream-name="b"></stream-viewer>',
        'The server address is wrong',
      ],
    ] as const) {
      it(what, async () => {
        const viewer = fromMarkup(html);
        await showsText(viewer, sentence);
        expect(service.requests).to.have.length(0);
      });
    }

    const answers: readonly (readonly [string, Answer | 'html' | 'down', string])[] = [
      ['a server that answers HTML', 'html', 'No streaming server found'],
      ['a server that is down', 'down', 'Cannot connect'],
      ['a server that answers 503', { status: 503, body: {} }, 'Cannot connect'],
      ['an expired token', refused(401, 'token_expired', 'Token expired'), 'Your access has expired'],
      ['an unknown refusal code', refused(401, 'moon_phase', 'The moon is full.'), 'The moon is full.'],
    ];
    for (const [what, answer, sentence] of answers) {
      it(what, async () => {
        if (answer === 'html') window.fetch = () => Promise.resolve(new Response('<!doctype html><p>Hello'));
        else if (answer === 'down') window.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
        else service.answer = answer;
        await showsText(await mount(), sentence);
      });
    }
  });

  it('shows a spinner while a slow server has not answered, and plays after the answer', async () => {
    const { fetch } = window;
    let answer = (): void => {};
    const slow = new Promise<void>((resolve) => (answer = resolve));
    window.fetch = async (...call) => {
      await slow;
      return fetch(...call);
    };
    const viewer = await mount({ muted: true });
    await waitUntil(() => viewer.shadowRoot!.querySelector('.spinner'), 'no spinner', PATIENCE);
    expect(viewer.phase.name).to.equal('authorizing');
    answer();
    await playing(viewer);
  });

  it('shows that the person is offline', async () => {
    const viewer = await mount({ muted: true });
    await playing(viewer);
    Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
    try {
      window.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
      service.open[0]!.close();
      await showsText(viewer, 'You are offline');
    } finally {
      Reflect.deleteProperty(navigator, 'onLine');
    }
  });

  it('uses attributes that change while it connects', async () => {
    const viewer = fromMarkup(TAG);
    await viewer.updateComplete;
    expect(viewer.phase.name).to.equal('authorizing');
    viewer.setAttribute('stream-name', 'encore');
    await playing(viewer);
    expect(service.requests.at(-1)?.body).to.deep.include({ streamName: 'encore' });
    expect(service.open).to.have.length(1);
    viewer.removeAttribute('stream-name');
    await showsText(viewer, 'No stream selected');
    expect(service.open).to.have.length(0);
  });

  it('plays on when it is moved within the page', async () => {
    const viewer = await mount({ muted: true });
    await playing(viewer);
    const section = document.createElement('section');
    document.body.append(section);
    section.append(viewer);
    await viewer.updateComplete;
    await playing(viewer);
    expect([viewer.phase.name, viewer.paused, service.sockets.length]).to.deep.equal(['live', false, 1]);
  });

  it('starts again when it was removed and is inserted again', async () => {
    const viewer = await mount({ muted: true });
    await playing(viewer);
    viewer.remove();
    await waitUntil(() => service.open.length === 0, 'still connected', PATIENCE);
    document.body.append(viewer);
    await playing(viewer);
    expect(service.open).to.have.length(1);
  });

  it('plays as a copy beside its original', async () => {
    const original = fromMarkup(TAG);
    const copy = original.cloneNode(true) as StreamViewerElement;
    document.body.append(copy);
    await Promise.all([playing(original), playing(copy)]);
    expect(copy.shadowRoot).not.to.equal(original.shadowRoot);
    expect(service.open).to.have.length(2);
  });

  it('keeps properties that were set before the tag was defined', async () => {
    const late = document.createElement('late-viewer');
    Object.assign(late, {
      accountId: 'acme',
      streamName: 'keynote',
      endpoint: 'https://live.test',
      autoplay: true,
      muted: true,
      volume: 0.5,
    });
    document.body.append(late);
    customElements.define(
      'late-viewer',
      class extends (customElements.get('stream-viewer') as typeof StreamViewerElement) {},
    );
    const viewer = late as StreamViewerElement;
    expect([Object.hasOwn(viewer, 'streamName'), viewer.muted, viewer.volume]).to.deep.equal([false, true, 0.5]);
    await playing(viewer);
  });

  it('plays in a shadow root', async () => {
    const host = document.createElement('div');
    document.body.append(host);
    const root = host.attachShadow({ mode: 'closed' });
    root.innerHTML = TAG;
    await playing(root.querySelector('stream-viewer')!);
  });

  it('plays while it is not displayed, and after it is displayed', async () => {
    const viewer = fromMarkup(`<div style="display: none">${TAG}</div>`);
    await inPhase(viewer, 'live');
    await waitUntil(() => viewer.currentTime > 0, 'it does not play', PATIENCE);
    viewer.parentElement!.style.display = '';
    await playing(viewer);
    await waitUntil(() => !viewer.shadowRoot!.querySelector('.spinner'), 'still a spinner', PATIENCE);
  });

  it('plays in a hidden page, and removes the spinner when the page paints its first frame', async () => {
    const { requestVideoFrameCallback } = HTMLVideoElement.prototype;
    const waiting: (() => void)[] = [];
    // A hidden page paints no frames.
    HTMLVideoElement.prototype.requestVideoFrameCallback = function (callback) {
      return waiting.push(() => requestVideoFrameCallback.call(this, callback));
    };
    try {
      const viewer = await mount({ muted: true });
      await inPhase(viewer, 'live');
      await waitUntil(() => viewer.currentTime > 0, 'it does not play', PATIENCE);
      expect(viewer.shadowRoot!.querySelector('.spinner')).not.to.equal(null);
      for (const paint of waiting) paint();
      await waitUntil(() => !viewer.shadowRoot!.querySelector('.spinner'), 'still a spinner', PATIENCE);
    } finally {
      HTMLVideoElement.prototype.requestVideoFrameCallback = requestVideoFrameCallback;
    }
  });

  it('shows that its token has expired while it waits', async () => {
    service.isLive = false;
    const viewer = await mount({ token: 'sesame' });
    await inPhase(viewer, 'waiting');
    service.sendEvent('stopped', { streamId: 'acme/keynote', code: 'token_expired', message: 'the token expired' });
    await showsText(viewer, 'Your access has expired');
    expect(service.requests).to.have.length(1);
  });

  it('uses another token of the token provider, and shows no message', async () => {
    service.isLive = false;
    let count = 0;
    const viewer = await mount({ tokenProvider: () => Promise.resolve(`token-${++count}`) });
    await inPhase(viewer, 'waiting');
    service.sendEvent('stopped', { streamId: 'acme/keynote', code: 'token_expired', message: 'the token expired' });
    await waitUntil(() => service.requests.length === 2, 'no second request', PATIENCE);
    expect(service.requests[1]!.token).to.equal('token-2');
    await inPhase(viewer, 'waiting');
    expect(viewer.outerHTML + viewer.shadowRoot!.innerHTML).not.to.contain('token-2');
  });

  it('plays the stream that is set last, after any other names', async () => {
    const viewer = await mount({ muted: true });
    for (const streamName of ['', 'a', '\u0000', 'x'.repeat(10_000), 'keynote']) {
      viewer.streamName = streamName;
      await viewer.updateComplete;
    }
    service.answer = granted;
    await playing(viewer);
    expect(service.open).to.have.length(1);
  });
});
