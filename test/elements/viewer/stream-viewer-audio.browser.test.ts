import { expect, waitUntil } from '@open-wc/testing';
import type { StreamViewerElement } from '../../../src/elements/viewer/stream-viewer-element.js';
import { itNeeds } from '../../support/capabilities.js';
import { FakeService } from '../../support/client/fake-service.js';
import { inPhase, mount, part, PATIENCE, playing, POSTER, shows, unmount } from './viewer-fixture.js';

describe('<stream-viewer> with sound alone', () => {
  let service: FakeService;

  beforeEach(() => {
    service = new FakeService();
    service.hasSound = true;
  });

  afterEach(() => {
    unmount();
    service.close();
  });

  const offers = () =>
    service.commands
      .filter(({ name }) => name === 'view')
      .map(({ data }) =>
        String(data['sdp'])
          .match(/^m=\w+/gm)
          ?.join(' '),
      );
  const kinds = ({ srcObject }: StreamViewerElement) => (srcObject as MediaStream).getTracks().map(({ kind }) => kind);
  const sounding = async (viewer: StreamViewerElement) => {
    await waitUntil(() => viewer.phase.name === 'live' && viewer.currentTime > 0, 'no sound', PATIENCE);
    await viewer.updateComplete;
  };
  const hasIcon = (viewer: StreamViewerElement) =>
    viewer.shadowRoot!.querySelector('[role=status] svg')?.checkVisibility() ?? false;
  const listen = async (changes: Partial<StreamViewerElement> = {}) => {
    const viewer = await mount({ muted: true, audioOnly: true, ...changes });
    await sounding(viewer);
    return viewer;
  };

  it('requests no video, and plays', async () => {
    const viewer = await listen();
    expect(offers()).to.deep.equal(['m=audio']);
    expect(kinds(viewer)).to.deep.equal(['audio']);
    expect([viewer.videoWidth, viewer.paused, viewer.videoRenditions.length]).to.deep.equal([0, false, 0]);
  });

  it('has an icon in place of the picture, and no spinner', async () => {
    const viewer = await listen();
    expect([hasIcon(viewer), part(viewer, 'spinner')]).to.deep.equal([true, null]);
    expect(viewer.shadowRoot!.querySelector('[role=status]')!.textContent).to.equal('Live');
  });

  it('shows what the page puts into the slot in place of the icon', async () => {
    const viewer = await listen();
    const logo = Object.assign(document.createElement('b'), { slot: 'audio', textContent: 'ACME' });
    viewer.append(logo);
    await waitUntil(() => !hasIcon(viewer), 'the icon stays', PATIENCE);
    expect(logo.checkVisibility()).to.equal(true);
  });

  it('shows a poster in place of the icon', async () => {
    const viewer = await listen({ poster: POSTER });
    expect(hasIcon(viewer)).to.equal(false);
    expect(getComputedStyle(part(viewer, 'video')).backgroundImage).to.contain('data:image/svg+xml');
  });

  it('has no buttons for a picture', async () => {
    const viewer = await listen();
    for (const name of ['play', 'mute', 'settings-button']) expect(shows(viewer, name), name).to.equal(true);
    for (const name of ['pip', 'fullscreen']) expect(shows(viewer, name), name).to.equal(false);
  });

  it('keeps its controls while the visitor is inactive', async () => {
    const viewer = await listen();
    viewer.dispatchEvent(new PointerEvent('pointerleave', { pointerType: 'mouse' }));
    await viewer.updateComplete;
    expect(viewer.matches(':state(user-inactive)')).to.equal(false);
  });

  itNeeds('received-sound')('is what a stream without video is, and gets the picture when it begins', async () => {
    service.hasVideo = false;
    const viewer = await mount({ muted: true });
    await sounding(viewer);
    expect([hasIcon(viewer), shows(viewer, 'fullscreen')]).to.deep.equal([true, false]);
    service.hasVideo = true;
    service.sendEvent('updated', {
      streamId: 'acme/keynote',
      sourceId: null,
      tracks: [
        { trackId: '0', media: 'video' },
        { trackId: '1', media: 'audio' },
      ],
    });
    await playing(viewer);
    await viewer.updateComplete;
    expect([hasIcon(viewer), shows(viewer, 'fullscreen')]).to.deep.equal([false, true]);
  });

  it('plays when a stream for which the viewer waited begins without video', async () => {
    Object.assign(service, { isLive: false, hasVideo: false });
    const viewer = await mount({ muted: true, token: 'sesame' });
    await inPhase(viewer, 'waiting');
    service.goLive();
    await sounding(viewer);
    expect([kinds(viewer), hasIcon(viewer)]).to.deep.equal([['audio'], true]);
  });

  it('connects again when the attribute changes, and goes on playing', async () => {
    const viewer = await mount({ muted: true });
    await playing(viewer);
    viewer.setAttribute('audioonly', '');
    await waitUntil(() => offers().length === 2, 'no second offer', PATIENCE);
    await sounding(viewer);
    expect([kinds(viewer), viewer.videoWidth]).to.deep.equal([['audio'], 0]);
    viewer.removeAttribute('audioonly');
    await waitUntil(() => offers().length === 3, 'no third offer', PATIENCE);
    await playing(viewer);
    expect(offers()).to.deep.equal(['m=video m=audio', 'm=audio', 'm=video m=audio']);
    expect([service.open.length, viewer.paused, hasIcon(viewer)]).to.deep.equal([1, false, false]);
  });

  it('stays without video after the connection is lost', async () => {
    const viewer = await listen();
    service.sockets[0]!.close();
    await inPhase(viewer, 'reconnecting');
    await viewer.updateComplete;
    expect(hasIcon(viewer)).to.equal(false);
    await inPhase(viewer, 'live');
    await viewer.updateComplete;
    expect([offers(), hasIcon(viewer)]).to.deep.equal([['m=audio', 'm=audio'], true]);
  });
});
