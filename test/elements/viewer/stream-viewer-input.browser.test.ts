import { expect, waitUntil } from '@open-wc/testing';
import type { StreamViewerElement } from '../../../src/elements/viewer/stream-viewer-element.js';
import { FakeService, granted, refused, type Answer } from '../../support/client/fake-service.js';
import { inPhase, mount, PATIENCE, playing, text, unmount } from './viewer-fixture.js';

/** What a page, a framework or a network can do to the tag. */
describe('<stream-viewer> in the hands of others', () => {
  let service: FakeService;

  beforeEach(() => {
    service = new FakeService();
  });

  afterEach(() => {
    unmount();
    document.body.replaceChildren();
    service.close();
  });

  const says = async (viewer: StreamViewerElement, sentence: string): Promise<void> =>
    waitUntil(() => text(viewer).includes(sentence), `it says: ${text(viewer)}`, PATIENCE);
  const written = (html: string): StreamViewerElement => {
    const box = document.createElement('div');
    box.innerHTML = html;
    document.body.append(box);
    return box.querySelector('stream-viewer')!;
  };
  const TAG =
    '<stream-viewer autoplay muted controls endpoint="https://live.test" account-id="acme" stream-name="keynote"></stream-viewer>';

  describe('says what is wrong with', () => {
    for (const [what, html, sentence] of [
      ['no attributes', '<stream-viewer></stream-viewer>', 'No stream selected'],
      ['empty ones', '<stream-viewer stream-name="" account-id="" token=""></stream-viewer>', 'No stream selected'],
      ['no account and no token', '<stream-viewer autoplay stream-name="a"></stream-viewer>', 'No account-id or token'],
      [
        'an endpoint that is none',
        '<stream-viewer autoplay endpoint="live" account-id="a" stream-name="b"></stream-viewer>',
        'The server address is wrong',
      ],
    ] as const) {
      it(what, async () => {
        const viewer = written(html);
        await says(viewer, sentence);
        expect(service.requests).to.have.length(0);
      });
    }

    const answered: readonly (readonly [string, Answer | 'html' | 'down', string])[] = [
      ['a server that answers HTML', 'html', 'No streaming server found'],
      ['a server that is down', 'down', 'Cannot connect'],
      ['a server in trouble', { status: 503, body: {} }, 'Cannot connect'],
      ['a token that ran out', refused(401, 'token_expired', 'Token expired'), 'Your access has expired'],
      ['a reason that it does not know', refused(401, 'moon_phase', 'The moon is full.'), 'The moon is full.'],
    ];
    for (const [what, answer, sentence] of answered) {
      it(what, async () => {
        if (answer === 'html') window.fetch = () => Promise.resolve(new Response('<!doctype html><p>Hello'));
        else if (answer === 'down') window.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
        else service.answer = answer;
        await says(await mount(), sentence);
      });
    }
  });

  it('shows that it waits for a server that is slow, and plays when that answers', async () => {
    const { fetch } = window;
    let answer = (): void => {};
    const slow = new Promise<void>((resolve) => (answer = resolve));
    window.fetch = async (...call) => {
      await slow;
      return fetch(...call);
    };
    const viewer = await mount({ muted: true });
    await waitUntil(() => viewer.shadowRoot!.querySelector('.spinner'), 'it shows nothing', PATIENCE);
    expect(viewer.phase.name).to.equal('authorizing');
    answer();
    await playing(viewer);
  });

  it('tells who is offline, and that it goes on by itself', async () => {
    const viewer = await mount({ muted: true });
    await playing(viewer);
    Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
    try {
      window.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
      service.open[0]!.close();
      await says(viewer, 'You are offline');
    } finally {
      Reflect.deleteProperty(navigator, 'onLine');
    }
  });

  it('follows attributes that change while it connects', async () => {
    const viewer = written(TAG);
    await viewer.updateComplete;
    expect(viewer.phase.name).to.equal('authorizing');
    viewer.setAttribute('stream-name', 'encore');
    await playing(viewer);
    expect(service.requests.at(-1)?.body).to.deep.include({ streamName: 'encore' });
    expect(service.open).to.have.length(1);
    viewer.removeAttribute('stream-name');
    await says(viewer, 'No stream selected');
    expect(service.open).to.have.length(0);
  });

  it('plays on when it is moved', async () => {
    const viewer = await mount({ muted: true });
    await playing(viewer);
    const place = document.createElement('section');
    document.body.append(place);
    place.append(viewer);
    await viewer.updateComplete;
    await playing(viewer);
    expect([viewer.phase.name, viewer.paused, service.sockets.length]).to.deep.equal(['live', false, 1]);
  });

  it('starts anew when it was removed and is put back', async () => {
    const viewer = await mount({ muted: true });
    await playing(viewer);
    viewer.remove();
    await waitUntil(() => service.open.length === 0, 'still connected', PATIENCE);
    document.body.append(viewer);
    await playing(viewer);
    expect(service.open).to.have.length(1);
  });

  it('plays as a copy beside its original', async () => {
    const original = written(TAG);
    const copy = original.cloneNode(true) as StreamViewerElement;
    document.body.append(copy);
    await Promise.all([playing(original), playing(copy)]);
    expect(copy.shadowRoot).not.to.equal(original.shadowRoot);
    expect(service.open).to.have.length(2);
  });

  it('takes what was set before its code was there', async () => {
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

  it('plays where it is not seen, and is seen later', async () => {
    const viewer = written(`<div style="display: none">${TAG}</div>`);
    await inPhase(viewer, 'live');
    await waitUntil(() => viewer.currentTime > 0, 'it stands', PATIENCE);
    viewer.parentElement!.style.display = '';
    await playing(viewer);
    await waitUntil(() => !viewer.shadowRoot!.querySelector('.spinner'), 'still a spinner', PATIENCE);
  });

  it('begins in a tab that nobody looks at, and shows its picture when somebody does', async () => {
    const { requestVideoFrameCallback } = HTMLVideoElement.prototype;
    const seen: (() => void)[] = [];
    // A hidden page paints no frames.
    HTMLVideoElement.prototype.requestVideoFrameCallback = function (callback) {
      return seen.push(() => requestVideoFrameCallback.call(this, callback));
    };
    try {
      const viewer = await mount({ muted: true });
      await inPhase(viewer, 'live');
      await waitUntil(() => viewer.currentTime > 0, 'it stands', PATIENCE);
      expect(viewer.shadowRoot!.querySelector('.spinner')).not.to.equal(null);
      for (const look of seen) look();
      await waitUntil(() => !viewer.shadowRoot!.querySelector('.spinner'), 'still a spinner', PATIENCE);
    } finally {
      HTMLVideoElement.prototype.requestVideoFrameCallback = requestVideoFrameCallback;
    }
  });

  it('is told when its token runs out while it waits', async () => {
    service.isLive = false;
    const viewer = await mount({ token: 'sesame' });
    await inPhase(viewer, 'waiting');
    service.tell('stopped', { streamId: 'acme/keynote', code: 'token_expired', message: 'the token expired' });
    await says(viewer, 'Your access has expired');
    expect(service.requests).to.have.length(1);
  });

  it('asks for another token when the page can provide one, without a word to the person', async () => {
    service.isLive = false;
    let count = 0;
    const viewer = await mount({ tokenProvider: () => Promise.resolve(`token-${++count}`) });
    await inPhase(viewer, 'waiting');
    service.tell('stopped', { streamId: 'acme/keynote', code: 'token_expired', message: 'the token expired' });
    await waitUntil(() => service.requests.length === 2, 'it did not ask again', PATIENCE);
    expect(service.requests[1]!.token).to.equal('token-2');
    await inPhase(viewer, 'waiting');
    expect(viewer.outerHTML + viewer.shadowRoot!.innerHTML).not.to.contain('token-2');
  });

  it('begins the stream that is set at last, after any nonsense', async () => {
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
