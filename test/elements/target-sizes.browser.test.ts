import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import '../../src/define.js';
import type { StreamBroadcasterElement } from '../../src/elements/broadcaster/stream-broadcaster-element.js';
import { FakeService } from '../support/client/fake-service.js';
import { mount, openSettings, PATIENCE, playing, unmount } from './viewer/viewer-fixture.js';

// docs/accessibility.md names these heights. They apply where the pointer is a mouse.

/** The smallest height of the visible elements, in pixels. */
function smallestHeight(root: ShadowRoot, selector: string): number {
  const visible = [...root.querySelectorAll<HTMLElement>(selector)].filter((element) => element.checkVisibility());
  expect(visible.length, selector).to.be.above(0);
  return Math.round(Math.min(...visible.map((element) => element.getBoundingClientRect().height)));
}

describe('the height of the controls', () => {
  let service: FakeService;

  beforeEach(() => {
    service = new FakeService();
  });
  afterEach(() => {
    unmount();
    service.close();
  });

  it('of <stream-viewer> grows with the player', async () => {
    const viewer = await mount();
    await playing(viewer);
    await openSettings(viewer);
    const heights = async (width: number, selector: string): Promise<number> => {
      viewer.style.width = `${width}px`;
      await viewer.updateComplete;
      return smallestHeight(viewer.shadowRoot!, selector);
    };
    expect(await heights(320, 'label')).to.equal(27);
    expect(await heights(640, 'label')).to.equal(30);
    expect(await heights(1920, 'label')).to.equal(38);
    expect(await heights(160, '.bottom button')).to.equal(34);
    expect(await heights(640, '.bottom button')).to.equal(38);
    expect(await heights(1920, '.bottom button')).to.equal(48);
  });

  it('of <stream-broadcaster> is the same at every width', async () => {
    const element = await fixture<StreamBroadcasterElement>(
      html`<stream-broadcaster endpoint="https://live.test" stream-name="keynote"></stream-broadcaster>`,
    );
    await element.openCamera();
    await waitUntil(() => element.shadowRoot!.querySelector('.go'), 'no camera', PATIENCE);
    element.shadowRoot!.querySelectorAll('details').forEach((one) => (one.open = true));
    for (const width of [160, 640, 1280]) {
      element.style.width = `${width}px`;
      await element.updateComplete;
      expect(smallestHeight(element.shadowRoot!, 'button, select')).to.equal(40);
      expect(smallestHeight(element.shadowRoot!, '.go')).to.equal(44);
      // Firefox rounds the height of a line up.
      expect(smallestHeight(element.shadowRoot!, 'summary')).to.be.within(32, 33);
    }
  });
});
