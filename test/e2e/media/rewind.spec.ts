import type { Page } from '@playwright/test';
import { accessibilityFaults } from '../support/accessibility-faults.ts';
import { expectMovingPicture, mediaFlows } from '../support/pages.ts';
import { startRecordingServer, type RecordingServer } from '../support/recording-server.ts';
import { broadcastHeadless } from '../support/tagless.ts';
import { expect, test } from '../support/test.ts';

test.describe('<stream-viewer dvr>', () => {
  let recorded: RecordingServer;

  test.beforeAll(async () => {
    recorded = await startRecordingServer();
  });
  test.afterAll(() => recorded.close());
  test.beforeEach(() => {
    recorded.nextStream();
    recorded.record({ seconds: 40, isOpen: true });
  });

  const broadcast = async (page: Page) => {
    const { origin, streamName } = recorded;
    const { token } = await recorded.token('publish');
    await broadcastHeadless(page, { origin, streamName, token }, { codec: 'h264' });
    await mediaFlows({ origin, streamName });
  };
  const watch = async (page: Page, { token = '', more = '' } = {}) => {
    const { origin, streamName } = recorded;
    const fragment = token && `#token=${token}`;
    await page.goto(`${origin}/viewer?streamId=main/${streamName}&dvr&muted${more}${fragment}`);
  };
  const slider = (page: Page) => page.getByRole('slider', { name: 'Timeline' });
  const seekTo = (page: Page, seconds: number) =>
    slider(page).evaluate((input: HTMLInputElement, value) => {
      input.value = String(value);
      input.dispatchEvent(new Event('change'));
    }, seconds);
  /** The time in the recording, if it is visible and plays. */
  const recordingTime = (page: Page) =>
    page.locator('stream-viewer').evaluate((viewer) => {
      const video = viewer.shadowRoot!.querySelector<HTMLVideoElement>('.recording:not([data-hidden])');
      return video ? video.currentTime : -1;
    });
  const playsFrom = async (page: Page, seconds: number) => {
    await expect.poll(() => recordingTime(page)).toBeGreaterThan(seconds + 0.5);
    expect(await recordingTime(page)).toBeLessThan(seconds + 12);
  };
  const isLive = (page: Page) => expect.poll(() => recordingTime(page)).toBe(-1);

  test('goes back, catches up at twice the speed, and returns to live', async ({ context, page }, info) => {
    await broadcast(await context.newPage());
    await watch(page);
    await expectMovingPicture(page);
    await expect(slider(page)).toHaveAttribute('aria-valuetext', 'Live');
    await seekTo(page, 4);
    await playsFrom(page, 4);
    await expect(slider(page)).toHaveAttribute('aria-valuetext', /^\d+ seconds behind live$/);
    await expect(page.locator('stream-viewer [part~=live-badge]')).toBeHidden();
    await page.screenshot({ path: info.outputPath('behind.png') });

    const speed = page.getByRole('combobox', { name: 'Speed' });
    await speed.selectOption({ label: '2×' });
    const from = await recordingTime(page);
    const started = Date.now();
    await expect.poll(() => recordingTime(page)).toBeGreaterThan(from + 12);
    // Six seconds at twice the speed, and twelve at the usual one.
    expect((Date.now() - started) / 1000).toBeLessThan(11);
    expect(await accessibilityFaults(page)).toEqual([]);

    // Every frame that is drawn on the way back is looked at: none is black.
    await page.locator('stream-viewer').evaluate((viewer) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 32, height: 18 });
      const pen = canvas.getContext('2d', { willReadFrequently: true })!;
      const dark: number[] = [];
      Object.assign(window, { dark });
      const look = (): void => {
        pen.clearRect(0, 0, 32, 18);
        for (const video of viewer.shadowRoot!.querySelectorAll('video')) {
          if (!video.hasAttribute('data-hidden')) pen.drawImage(video, 0, 0, 32, 18);
        }
        const { data } = pen.getImageData(0, 0, 32, 18);
        if (data.every((value, index) => index % 4 === 3 || value < 20)) dark.push(performance.now());
        requestAnimationFrame(look);
      };
      look();
    });
    await page.getByRole('button', { name: 'Go to live' }).click();
    await isLive(page);
    await expectMovingPicture(page);
    expect(await page.evaluate(() => Reflect.get(window, 'dark'))).toEqual([]);
  });

  test('is sent nothing live while it is back, and keeps its session', async ({ context, page }) => {
    await broadcast(await context.newPage());
    await watch(page);
    await expectMovingPicture(page);
    const bytes = () =>
      page.locator('stream-viewer').evaluate(async (viewer) => {
        let sum = 0;
        const stats = await (viewer as HTMLElement & { getStats(): Promise<RTCStatsReport> }).getStats();
        stats.forEach((one) => (sum += one.type === 'inbound-rtp' ? one.bytesReceived : 0));
        return sum;
      });
    await seekTo(page, 4);
    await playsFrom(page, 4);
    let before = await bytes();
    await expect
      .poll(
        async () => {
          const now = await bytes();
          const more = now - before;
          before = now;
          return more;
        },
        { intervals: [1_000] },
      )
      .toBe(0);
    await page.getByRole('button', { name: 'Go to live' }).click();
    await isLive(page);
    await expect.poll(bytes).toBeGreaterThan(before);
  });

  test('pauses, sounds and mutes as its controls say while it is back', async ({ context, page }) => {
    await broadcast(await context.newPage());
    await watch(page);
    await expectMovingPicture(page);
    await seekTo(page, 4);
    await playsFrom(page, 4);
    const state = () =>
      page.locator('stream-viewer').evaluate((viewer) => {
        const { paused, muted } = viewer.shadowRoot!.querySelector<HTMLVideoElement>('.recording[src]')!;
        return { paused, muted };
      });
    expect(await state()).toEqual({ paused: false, muted: true });
    await page.getByRole('button', { name: 'Unmute' }).click();
    await expect.poll(state).toEqual({ paused: false, muted: false });
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect.poll(state).toEqual({ paused: true, muted: false });
    await page.keyboard.press('k');
    await expect.poll(state).toEqual({ paused: false, muted: false });
    await page.locator('stream-viewer').press('ArrowLeft');
    await expect.poll(() => recordingTime(page)).toBeLessThan(4);
  });

  test('goes where the keys of its slider say', async ({ context, page }) => {
    await broadcast(await context.newPage());
    await watch(page);
    await expectMovingPicture(page);
    await slider(page).focus();
    await page.keyboard.press('ArrowLeft');
    await expect(slider(page)).toHaveAttribute('aria-valuetext', /^1\d seconds behind live$/);
    await expect.poll(() => recordingTime(page)).toBeGreaterThan(20);
    await page.keyboard.press('Home');
    await expect.poll(() => recordingTime(page)).toBeLessThan(5);
    const from = await recordingTime(page);
    for (const key of ['ArrowUp', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
    await expect.poll(() => recordingTime(page)).toBeGreaterThan(from + 9);
    expect(await recordingTime(page)).toBeLessThan(from + 18);
    await expect(slider(page)).toBeFocused();
    await page.keyboard.press('End');
    await isLive(page);
    await expect(slider(page)).toHaveAttribute('aria-valuetext', 'Live');
  });

  test('ends when its token is disabled, and says why', async ({ context, page }) => {
    await broadcast(await context.newPage());
    const { id, token } = await recorded.token('subscribe');
    await watch(page, { token });
    await expectMovingPicture(page);
    await seekTo(page, 4);
    await playsFrom(page, 4);
    await recorded.disable(id);
    await expect(page.getByText('Your access was turned off')).toBeVisible();
    await expect(page.locator('stream-viewer .recording[src]')).toHaveCount(0);
    await expect(slider(page)).toHaveCount(0);
  });

  test('has no timeline for a stream that is not recorded, and says that VP8 has none', async ({ context, page }) => {
    recorded.record(undefined);
    await broadcast(await context.newPage());
    await watch(page);
    await expectMovingPicture(page);
    await expect(slider(page)).toHaveCount(0);
    recorded.record({ seconds: 40, isOpen: true, codec: 'vp8' });
    await page.reload();
    await expect(page.getByText('You cannot go back in this stream')).toBeVisible();
  });

  test('plays the recording from the beginning after the broadcast', async ({ context, page }, info) => {
    const broadcaster = await context.newPage();
    await broadcast(broadcaster);
    await watch(page);
    await expectMovingPicture(page);
    recorded.record({ seconds: 40, isOpen: false });
    await broadcaster.close();
    const button = page.getByRole('button', { name: 'Watch from the beginning' });
    await expect(button).toBeVisible();
    // The controls are hidden while the visitor is inactive. This one stays.
    await expect(page.locator('stream-viewer:state(user-inactive)')).toHaveCount(1);
    await expect(page.locator('stream-viewer [part=timeline]')).toHaveCSS('opacity', '1');
    await page.screenshot({ path: info.outputPath('ended.png') });
    await button.click();
    await playsFrom(page, 0);
    await page.screenshot({ path: info.outputPath('from-beginning.png') });
    await seekTo(page, 38);
    await expect(button).toBeVisible();
  });

  test('plays the recording to a guest who comes after the broadcast', async ({ page }, info) => {
    await recorded.token('publish');
    recorded.record({ seconds: 40, isOpen: false });
    await watch(page);
    await page.getByRole('button', { name: 'Watch from the beginning' }).click();
    await playsFrom(page, 0);
    await page.screenshot({ path: info.outputPath('guest.png') });
  });

  test('plays the recording with hls.js where the browser has no HLS, and only there', async ({ context, page }) => {
    await broadcast(await context.newPage());
    const scripts: string[] = [];
    page.on('request', (request) => request.url().endsWith('/hls-player.js') && scripts.push(request.url()));
    const faults: string[] = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    // As Firefox answers.
    await page.addInitScript(() => {
      const { canPlayType } = HTMLMediaElement.prototype;
      HTMLMediaElement.prototype.canPlayType = function (type) {
        return type.includes('mpegurl') ? '' : canPlayType.call(this, type);
      };
    });
    await watch(page);
    await expectMovingPicture(page);
    await expect(slider(page)).toBeVisible();
    expect(scripts).toEqual([]);
    await seekTo(page, 10);
    await playsFrom(page, 10);
    expect(scripts).toEqual([`${recorded.origin}/hls-player.js`]);
    await seekTo(page, 2);
    await playsFrom(page, 2);
    await page.getByRole('button', { name: 'Go to live' }).click();
    await isLive(page);
    await expectMovingPicture(page);
    expect(faults).toEqual([]);
  });

  test('says so where the script for that cannot be loaded', async ({ context, page }) => {
    await broadcast(await context.newPage());
    await page.addInitScript(() => (HTMLMediaElement.prototype.canPlayType = () => ''));
    await page.route('**/hls-player.js', (route) => route.abort());
    await watch(page);
    await expectMovingPicture(page);
    await seekTo(page, 10);
    await expect(page.getByText('This browser cannot go back in the stream')).toBeVisible();
    await expectMovingPicture(page);
  });

  for (const [name, more, width, spoken] of [
    ['arabic', '&lang=ar', 900, /^متأخر عن البث المباشر بمقدار .+/],
    ['phone', '', 390, /^\d+ seconds behind live$/],
    ['german', '&lang=de', 640, /^\d+ Sekunden hinter live$/],
  ] as const) {
    test(`looks right: ${name}`, async ({ context, page }, info) => {
      await broadcast(await context.newPage());
      await page.setViewportSize({ width, height: Math.round((width * 9) / 16) });
      await watch(page, { more });
      await expectMovingPicture(page);
      const input = page.locator('stream-viewer').locator('[part=timeline-slider]');
      await expect(input).toBeVisible();
      await input.evaluate((range: HTMLInputElement) => {
        range.value = '10';
        range.dispatchEvent(new Event('change'));
      });
      await playsFrom(page, 10);
      await expect(input).toHaveAttribute('aria-valuetext', spoken);
      // In every language `1×`, not `×1`.
      await expect(page.locator('stream-viewer [part=speed]')).toHaveCSS('direction', 'ltr');
      await expect(page.locator('stream-viewer [part=speed]')).toBeVisible();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.screenshot({ path: info.outputPath(`${name}.png`) });
    });
  }
});
