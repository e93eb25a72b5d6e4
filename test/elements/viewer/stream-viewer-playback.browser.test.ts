import { expect, oneEvent, waitUntil } from '@open-wc/testing';
import type { StreamViewerElement } from '../../../src/elements/viewer/stream-viewer-element.js';
import { FakeService } from '../../support/client/fake-service.js';
import {
  inPhase,
  mount,
  openSettings,
  part,
  PATIENCE,
  playing,
  POSTER,
  shows,
  text,
  unmount,
} from './viewer-fixture.js';

const video = (viewer: StreamViewerElement) => viewer.shadowRoot!.querySelector('video')!;

/** Simulates a browser that blocks sound, or all playback, before the first click. */
function blockAutoplay(blocks: (element: HTMLMediaElement) => boolean): () => void {
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = function () {
    return blocks(this) ? Promise.reject(new DOMException('not before a click', 'NotAllowedError')) : play.call(this);
  };
  return () => (HTMLMediaElement.prototype.play = play);
}

describe('<stream-viewer> as a player', () => {
  let service: FakeService;
  let allowPlay = (): void => {};

  beforeEach(() => {
    service = new FakeService();
  });

  afterEach(() => {
    allowPlay();
    unmount();
    service.close();
  });

  describe('starts', () => {
    it('with sound, if the browser allows it', async () => {
      service.hasSound = true;
      allowPlay = blockAutoplay(() => false);
      const { play } = HTMLMediaElement.prototype;
      const mutedAt: boolean[] = [];
      HTMLMediaElement.prototype.play = function () {
        mutedAt.push(this.muted);
        this.muted = true;
        return play.call(this);
      };
      const viewer = await mount();
      await playing(viewer);
      expect(mutedAt[0]).to.equal(false);
      expect(shows(viewer, 'unmute')).to.equal(false);
    });

    it('muted if the browser blocks sound, and shows the unmute prompt', async () => {
      service.hasSound = true;
      allowPlay = blockAutoplay(({ muted }) => !muted);
      const viewer = await mount();
      await playing(viewer);
      expect(viewer.muted).to.equal(true);
      expect(viewer.matches(':state(muted)')).to.equal(true);
      expect(text(viewer)).to.contain('Tap to unmute');
      await expect(viewer).to.be.accessible();
      allowPlay();
      part(viewer, 'unmute').click();
      await waitUntil(() => !shows(viewer, 'unmute'), 'the prompt stays', PATIENCE);
      expect(viewer.muted).to.equal(false);
    });

    it('muted with the attribute muted, and shows no prompt', async () => {
      service.hasSound = true;
      allowPlay = blockAutoplay(({ muted }) => !muted);
      const viewer = await mount({ muted: true });
      await playing(viewer);
      expect(shows(viewer, 'unmute')).to.equal(false);
    });

    it('with the unmute prompt also without controls, and a click on the picture unmutes', async () => {
      service.hasSound = true;
      allowPlay = blockAutoplay(({ muted }) => !muted);
      const viewer = await mount({ controls: false });
      await playing(viewer);
      expect(shows(viewer, 'unmute')).to.equal(true);
      allowPlay();
      video(viewer).click();
      expect(viewer.muted).to.equal(false);
    });

    it('on a click, if the browser blocks all playback before it', async () => {
      allowPlay = blockAutoplay(() => true);
      const viewer = await mount({ controls: false });
      await waitUntil(() => viewer.paused && shows(viewer, 'button'), 'no button', PATIENCE);
      allowPlay();
      viewer.shadowRoot!.querySelector<HTMLElement>('[part~=play-overlay]')!.click();
      await playing(viewer);
      expect(viewer.paused).to.equal(false);
    });

    it('with `play()` when `autoplay` is false, and sends no request before', async () => {
      const viewer = await mount({ autoplay: false, muted: true });
      expect([viewer.paused, viewer.phase.name, service.requests.length]).to.deep.equal([true, 'idle', 0]);
      expect(viewer.shadowRoot!.querySelector('[part~=play-overlay]')!.checkVisibility()).to.equal(true);
      await expect(viewer).to.be.accessible();
      await viewer.play();
      await playing(viewer);
      expect(service.requests).to.have.length(1);
    });
  });

  describe('pauses', () => {
    it('without a disconnect, and continues at the live edge', async () => {
      const viewer = await mount({ muted: true });
      await playing(viewer);
      const paused = oneEvent(viewer, 'pause');
      viewer.pause();
      await paused;
      await viewer.updateComplete;
      expect([viewer.paused, video(viewer).paused, viewer.matches(':state(paused)')]).to.deep.equal([true, true, true]);
      expect(service.open).to.have.length(1);
      const again = oneEvent(viewer, 'playing');
      await viewer.play();
      await again;
      await playing(viewer);
      expect(service.sockets).to.have.length(1);
    });

    it('also while the stream starts', async () => {
      service.isLive = false;
      const viewer = await mount({ muted: true, token: 'sesame' });
      await inPhase(viewer, 'waiting');
      viewer.pause();
      service.goLive();
      await inPhase(viewer, 'live');
      expect(video(viewer).paused).to.equal(true);
      await viewer.play();
      await playing(viewer);
    });

    it('when its video is paused from outside, such as by the picture-in-picture window', async () => {
      const viewer = await mount({ muted: true });
      await playing(viewer);
      video(viewer).pause();
      await waitUntil(() => viewer.paused, 'not paused', PATIENCE);
    });
  });

  it('gives the video its media while it waits, so that the first picture waits for nothing else', async () => {
    service.isLive = false;
    const viewer = await mount({ muted: true, token: 'sesame' });
    await inPhase(viewer, 'waiting');
    const { srcObject } = viewer;
    expect(srcObject).to.be.instanceOf(MediaStream);
    expect([video(viewer).paused, viewer.paused]).to.deep.equal([true, false]);
    const events: string[] = [];
    viewer.addEventListener('emptied', ({ type }) => events.push(type));
    service.goLive();
    await playing(viewer);
    expect([viewer.srcObject, events]).to.deep.equal([srcObject, []]);
  });

  it('keeps the last picture while it reconnects, and then plays on', async () => {
    const viewer = await mount({ muted: true });
    await playing(viewer);
    const media = video(viewer).srcObject;
    service.sockets[0]!.close();
    await inPhase(viewer, 'reconnecting');
    // A paused video with the same media shows its last picture. In WebKit, it has no width then.
    expect([viewer.paused, video(viewer).paused, video(viewer).srcObject]).to.deep.equal([false, true, media]);
    await inPhase(viewer, 'live');
    await playing(viewer);
  });

  it('shows the poster until the first picture, in every browser', async () => {
    service.isLive = false;
    const viewer = await mount({ muted: true, poster: POSTER });
    const { style } = video(viewer);
    await inPhase(viewer, 'waiting');
    viewer.requestUpdate();
    await viewer.updateComplete;
    expect(style.backgroundImage).to.contain('data:image/svg+xml');
    service.goLive();
    await waitUntil(() => style.backgroundImage === '', 'the poster stays', PATIENCE);
    await playing(viewer);
    service.endStream();
    await inPhase(viewer, 'ended');
    expect(style.backgroundImage).to.equal('');
  });

  it('plays on after a migration, without events', async () => {
    const viewer = await mount({ muted: true });
    await playing(viewer);
    const { srcObject } = viewer;
    const events: string[] = [];
    for (const type of ['play', 'pause', 'stream-error', 'stream-live'])
      viewer.addEventListener(type, () => events.push(type));
    service.sendEvent('migrate', { streamId: 'acme/keynote' });
    await waitUntil(() => viewer.srcObject !== srcObject, 'no other media', PATIENCE);
    await playing(viewer);
    expect([video(viewer).paused, viewer.paused, events]).to.deep.equal([false, false, []]);
  });

  it('dispatches the events of a video', async () => {
    const viewer = document.createElement('stream-viewer');
    const events = new Set<string>();
    for (const type of ['play', 'loadstart', 'loadedmetadata', 'canplay', 'playing', 'timeupdate', 'resize'])
      viewer.addEventListener(type, () => events.add(type));
    Object.assign(viewer, {
      endpoint: 'https://live.test',
      accountId: 'acme',
      streamName: 'keynote',
      autoplay: true,
      muted: true,
    });
    document.body.append(viewer);
    await waitUntil(() => events.size === 7, 'events are missing', PATIENCE);
    expect(viewer.duration).to.equal(Infinity);
    expect([viewer.readyState > 1, viewer.ended, viewer.error]).to.deep.equal([true, false, null]);
    expect(viewer.srcObject).to.be.instanceOf(MediaStream);
    viewer.volume = 0.25;
    expect(video(viewer).volume).to.equal(0.25);
    viewer.remove();
  });

  it('has error code 2 after an answer that it cannot read', async () => {
    service.answer = { status: 200, body: { what: 'is this' } };
    const viewer = document.createElement('stream-viewer');
    Object.assign(viewer, { endpoint: 'https://live.test', accountId: 'acme', streamName: 'keynote', autoplay: true });
    const failed = oneEvent(viewer, 'error');
    document.body.append(viewer);
    await failed;
    expect(viewer.error?.code).to.equal(2);
    expect(viewer.error?.message).to.contain('No streaming server here');
    viewer.remove();
  });

  describe('captions', () => {
    const track = () =>
      Object.assign(document.createElement('track'), {
        kind: 'captions',
        label: 'English',
        srclang: 'en',
        src: URL.createObjectURL(new Blob(['WEBVTT\n\n00:00.000 --> 10:00:00.000\nGood evening'])),
      });

    it('of the page are added to the video and removed from it', async () => {
      const viewer = await mount();
      const given = track();
      viewer.append(given);
      await waitUntil(() => viewer.textTracks.length === 1, 'no track', PATIENCE);
      expect(viewer.textTracks[0]!.label).to.equal('English');
      given.remove();
      await waitUntil(() => viewer.textTracks.length === 0, 'still there', PATIENCE);
    });

    it('are selected in the menu, and then loaded', async () => {
      const viewer = await mount({ muted: true });
      viewer.append(track());
      await playing(viewer);
      await openSettings(viewer);
      const choices = [...part(viewer, 'settings').querySelectorAll('label')];
      expect(choices.map(({ textContent }) => textContent)).to.deep.equal(['Off', 'English', 'Statistics']);
      choices[1]!.click();
      await waitUntil(() => viewer.textTracks[0]!.cues?.length === 1, 'no cues', PATIENCE);
      expect(viewer.textTracks[0]!.mode).to.equal('showing');
    });

    it('can be added live with addTextTrack', async () => {
      const viewer = await mount({ muted: true });
      await playing(viewer);
      const live = viewer.addTextTrack('captions', 'Live', 'en');
      live.mode = 'showing';
      live.addCue(new VTTCue(0, 1e6, 'Good evening.'));
      await waitUntil(() => live.activeCues?.length === 1, 'not shown', PATIENCE);
    });
  });
});
