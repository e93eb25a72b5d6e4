import { expect, waitUntil } from '@open-wc/testing';
import '../../../src/define/stream-broadcaster.js';
import type { StreamViewerElement } from '../../../src/elements/viewer/stream-viewer-element.js';
import { FakeService } from '../../support/client/fake-service.js';
import { inPhase, mount, part, PATIENCE, playing, unmount } from './viewer-fixture.js';

describe('<stream-viewer> in a place', () => {
  let service: FakeService;

  beforeEach(() => {
    service = new FakeService();
    service.hasSound = true;
  });

  afterEach(() => {
    unmount();
    document.querySelectorAll('iframe, dialog').forEach((one) => one.remove());
    service.close();
  });

  describe('of another document', () => {
    const frameDocument = (): Document => {
      const frame = document.body.appendChild(document.createElement('iframe'));
      frame.width = '640';
      return frame.contentDocument!;
    };
    const positionOf = (element: Element) => element.ownerDocument.defaultView!.getComputedStyle(element).position;

    it('keeps its styles and plays, there and back again', async () => {
      const viewer = await mount({ muted: true });
      await playing(viewer);
      const other = frameDocument();
      other.body.append(viewer);
      await playing(viewer);
      expect(positionOf(part(viewer, 'controls'))).to.equal('absolute');
      document.body.append(viewer);
      await playing(viewer);
      expect(positionOf(part(viewer, 'controls'))).to.equal('absolute');
      viewer.remove();
    });

    for (const name of ['stream-viewer', 'stream-broadcaster']) {
      it(`has its styles where it is inserted there first: <${name}>`, async () => {
        const tag = document.createElement(name) as StreamViewerElement;
        frameDocument().body.append(tag);
        await tag.updateComplete;
        expect(positionOf(tag)).to.equal('relative');
        tag.remove();
      });
    }
  });

  describe('that is hidden, with pausewhenhidden', () => {
    const left = () => waitUntil(() => service.open.length === 0, 'it is still connected', PATIENCE);

    it('leaves in a closed dialog, and plays again when that is opened', async () => {
      const viewer = await mount({ muted: true, pauseWhenHidden: true });
      await playing(viewer);
      const dialog = document.body.appendChild(document.createElement('dialog'));
      dialog.show();
      dialog.append(viewer);
      await playing(viewer);
      dialog.close();
      await left();
      expect([viewer.phase.name, viewer.paused, viewer.srcObject]).to.deep.equal(['idle', false, null]);
      dialog.showModal();
      await playing(viewer);
      expect(service.open).to.have.length(1);
    });

    it('does not begin in closed <details> before they are opened', async () => {
      const details = document.body.appendChild(document.createElement('details'));
      const viewer = document.createElement('stream-viewer');
      const options = { endpoint: 'https://live.test', accountId: 'acme', streamName: 'keynote', autoplay: true };
      Object.assign(viewer, { ...options, defaultMuted: true, pauseWhenHidden: true });
      details.append(viewer);
      await viewer.updateComplete;
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      expect(service.requests).to.have.length(0);
      details.open = true;
      await playing(viewer);
      details.remove();
    });

    it('leaves in a hidden tab, but not beside a window with its picture', async () => {
      const viewer = await mount({ muted: true, pauseWhenHidden: true });
      await playing(viewer);
      const turnTo = (isHidden: boolean): void => {
        Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      };
      try {
        Object.defineProperty(viewer.shadowRoot, 'pictureInPictureElement', {
          value: viewer.shadowRoot!.querySelector('video'),
          configurable: true,
        });
        turnTo(true);
        await viewer.updateComplete;
        expect([viewer.phase.name, service.open.length]).to.deep.equal(['live', 1]);
        Reflect.deleteProperty(viewer.shadowRoot!, 'pictureInPictureElement');
        viewer.shadowRoot!.querySelector('video')!.dispatchEvent(new Event('leavepictureinpicture', { bubbles: true }));
        await left();
        turnTo(false);
        await playing(viewer);
      } finally {
        Reflect.deleteProperty(document, 'hidden');
      }
    });

    it('goes on without it, and is counted', async () => {
      const viewer = await mount({ muted: true });
      await playing(viewer);
      viewer.style.display = 'none';
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      await viewer.updateComplete;
      expect([viewer.phase.name, service.open.length]).to.deep.equal(['live', 1]);
    });
  });

  describe('of another shape than its picture', () => {
    const shown = async (width: number, height: number, fit = 'contain') => {
      const viewer = await mount({ muted: true });
      viewer.style.cssText = `width: ${width}px; height: ${height}px; --stream-object-fit: ${fit}`;
      await playing(viewer);
      // The event that says that the picture has a size may come later than the picture.
      viewer.requestUpdate();
      await viewer.updateComplete;
      const box = viewer.getBoundingClientRect();
      const bar = part(viewer, 'controls').getBoundingClientRect();
      const badge = part(viewer, 'live-badge').getBoundingClientRect();
      return {
        below: Math.round(box.bottom - bar.bottom),
        beside: [Math.round(bar.left - box.left), Math.round(box.right - bar.right)],
        isBadgeInside: badge.top > box.top + Math.round(box.bottom - bar.bottom),
      };
    };

    it('has its controls on the picture: above the edge on a phone, between the edges of a wide box', async () => {
      // 16 to 9, so 225 high in the middle.
      expect(await shown(400, 825)).to.deep.equal({
        below: 300,
        beside: [0, 0],
        isBadgeInside: true,
      });
      unmount();
      expect(await shown(1200, 450)).to.deep.equal({
        below: 0,
        beside: [200, 200],
        isBadgeInside: true,
      });
    });

    it('has them at its own edges where the picture fills it', async () => {
      expect((await shown(400, 825, 'cover')).below).to.equal(0);
    });

    it('is wide enough for its controls where the picture is not', async () => {
      const { beside } = await shown(1200, 200);
      expect(1200 - 2 * beside[0]!).to.be.greaterThan(355.6);
    });

    it('has them at its edge when the stream has ended', async () => {
      await shown(400, 825);
      const viewer = document.querySelector('stream-viewer')!;
      service.endStream();
      await inPhase(viewer, 'ended');
      await viewer.updateComplete;
      const { bottom } = part(viewer, 'controls').getBoundingClientRect();
      expect(Math.round(viewer.getBoundingClientRect().bottom - bottom)).to.equal(0);
    });
  });
});
