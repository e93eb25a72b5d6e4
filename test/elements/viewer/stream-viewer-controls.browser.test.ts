import { expect, waitUntil } from '@open-wc/testing';
import type { StreamViewerElement } from '../../../src/elements/viewer/stream-viewer-element.js';
import { itNeeds } from '../../support/capabilities.js';
import { FakeService, refused } from '../../support/client/fake-service.js';
import { HeldTimers } from '../../support/held-timers.js';
import {
  inPhase,
  mount,
  openSettings,
  part,
  PATIENCE,
  playing,
  press,
  shows,
  text,
  unmount,
  volumeOf,
} from './viewer-fixture.js';

const LAYERS = [1080, 720, 360].map((height, index) => ({
  encodingId: 'fhq'[index],
  spatialLayerId: 255,
  temporalLayerId: 255,
  bitrate: height * 2000,
  width: (height * 16) / 9,
  height,
}));

describe('the controls of <stream-viewer>', () => {
  let service: FakeService;
  let viewer: StreamViewerElement;

  beforeEach(async () => {
    service = new FakeService();
    service.hasSound = true;
    viewer = await mount({ muted: true });
    await playing(viewer);
  });

  afterEach(() => {
    unmount();
    service.close();
  });

  const active = () => viewer.shadowRoot!.activeElement;
  const sendLayers = () => service.sendEvent('layers', { medias: { 0: { layers: LAYERS } } });
  const selectedLayers = () =>
    service.commands.filter(({ name }) => name === 'select').map(({ data }) => data['layer']);
  const option = (label: string) =>
    [...part(viewer, 'settings').querySelectorAll('label')].find(({ textContent }) => textContent === label)!;
  const openMenu = () => openSettings(viewer);

  it('are visible only with the attribute controls', async () => {
    viewer.controls = false;
    await viewer.updateComplete;
    expect(shows(viewer, 'controls')).to.equal(false);
    expect(text(viewer)).to.equal('');
    viewer.setAttribute('controls', '');
    await viewer.updateComplete;
    expect(shows(viewer, 'controls')).to.equal(true);
  });

  it('play and pause, and the label of the button is the next action', async () => {
    const play = part(viewer, 'play');
    play.focus();
    play.click();
    await viewer.updateComplete;
    expect([viewer.paused, play.ariaLabel, active()]).to.deep.equal([true, 'Play', play]);
    play.click();
    await viewer.updateComplete;
    expect([viewer.paused, play.ariaLabel, active()]).to.deep.equal([false, 'Pause', play]);
  });

  it('turn the sound off and on, and have the volume as value text', async () => {
    const volume = part<HTMLInputElement>(viewer, 'volume');
    expect([volume.value, volume.ariaValueText]).to.deep.equal(['0', '0%']);
    volume.value = '0.4';
    volume.dispatchEvent(new Event('input'));
    await waitUntil(() => volume.ariaValueText === '40%', 'not said', PATIENCE);
    expect([viewer.muted, volumeOf(viewer)]).to.deep.equal([false, 0.4]);
    part(viewer, 'mute').click();
    await waitUntil(() => volume.value === '0', 'not shown', PATIENCE);
    expect([viewer.muted, volumeOf(viewer)]).to.deep.equal([true, 0.4]);
  });

  it('restore the volume from before it was dragged to zero', async () => {
    const volume = part<HTMLInputElement>(viewer, 'volume');
    const drag = (...values: string[]): void => {
      for (const value of values) {
        volume.value = value;
        volume.dispatchEvent(new Event('input'));
      }
      volume.dispatchEvent(new Event('change'));
    };
    drag('0.8');
    drag('0.5', '0.05', '0');
    await waitUntil(() => part(viewer, 'mute').ariaLabel === 'Unmute', 'the sound is still on', PATIENCE);
    part(viewer, 'mute').click();
    await waitUntil(() => volume.value === '0.8', `the volume is ${volume.value}`, PATIENCE);
    expect([viewer.muted, volumeOf(viewer)]).to.deep.equal([false, 0.8]);
  });

  it('turn the sound on where the page has set the volume to zero', async () => {
    viewer.muted = false;
    viewer.volume = 0;
    await waitUntil(
      () => part(viewer, 'mute').ariaLabel === 'Unmute',
      'the button says that the sound is on',
      PATIENCE,
    );
    part(viewer, 'mute').click();
    expect([viewer.muted, volumeOf(viewer)]).to.deep.equal([false, 0.5]);
  });

  it('have no sound controls for a stream without sound', async () => {
    unmount();
    service.hasSound = false;
    viewer = await mount({ muted: true });
    await playing(viewer);
    const shown = () => ['mute', 'volume', 'play'].filter((part) => shows(viewer, part)).join();
    await waitUntil(() => shown() === 'play', 'they are shown', PATIENCE);
  });

  describe('of an inactive user', () => {
    let inactivity: HeldTimers;
    const isInactive = () => viewer.matches(':state(user-inactive)');

    beforeEach(() => {
      inactivity = new HeldTimers(3_000);
    });
    afterEach(() => inactivity.restore());

    it('are hidden, and shown again at a move, a key or a focus', async () => {
      for (const event of [
        new PointerEvent('pointermove'),
        new KeyboardEvent('keydown', { key: 'Shift' }),
        new FocusEvent('focusin'),
      ]) {
        viewer.dispatchEvent(new PointerEvent('pointerleave', { pointerType: 'mouse' }));
        await waitUntil(isInactive, 'they stay visible', PATIENCE);
        viewer.dispatchEvent(event);
        await waitUntil(() => !isInactive(), `they are not shown at ${event.type}`, PATIENCE);
      }
      inactivity.elapse();
      await waitUntil(isInactive, 'they stay visible without activity', PATIENCE);
      const bar = part(viewer, 'controls');
      await waitUntil(() => getComputedStyle(bar).opacity === '0', 'still visible', PATIENCE);
      viewer.pause();
      await waitUntil(() => !isInactive(), 'a paused picture has no controls', PATIENCE);
    });

    it('stay visible while something is held, such as a slider, and after the mouse left with it', async () => {
      viewer.dispatchEvent(new PointerEvent('pointerdown', { buttons: 1 }));
      viewer.dispatchEvent(new PointerEvent('pointermove', { buttons: 1 }));
      inactivity.elapse();
      await viewer.updateComplete;
      expect(isInactive()).to.equal(false);
      viewer.dispatchEvent(new PointerEvent('pointerleave', { pointerType: 'mouse', buttons: 1 }));
      await viewer.updateComplete;
      expect(isInactive()).to.equal(false);
      viewer.dispatchEvent(new PointerEvent('pointerup'));
      inactivity.elapse();
      await waitUntil(isInactive, 'they stay visible', PATIENCE);
    });

    itNeeds('focus-visible-by-script')('stay visible while one of them has the keyboard focus', async () => {
      part(viewer, 'play').focus({ focusVisible: true } as FocusOptions);
      inactivity.elapse();
      await waitUntil(isInactive, 'the user stays active', PATIENCE);
      expect(getComputedStyle(part(viewer, 'controls')).opacity).to.equal('1');
    });
  });

  describe('have hotkeys while the focus is inside', () => {
    const box = () => viewer.shadowRoot!.querySelector('.box')!;

    for (const [key, hasEffect] of [
      ['k', () => viewer.paused],
      [' ', () => viewer.paused],
      ['m', () => !viewer.muted],
      ['ArrowUp', () => !viewer.muted && volumeOf(viewer) === 0.05],
    ] as const) {
      it(`"${key}"`, () => {
        expect(press(box(), key)).to.equal(false);
        expect(hasEffect()).to.equal(true);
      });
    }

    it('act once while a key is held, except the volume keys', () => {
      const hold = (key: string): void => {
        for (const repeat of [false, true, true])
          box().dispatchEvent(new KeyboardEvent('keydown', { key, repeat, bubbles: true, composed: true }));
      };
      hold('m');
      expect(viewer.muted).to.equal(false);
      hold('k');
      expect(viewer.paused).to.equal(true);
      hold('ArrowDown');
      expect(volumeOf(viewer)).to.equal(0.85);
      viewer.volume = 0.15;
      hold('ArrowDown');
      expect([viewer.muted, volumeOf(viewer)]).to.deep.equal([true, 0.05]);
    });

    it('press the focused button once while Enter is held', () => {
      const enter = (repeat: boolean) =>
        part(viewer, 'mute').dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Enter', repeat, bubbles: true, composed: true, cancelable: true }),
        );
      expect([enter(false), enter(true)]).to.deep.equal([true, false]);
    });

    it('ignore space on a focused button, and letters in a text field', async () => {
      expect(press(part(viewer, 'settings-button'), ' ')).to.equal(true);
      const field = Object.assign(document.createElement('input'), { slot: 'waiting' });
      viewer.append(field);
      expect(press(field, 'k')).to.equal(true);
      expect(viewer.paused).to.equal(false);
    });

    it('do nothing without controls', () => {
      viewer.controls = false;
      expect(press(box(), 'k')).to.equal(true);
      expect(viewer.paused).to.equal(false);
    });
  });

  describe('have a menu', () => {
    it('that selects among the heights of the stream', async () => {
      sendLayers();
      await openMenu();
      expect(text(viewer)).to.contain('Auto 1080p 720p 360p');
      expect(part(viewer, 'settings-button').ariaExpanded).to.equal('true');
      await expect(viewer).to.be.accessible();
      option('720p').click();
      await waitUntil(() => selectedLayers().length === 1, 'no select command', PATIENCE);
      option('Auto').click();
      await waitUntil(() => selectedLayers().length === 2, 'no second select command', PATIENCE);
      expect(selectedLayers()).to.deep.equal([{ maxHeight: 720 }, {}]);
      expect(viewer.quality).to.equal('auto');
    });

    it('that keeps the focus when the layers are sent again', async () => {
      sendLayers();
      await openMenu();
      const radio = option('360p').querySelector('input')!;
      radio.focus();
      radio.click();
      sendLayers();
      await viewer.updateComplete;
      expect([active(), radio.checked]).to.deep.equal([radio, true]);
    });

    it('that closes on Escape, and returns the focus to its button', async () => {
      await openMenu();
      part(viewer, 'settings').querySelector('input')!.focus();
      press(active()!, 'Escape');
      await viewer.updateComplete;
      expect([shows(viewer, 'settings'), active()]).to.deep.equal([false, part(viewer, 'settings-button')]);
    });

    it('that closes when the focus leaves it, or on a click on the picture, which then does not pause', async () => {
      await openMenu();
      part(viewer, 'settings').querySelector('input')!.focus();
      part(viewer, 'fullscreen').focus();
      await viewer.updateComplete;
      expect(shows(viewer, 'settings')).to.equal(false);
      await openMenu();
      viewer.shadowRoot!.querySelector('video')!.click();
      await viewer.updateComplete;
      expect([shows(viewer, 'settings'), viewer.paused]).to.deep.equal([false, false]);
    });

    itNeeds('webrtc')('that shows the statistics', async () => {
      await openMenu();
      option('Statistics').click();
      await waitUntil(() => /Bitrate [\d.]+ Mb\/s/.test(text(viewer)), 'no statistics', PATIENCE);
      expect(text(viewer)).to.match(/Resolution 320 × 180 .*Codec \w+/);
      await expect(viewer).to.be.accessible();
      option('Statistics').click();
      await viewer.updateComplete;
      expect(shows(viewer, 'statistics')).to.equal(false);
    });
  });

  it('start with the quality that the page sets, also after a reconnect', async () => {
    unmount();
    service.commands.length = 0;
    viewer = await mount({ muted: true, quality: 360 });
    await playing(viewer);
    const view = () => service.commands.filter(({ name }) => name === 'view').map(({ data }) => data['layer']);
    expect(view()).to.deep.equal([{ maxHeight: 360 }]);
    service.open[0]!.close();
    await waitUntil(() => view().length === 2, 'not reconnected', PATIENCE);
    expect(view()[1]).to.deep.equal({ maxHeight: 360 });
  });

  for (const [quality, layer, warnings] of [
    ['720p', { maxHeight: 720 }, 0],
    ['720', { maxHeight: 720 }, 0],
    ['auto', {}, 0],
    ['', {}, 0],
    ['high', {}, 1],
    ['720i', {}, 1],
  ] as const) {
    it(`read the quality "${quality}"${warnings ? ' as "auto", with a warning' : ''}`, async () => {
      const { warn } = console;
      const warned: unknown[][] = [];
      console.warn = (...texts: unknown[]) => void warned.push(texts);
      try {
        viewer.quality = 360;
        await waitUntil(() => selectedLayers().length === 1, 'no select command', PATIENCE);
        viewer.setAttribute('quality', quality);
        await waitUntil(() => selectedLayers().length === 2, 'no second select command', PATIENCE);
      } finally {
        console.warn = warn;
      }
      expect(selectedLayers()[1]).to.deep.equal(layer);
      const warning = `<stream-viewer quality="${quality}"> counts as "auto"`;
      expect(warned).to.deep.equal(Array.from({ length: warnings }, () => [warning]));
    });
  }

  it('check the selected height in the menu, also for "720p"', async () => {
    viewer.setAttribute('quality', '720p');
    sendLayers();
    await openMenu();
    expect(option('720p').querySelector('input')!.checked).to.equal(true);
  });

  it('show the number of viewers, and no figure of the connection, which they do not measure then', async () => {
    unmount();
    let measured = 0;
    const getStats = async () => void (measured += 1);
    viewer = await mount({ muted: true, getStats });
    await playing(viewer);
    await viewer.updateComplete;
    expect(measured).to.equal(0);
    service.sendEvent('viewercount', { viewercount: 1284 });
    await waitUntil(() => text(viewer).includes('1,284'), `only: ${text(viewer)}`, PATIENCE);
    expect(text(viewer)).to.match(/^Live 1,284\s*$/);
    expect(part(viewer, 'viewer-count').ariaLabel).to.equal('1,284 watching');
  });

  describe('keep the focus', () => {
    it('when the pressed button disappears', async () => {
      service.answer = refused(409, 'token_full', 'too many viewers');
      viewer.retry();
      await inPhase(viewer, 'rejected');
      await viewer.updateComplete;
      const again = viewer.shadowRoot!.querySelector<HTMLElement>('[role=status] button')!;
      again.focus();
      again.click();
      await waitUntil(() => viewer.phase.name === 'authorizing' || !again.isConnected, 'no new attempt', PATIENCE);
      await viewer.updateComplete;
      expect([document.activeElement, active()?.isConnected]).to.deep.equal([viewer, true]);
    });

    it('when the stream ends and waits', async () => {
      part(viewer, 'mute').focus();
      service.endStream();
      await inPhase(viewer, 'ended');
      await viewer.updateComplete;
      expect(active()).to.equal(part(viewer, 'mute'));
    });

    it('when the button for picture in picture disappears with the picture', async () => {
      if (!document.pictureInPictureEnabled) return;
      part(viewer, 'pip').focus();
      service.endStream();
      await inPhase(viewer, 'ended');
      await viewer.updateComplete;
      expect(active()).to.equal(part(viewer, 'play'));
    });
  });

  it('apply a rendition that the page selects as soon as it is added', async () => {
    viewer.videoRenditions.addEventListener('addrendition', (event) => {
      const { rendition } = event as Event & { readonly rendition: { readonly id: string; selected: boolean } };
      if (rendition.id === '360p') rendition.selected = true;
    });
    sendLayers();
    await waitUntil(() => selectedLayers().length === 1, 'no select command', PATIENCE);
    expect(selectedLayers()).to.deep.equal([{ maxHeight: 360 }]);
  });

  it('announce each change of the status once', async () => {
    const status = viewer.shadowRoot!.querySelector('[role=status]')!;
    const announcements: string[] = [];
    const observer = new MutationObserver(() => announcements.push(status.textContent));
    observer.observe(status, { childList: true, subtree: true, characterData: true });
    service.sendEvent('viewercount', { viewercount: 2 });
    await viewer.updateComplete;
    viewer.pause();
    await viewer.updateComplete;
    service.endStream();
    await viewer.updateComplete;
    await new Promise((resolve) => setTimeout(resolve));
    observer.disconnect();
    expect(announcements).to.deep.equal(['Paused', 'The broadcast stoppedIt may start again.']);
  });

  it('have targets of 44 pixels for fingers', () => {
    const rules = viewer.shadowRoot!.adoptedStyleSheets.flatMap(({ cssRules }) => Array.from(cssRules));
    const coarse = rules.find((rule) => rule instanceof CSSMediaRule && rule.conditionText.includes('coarse'));
    expect((coarse as CSSMediaRule).cssText).to.contain('min-height: 44px');
  });
});
