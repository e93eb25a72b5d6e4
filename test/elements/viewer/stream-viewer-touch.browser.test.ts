import { expect, waitUntil } from '@open-wc/testing';
import type { StreamViewerElement } from '../../../src/elements/viewer/stream-viewer-element.js';
import { itNeeds } from '../../support/capabilities.js';
import { FakeService } from '../../support/client/fake-service.js';
import { HeldTimers } from '../../support/held-timers.js';
import { touch } from '../../support/touch.js';
import { mount, part, PATIENCE, playing, shows, unmount } from './viewer-fixture.js';

describe('<stream-viewer> with touch', () => {
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

  const isInactive = (): boolean => viewer.matches(':state(user-inactive)');
  const hidden = async (): Promise<void> => {
    inactivity.elapse();
    await waitUntil(isInactive, 'the controls stay', PATIENCE);
    await viewer.updateComplete;
  };
  const settled = async (): Promise<void> => {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    await viewer.updateComplete;
  };

  // This test is the first, because a browser allows sound after any touch on the page.
  itNeeds('touch')(
    'turns the sound on at the first tap on the unmute prompt, also while the controls are hidden',
    async () => {
      unmount();
      viewer = await mount();
      await playing(viewer);
      await waitUntil(() => shows(viewer, 'unmute'), 'no button', PATIENCE);
      await hidden();
      await touch(part(viewer, 'unmute'));
      await waitUntil(() => !viewer.muted, 'still no sound', PATIENCE);
    },
  );

  for (const [name, hasEffect] of [
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
      await waitUntil(() => !isInactive(), 'the controls did not appear', PATIENCE);
      await settled();
      expect([hasEffect(), clicks]).to.deep.equal([false, 0]);
      await touch(button);
      await waitUntil(hasEffect, 'no effect', PATIENCE);
      expect(clicks).to.equal(1);
    });
  }

  itNeeds('touch')('acts at once on visible controls, such as those of a paused player', async () => {
    viewer.pause();
    await viewer.updateComplete;
    await settled();
    await touch(part(viewer, 'play'));
    await waitUntil(() => !viewer.paused, 'it stays paused', PATIENCE);
  });

  it('acts at once on taps of a screen reader: those of VoiceOver have no size', async () => {
    await hidden();
    const play = part(viewer, 'play');
    play.dispatchEvent(
      new PointerEvent('pointerdown', { pointerType: 'touch', width: 0, height: 0, bubbles: true, composed: true }),
    );
    const lifted = new Event('touchend', { bubbles: true, composed: true, cancelable: true });
    play.dispatchEvent(lifted);
    expect(lifted.defaultPrevented).to.equal(false);
  });

  // This test is the last, because the browser treats the next touch as the end of this movement.
  itNeeds('touch')('does not change the volume when the hidden slider is dragged', async () => {
    await hidden();
    await touch(part(viewer, 'volume'), undefined, 30);
    await waitUntil(() => !isInactive(), 'the controls did not appear', PATIENCE);
    await settled();
    expect([viewer.muted, viewer.volume]).to.deep.equal([true, 1]);
    await touch(part(viewer, 'volume'), undefined, 30);
    await waitUntil(() => !viewer.muted, 'the volume stays', PATIENCE);
  });
});
