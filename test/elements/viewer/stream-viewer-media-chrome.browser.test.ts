import { expect, fixture, html, oneEvent, waitUntil } from '@open-wc/testing';
import 'media-chrome';
import 'media-chrome/menu';
import '../../../src/define/stream-viewer.js';
import type { StreamViewerElement } from '../../../src/elements/viewer/stream-viewer-element.js';
import { FakeService } from '../../support/client/fake-service.js';
import { PATIENCE, playing, shows } from './viewer-fixture.js';

describe('<stream-viewer> in media-chrome', () => {
  let service: FakeService;
  let controller: HTMLElement;
  let viewer: StreamViewerElement;

  beforeEach(async () => {
    localStorage.clear();
    service = new FakeService();
    service.hasSound = true;
    controller = await fixture(
      html`<media-controller>
        <stream-viewer
          autoplay
          slot="media"
          muted
          endpoint="https://live.test"
          account-id="acme"
          stream-name="keynote"
        ></stream-viewer>
        <media-rendition-menu hidden anchor="auto"></media-rendition-menu>
        <media-control-bar>
          <media-rendition-menu-button></media-rendition-menu-button>
          <media-play-button></media-play-button>
          <media-live-button></media-live-button>
          <media-mute-button></media-mute-button>
          <media-volume-range></media-volume-range>
          <media-pip-button></media-pip-button>
          <media-fullscreen-button></media-fullscreen-button>
        </media-control-bar>
      </media-controller>`,
    );
    viewer = controller.querySelector('stream-viewer')!;
    await playing(viewer);
  });

  afterEach(() => service.close());

  const button = (name: string) => controller.querySelector<HTMLElement>(`media-${name}-button`)!;
  const has = (attribute: string) => () => controller.hasAttribute(attribute);

  it('is known as live, playing and muted', async () => {
    await waitUntil(() => controller.getAttribute('mediastreamtype') === 'live', 'not live', PATIENCE);
    await waitUntil(() => !controller.hasAttribute('mediapaused'), 'paused', PATIENCE);
    expect(controller.hasAttribute('mediamuted')).to.equal(true);
    expect(controller.hasAttribute('mediapipunavailable')).to.equal(!document.pictureInPictureEnabled);
  });

  it('is at the live edge while it plays', async () => {
    await waitUntil(has('mediatimeislive'), 'behind', PATIENCE);
  });

  it('pauses and plays by its button', async () => {
    const paused = oneEvent(viewer, 'pause');
    button('play').click();
    await paused;
    await waitUntil(has('mediapaused'), 'not noticed', PATIENCE);
    button('play').click();
    await waitUntil(() => !controller.hasAttribute('mediapaused'), 'not noticed', PATIENCE);
    await playing(viewer);
  });

  it('is unmuted by its button, and reports its volume', async () => {
    button('mute').click();
    await waitUntil(() => !controller.hasAttribute('mediamuted'), 'not noticed', PATIENCE);
    expect(viewer.muted).to.equal(false);
    viewer.volume = 0.3;
    await waitUntil(
      () => Number(controller.getAttribute('mediavolume')).toFixed(6) === '0.300000',
      'not noticed',
      PATIENCE,
    );
  });

  it('shows no buttons of its own, but still its status', async () => {
    expect([shows(viewer, 'controls'), shows(viewer, 'unmute')]).to.deep.equal([false, false]);
    service.endStream();
    await waitUntil(() => viewer.shadowRoot!.textContent.includes('The broadcast stopped'), 'no status', PATIENCE);
    service.goLive();
    await playing(viewer);
    expect(controller.hasAttribute('mediapaused')).to.equal(false);
  });

  describe('with its rendition menu', () => {
    const menu = () => controller.querySelector<HTMLElement>('media-rendition-menu')!;
    const items = () => [...menu().shadowRoot!.querySelectorAll<HTMLElement>('media-chrome-menu-item')];
    const labels = () => items().map(({ textContent }) => textContent.trim());
    const checked = () =>
      items()
        .filter(({ ariaChecked }) => ariaChecked === 'true')
        .map(({ textContent }) => textContent.trim());
    const layer = (encodingId: string, width: number, height: number) => ({
      encodingId,
      width,
      height,
      bitrate: height,
    });

    beforeEach(async () => {
      service.sendEvent('layers', { medias: { 0: { layers: [layer('1', 1280, 720), layer('0', 640, 360)] } } });
      await waitUntil(() => items().length === 3, 'no renditions', PATIENCE);
    });

    it('lists the renditions, and automatic selection', () => {
      expect(labels().slice(0, 2)).to.deep.equal(['720p', '360p']);
      expect(labels()[2]).to.match(/^Auto/);
      expect(checked()[0]).to.match(/^Auto/);
    });

    it('selects the rendition that is clicked', async () => {
      items()[1]!.click();
      await waitUntil(() => viewer.quality === 360, 'not selected', PATIENCE);
      await waitUntil(() => service.commands.at(-1)?.name === 'select', 'no select command', PATIENCE);
      expect(service.commands.at(-1)?.data).to.deep.equal({ layer: { maxHeight: 360 } });
      await waitUntil(() => checked()[0] === '360p', 'not checked', PATIENCE);
      items()[2]!.click();
      await waitUntil(() => viewer.quality === 'auto', 'not automatic', PATIENCE);
    });

    it('shows the quality that the page sets, and the layers of the stream', async () => {
      viewer.quality = 720;
      await waitUntil(() => checked()[0] === '720p', 'not checked', PATIENCE);
      service.sendEvent('layers', { medias: { 0: { layers: [layer('0', 640, 360)] } } });
      await waitUntil(() => items().length === 2, 'not removed', PATIENCE);
    });
  });
});
