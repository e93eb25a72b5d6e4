import { expect, waitUntil } from '@open-wc/testing';
import type { StreamViewerElement } from '../../../src/elements/viewer/stream-viewer-element.js';
import { itNeeds } from '../../support/capabilities.js';
import { FakeService } from '../../support/client/fake-service.js';
import { HeldTimers } from '../../support/held-timers.js';
import { touch } from '../../support/touch.js';
import { mount, part, PATIENCE, playing, shows, unmount } from './viewer-fixture.js';

describe('<stream-viewer> under a finger', () => {
  let service: FakeService;
  let viewer: StreamViewerElement;
  /** Hides the controls when they elapse. */
  let inactivity: HeldTimers;

  beforeEach(async () => {
    inactivity = new HeldTimers(3_000);
    service = new FakeService();
    service.hasSound = true;
    viewer = await mount({ muted: true });
    await playing(viewer);
  });

  afterEach(() => {
    inactivity.restore();
    unmount();
    service.close();
  });

  const isQuiet = (): boolean => viewer.matches(':state(user-inactive)');
  const hidden = async (): Promise<void> => {
    inactivity.elapse();
    await waitUntil(isQuiet, 'the controls stay', PATIENCE);
    await viewer.updateComplete;
  };
  const settled = async (): Promise<void> => {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    await viewer.updateComplete;
  };

  // The first: after a touch, the page may be heard.
  itNeeds('touch')('turns the sound on at the first tap where the browser wanted one, controls or not', async () => {
    unmount();
    viewer = await mount();
    await playing(viewer);
    await waitUntil(() => shows(viewer, 'unmute'), 'no button', PATIENCE);
    await hidden();
    await touch(part(viewer, 'unmute'));
    await waitUntil(() => !viewer.muted, 'still no sound', PATIENCE);
  });

  for (const [name, happened] of [
    ['play', () => viewer.paused],
    ['mute', () => !viewer.muted],
    ['settings-button', () => shows(viewer, 'settings')],
  ] as const) {
    itNeeds('touch')(`shows the hidden controls at the first tap on ${name}, and acts at the second`, async () => {
      await hidden();
      const button = part(viewer, name);
      let clicks = 0;
      viewer.addEventListener('click', () => clicks++);
      await touch(button);
      await waitUntil(() => !isQuiet(), 'the controls did not come', PATIENCE);
      await settled();
      expect([happened(), clicks]).to.deep.equal([false, 0]);
      await touch(button);
      await waitUntil(happened, 'nothing happened', PATIENCE);
      expect(clicks).to.equal(1);
    });
  }

  itNeeds('touch')('acts at once on controls that can be seen, as a paused picture has them', async () => {
    viewer.pause();
    await viewer.updateComplete;
    await settled();
    await touch(part(viewer, 'play'));
    await waitUntil(() => !viewer.paused, 'it stays paused', PATIENCE);
  });

  it('acts at once for who cannot see the screen: VoiceOver taps without a size', async () => {
    await hidden();
    const play = part(viewer, 'play');
    play.dispatchEvent(
      new PointerEvent('pointerdown', { pointerType: 'touch', width: 0, height: 0, bubbles: true, composed: true }),
    );
    const lifted = new Event('touchend', { bubbles: true, composed: true, cancelable: true });
    play.dispatchEvent(lifted);
    expect(lifted.defaultPrevented).to.equal(false);
  });

  // The last: the browser takes the next touch for the end of this one's movement.
  itNeeds('touch')('leaves the volume as it is where the hidden slider is dragged', async () => {
    await hidden();
    await touch(part(viewer, 'volume'), undefined, 30);
    await waitUntil(() => !isQuiet(), 'the controls did not come', PATIENCE);
    await settled();
    expect([viewer.muted, viewer.volume]).to.deep.equal([true, 1]);
    await touch(part(viewer, 'volume'), undefined, 30);
    await waitUntil(() => !viewer.muted, 'the volume stays', PATIENCE);
  });
});
