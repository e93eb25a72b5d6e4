import { expect, oneEvent, waitUntil } from '@open-wc/testing';
import type { StreamPhaseChangeEvent } from '../../../src/elements/events.js';
import type { StreamViewerElement } from '../../../src/elements/viewer/stream-viewer-element.js';
import { FakeService, granted, refused } from '../../support/client/fake-service.js';
import { inPhase, mount, openSettings, PATIENCE, playing, press, shows, unmount } from './viewer-fixture.js';

const video = (viewer: StreamViewerElement) => viewer.shadowRoot!.querySelector('video')!;

/** The name of the error that a call of `play()` rejects with. */
const rejection = (played: Promise<void>): Promise<string> =>
  played.then(
    () => 'none',
    (error: unknown) => (error instanceof DOMException ? error.name : String(error)),
  );

describe('the contract of <stream-viewer>', () => {
  let service: FakeService;

  beforeEach(() => {
    service = new FakeService();
  });

  afterEach(() => {
    unmount();
    service.close();
  });

  describe('autoplay', () => {
    it('is off without the attribute: nothing is requested', async () => {
      const viewer = await mount({ autoplay: false, muted: true });
      expect([viewer.paused, viewer.phase.name, service.requests.length]).to.deep.equal([true, 'idle', 0]);
    });

    it('is a boolean attribute: present, it starts the viewer, whatever its value', async () => {
      const viewer = await mount({ autoplay: false, muted: true });
      viewer.setAttribute('autoplay', 'false');
      await playing(viewer);
    });

    it('does not start a viewer that the page has paused', async () => {
      const viewer = await mount({ autoplay: false, muted: true });
      viewer.pause();
      viewer.autoplay = true;
      await viewer.updateComplete;
      expect([viewer.paused, service.requests.length]).to.deep.equal([true, 0]);
    });
  });

  describe('play()', () => {
    it('resolves when the picture plays', async () => {
      const viewer = await mount({ autoplay: false, muted: true });
      await viewer.play();
      expect([viewer.phase.name, video(viewer).paused]).to.deep.equal(['live', false]);
      await viewer.play();
    });

    it('resolves while the stream is not live as soon as it is', async () => {
      service.isLive = false;
      const viewer = await mount({ autoplay: false, muted: true, token: 'sesame' });
      let isSettled = false;
      const played = viewer.play().then(() => (isSettled = true));
      await inPhase(viewer, 'waiting');
      expect(isSettled).to.equal(false);
      service.goLive();
      await played;
      expect(viewer.phase.name).to.equal('live');
    });

    it('rejects with NotAllowedError where the browser plays nothing before a click', async () => {
      const viewer = await mount({ autoplay: false, muted: true });
      video(viewer).play = () => Promise.reject(new DOMException('not before a click', 'NotAllowedError'));
      expect(await rejection(viewer.play())).to.equal('NotAllowedError');
      expect(viewer.paused).to.equal(true);
    });

    it('rejects with AbortError when pause() comes first', async () => {
      const viewer = await mount({ autoplay: false, muted: true });
      const played = rejection(viewer.play());
      viewer.pause();
      expect(await played).to.equal('AbortError');
    });

    it('rejects with AbortError when the tag is removed first', async () => {
      service.isLive = false;
      const viewer = await mount({ autoplay: false, muted: true, token: 'sesame' });
      const played = rejection(viewer.play());
      await inPhase(viewer, 'waiting');
      viewer.remove();
      expect(await played).to.equal('AbortError');
    });

    it('rejects with NotSupportedError when the server refuses, and at once after that', async () => {
      service.answer = refused(401, 'token_expired', 'Unauthorized: Token expired');
      const viewer = await mount({ autoplay: false, muted: true });
      expect(await rejection(viewer.play())).to.equal('NotSupportedError');
      expect(await rejection(viewer.play())).to.equal('NotSupportedError');
      service.answer = granted;
      viewer.retry();
      await viewer.updateComplete;
      await viewer.play();
    });
  });

  it('dispatches no stream-phase-change where the phase is as before, such as when other tracks are sent', async () => {
    const viewer = await mount({ muted: true });
    const same: string[] = [];
    viewer.addEventListener('stream-phase-change', ({ previous, current }) => {
      const fields = new Set(Object.keys({ ...previous, ...current })) as Set<never>;
      if (![...fields].some((name) => previous[name] !== current[name])) same.push(current.name);
    });
    await playing(viewer);
    service.sendEvent('updated', { streamId: 'acme/keynote', sourceId: null, tracks: [{ media: 'video' }] });
    service.sendEvent('viewercount', { viewercount: 7 });
    await waitUntil(() => viewer.phase.name === 'live' && viewer.phase.viewers === 7, 'not counted', PATIENCE);
    expect(same).to.deep.equal([]);
  });

  it('dispatches stream-phase-change for each change, with the previous and the current phase', async () => {
    const viewer = await mount({ autoplay: false, muted: true });
    const changes: string[] = [];
    let last: StreamPhaseChangeEvent['current'] = viewer.phase;
    viewer.addEventListener('stream-phase-change', ({ previous, current }) => {
      expect([previous, current]).to.deep.equal([last, viewer.phase]);
      last = current;
      changes.push(current.name);
    });
    viewer.addEventListener('stream-live', () => changes.push('stream-live'));
    await viewer.play();
    expect(changes.filter((name, index) => name !== changes[index - 1])).to.deep.equal([
      'authorizing',
      'connecting',
      'live',
      'stream-live',
    ]);
    const changed = oneEvent<StreamPhaseChangeEvent>(viewer, 'stream-phase-change');
    service.endStream();
    expect((await changed).current.name).to.equal('ended');
  });

  it('sets ended, and dispatches the event ended, until the stream is live again', async () => {
    const viewer = await mount({ muted: true });
    await playing(viewer);
    expect(viewer.ended).to.equal(false);
    const ended = oneEvent(viewer, 'ended');
    service.endStream();
    await ended;
    expect(viewer.ended).to.equal(true);
    service.goLive();
    await inPhase(viewer, 'live');
    expect(viewer.ended).to.equal(false);
  });

  it('has error code 4 after a refusal, and none before and after', async () => {
    service.answer = refused(401, 'token_expired', 'Unauthorized: Token expired');
    const viewer = await mount({ autoplay: false });
    expect(viewer.error).to.equal(null);
    const failed = oneEvent(viewer, 'error');
    viewer.play().catch(() => {});
    await failed;
    expect([viewer.error?.code, viewer.error?.message]).to.deep.equal([4, 'Unauthorized: Token expired']);
    expect(viewer.error).to.equal(viewer.error);
    service.answer = granted;
    viewer.retry();
    await inPhase(viewer, 'live');
    expect(viewer.error).to.equal(null);
  });

  it('is muted at first by the attribute, which has no effect on media that plays', async () => {
    const viewer = await mount({ autoplay: false });
    viewer.setAttribute('muted', '');
    expect([viewer.defaultMuted, viewer.muted]).to.deep.equal([true, true]);
    await viewer.play();
    viewer.removeAttribute('muted');
    expect([viewer.defaultMuted, viewer.muted]).to.deep.equal([false, true]);
    viewer.defaultMuted = true;
    await viewer.updateComplete;
    expect(viewer.hasAttribute('muted')).to.equal(true);
  });

  it('selects the audio output of its video', async () => {
    const viewer = await mount({ autoplay: false });
    if (!('setSinkId' in HTMLMediaElement.prototype)) return;
    await viewer.setSinkId('');
    expect(viewer.sinkId).to.equal('');
  });

  it('announces its sources and its layers', async () => {
    const viewer = await mount({ autoplay: false, muted: true });
    const sources = oneEvent(viewer, 'stream-sources-change');
    await viewer.play();
    await sources;
    expect(viewer.sources).to.deep.equal([{ sourceId: null, kinds: ['video'] }]);
    const layers = oneEvent(viewer, 'stream-layers-change');
    sendLayers();
    await layers;
    expect(viewer.layers.map(({ height }) => height)).to.deep.equal([720, 360]);
    await viewer.updateComplete;
    expect([...viewer.videoRenditions].map(({ id }) => id)).to.deep.equal(['720p', '360p']);
  });

  it('selects a quality by its renditions, and a rendition by its quality', async () => {
    const viewer = await mount({ muted: true });
    await playing(viewer);
    sendLayers();
    await viewer.updateComplete;
    const changed = oneEvent(viewer.videoRenditions, 'change');
    viewer.videoRenditions.selectedIndex = 1;
    expect(viewer.quality).to.equal(360);
    await changed;
    await waitUntil(() => service.commands.at(-1)?.name === 'select', 'not selected', PATIENCE);
    expect(service.commands.at(-1)?.data).to.deep.equal({ layer: { maxHeight: 360 } });
    viewer.quality = 720;
    expect(viewer.videoRenditions.selectedIndex).to.equal(0);
    viewer.removeAttribute('quality');
    viewer.quality = 'auto';
    expect(viewer.videoRenditions.selectedIndex).to.equal(-1);
  });

  const sendLayers = (): void => {
    const layer = (encodingId: string, width: number, height: number) => ({
      encodingId,
      width,
      height,
      bitrate: height,
    });
    service.sendEvent('layers', { medias: { 0: { layers: [layer('1', 1280, 720), layer('0', 640, 360)] } } });
  };

  describe('opt-outs', () => {
    it('nohotkeys turns the keys off, and leaves Escape to the open settings', async () => {
      const viewer = await mount({ muted: true, noHotkeys: true });
      await playing(viewer);
      expect([press(viewer, 'k'), viewer.paused]).to.deep.equal([true, false]);
      await openSettings(viewer);
      press(viewer, 'Escape');
      await viewer.updateComplete;
      expect(shows(viewer, 'settings')).to.equal(false);
    });

    it('noautohide keeps the controls', async () => {
      const viewer = await mount({ muted: true, noAutohide: true });
      await playing(viewer);
      viewer.dispatchEvent(new PointerEvent('pointerleave', { pointerType: 'mouse' }));
      await viewer.updateComplete;
      expect(viewer.matches(':state(user-inactive)')).to.equal(false);
      viewer.noAutohide = false;
      await viewer.updateComplete;
      expect(viewer.matches(':state(user-inactive)')).to.equal(true);
    });

    it('gesturesdisabled ignores clicks on the picture', async () => {
      const viewer = await mount({ muted: true, gesturesDisabled: true });
      await playing(viewer);
      video(viewer).click();
      expect(viewer.paused).to.equal(false);
    });

    it('are attributes', async () => {
      const viewer = await mount();
      for (const name of ['nohotkeys', 'noautohide', 'gesturesdisabled']) viewer.setAttribute(name, '');
      expect([viewer.noHotkeys, viewer.noAutohide, viewer.gesturesDisabled]).to.deep.equal([true, true, true]);
    });
  });

  describe('media session', () => {
    const { mediaSession } = navigator;
    const handlers = new Map<string, MediaSessionActionHandler | null>();

    beforeEach(() => {
      mediaSession.metadata = null;
      mediaSession.setActionHandler = (action, handler) => void handlers.set(action, handler);
    });

    afterEach(() => {
      Reflect.deleteProperty(mediaSession, 'setActionHandler');
      mediaSession.metadata = null;
    });

    it('has the stream while it is live, and plays and pauses it', async () => {
      const viewer = await mount({ muted: true });
      await playing(viewer);
      await viewer.updateComplete;
      expect(mediaSession.metadata?.title).to.equal('keynote');
      handlers.get('pause')!({ action: 'pause' });
      expect(viewer.paused).to.equal(true);
      handlers.get('play')!({ action: 'play' });
      expect(viewer.paused).to.equal(false);
      viewer.remove();
      expect([mediaSession.metadata, handlers.get('play'), handlers.get('pause')]).to.deep.equal([null, null, null]);
    });

    it('plays on while the connection is restored, whichever of its buttons the system shows', async () => {
      const viewer = await mount({ muted: true });
      await playing(viewer);
      await viewer.updateComplete;
      service.answer = refused(503, 'engine_unavailable', 'restarting');
      service.open[0]!.close();
      await inPhase(viewer, 'reconnecting');
      handlers.get('play')!({ action: 'play' });
      expect(viewer.paused).to.equal(false);
      handlers.get('pause')!({ action: 'pause' });
      expect(viewer.paused).to.equal(true);
    });

    it('stays the page’s where the page has set metadata', async () => {
      const metadata = new MediaMetadata({ title: 'The page' });
      mediaSession.metadata = metadata;
      handlers.clear();
      const viewer = await mount({ muted: true });
      await playing(viewer);
      await viewer.updateComplete;
      viewer.remove();
      expect([mediaSession.metadata === metadata, handlers.size]).to.deep.equal([true, 0]);
    });
  });
});
