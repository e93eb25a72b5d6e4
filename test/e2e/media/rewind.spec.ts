import type { Page } from '@playwright/test';
import { accessibilityFaults } from '../support/accessibility-faults.ts';
import { expectMovingPicture } from '../support/pages.ts';
import { RecordingServer } from '../support/recording-server.ts';
import { RewindingPage } from '../support/rewinding-page.ts';
import { expect, test as base } from '../support/test.ts';

const test = base.extend<{ viewer: RewindingPage }>({
  viewer: async ({ page }, use) => use(new RewindingPage(page)),
});

/** Held upright. */
const PHONE = { viewport: { width: 390, height: 844 } };

/** The video of the recording that is visible. */
const recordingOf = (page: Page) => page.locator('stream-viewer .recording:not([data-hidden])');

test.describe('<stream-viewer dvr>', () => {
  let recorded: RecordingServer;

  test.beforeAll(async () => {
    recorded = await RecordingServer.start();
  });
  test.afterAll(() => recorded.close());
  test.beforeEach(async () => {
    await recorded.nextStream();
    recorded.record({ seconds: 40, isOpen: true });
  });

  test('goes back, is sent nothing live meanwhile, and returns to live without a black picture', async ({
    page,
    viewer,
  }, info) => {
    await recorded.goLive();
    await viewer.open(recorded);
    await expectMovingPicture(page);
    await expect(viewer.slider).toHaveAttribute('aria-valuetext', 'Live');
    await viewer.seekTo(4);
    await viewer.expectToPlayFrom(4);
    await expect(viewer.slider).toHaveAttribute('aria-valuetext', /^\d+ seconds behind live$/);
    await expect(page.locator('stream-viewer [part~=live-badge]')).toBeHidden();
    await page.screenshot({ path: info.outputPath('behind.png') });

    await viewer.setSpeed('2×');
    const from = await viewer.time();
    await expect.poll(() => viewer.time()).toBeGreaterThan(from + 1);
    expect(await recordingOf(page).evaluate((video: HTMLVideoElement) => video.playbackRate)).toBe(2);
    expect(await accessibilityFaults(page)).toEqual([]);

    const received = () =>
      page.locator('stream-viewer').evaluate(async (tag) => {
        let sum = 0;
        const stats = await (tag as HTMLElement & { getStats(): Promise<RTCStatsReport> }).getStats();
        stats.forEach((one) => (sum += one.type === 'inbound-rtp' ? one.bytesReceived : 0));
        return sum;
      });
    let before = await received();
    const more = async () => {
      const now = await received();
      const added = now - before;
      before = now;
      return added;
    };
    await expect.poll(more, { intervals: [500] }).toBe(0);

    // Every frame that is drawn on the way back is looked at: none is black.
    await page.locator('stream-viewer').evaluate((tag) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 32, height: 18 });
      const pen = canvas.getContext('2d', { willReadFrequently: true })!;
      const dark: number[] = [];
      Object.assign(window, { dark });
      const look = (): void => {
        pen.clearRect(0, 0, 32, 18);
        for (const video of tag.shadowRoot!.querySelectorAll('video')) {
          if (!video.hasAttribute('data-hidden')) pen.drawImage(video, 0, 0, 32, 18);
        }
        const { data } = pen.getImageData(0, 0, 32, 18);
        if (data.every((value, index) => index % 4 === 3 || value < 20)) dark.push(performance.now());
        requestAnimationFrame(look);
      };
      look();
    });
    await viewer.goToLive();
    await viewer.expectLive();
    // The same session goes on.
    await expect.poll(received).toBeGreaterThan(before);
    await expectMovingPicture(page);
    expect(await page.evaluate(() => Reflect.get(window, 'dark'))).toEqual([]);
  });

  test('goes where a mouse drags and holds the timeline, pauses there, and has that in its window', async ({
    page,
    viewer,
  }, info) => {
    await recorded.goLive();
    await viewer.open(recorded);
    await expectMovingPicture(page);
    await expect(viewer.slider).toBeVisible();
    const shown = page.locator('stream-viewer [part=timeline-time]');
    const begun = await shown.textContent();
    const [from, to] = [await viewer.placeOf(38), await viewer.placeOf(6)];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 4 });
    const held = await viewer.slider.inputValue();
    // For so long that the recording has grown: what is shown would follow the picture.
    await expect(shown).not.toHaveText(begun!);
    const text = await shown.textContent();
    await expect(shown).not.toHaveText(text!);
    expect(await viewer.slider.inputValue()).toBe(held);
    await expect.poll(async () => (await viewer.preview()).time).toBeCloseTo(Number(held), 0);
    expect(await viewer.preview()).toMatchObject({ isVisible: true, width: 320 });
    // Both go on with what is live, once a second.
    await expect.poll(async () => (await viewer.preview()).text === (await shown.textContent())).toBe(true);
    const thumb = await viewer.placeOf(Number(held));
    expect(Math.abs((await viewer.preview()).middle - thumb.x)).toBeLessThan(8);
    await page.screenshot({ path: info.outputPath('held.png') });
    await page.mouse.up();
    await viewer.expectToPlayFrom(Number(held));
    expect((await viewer.preview()).isVisible).toBe(false);

    await page.mouse.click(to.x + 100, to.y - 150);
    const state = () => recordingOf(page).evaluate(({ paused }: HTMLVideoElement) => paused);
    await expect.poll(state).toBe(true);
    // What goes on is the recording, not what is live.
    await expect(page.locator('stream-viewer .play-overlay')).toHaveAttribute('aria-label', 'Play');
    await page.locator('stream-viewer .play-overlay').click();
    await expect.poll(state).toBe(false);

    await page.getByRole('button', { name: 'Picture in picture' }).click();
    await expect.poll(() => viewer.inWindow()).toBe('recording');
    await viewer.goToLive();
    await viewer.expectLive();
    await expect.poll(() => viewer.inWindow()).toBe('video');
    await viewer.seekTo(4);
    await expect.poll(() => viewer.inWindow()).toBe('recording');
    await recordingOf(page).evaluate((video: HTMLVideoElement) => video.pause());
    await expect(page.locator('stream-viewer:state(paused)')).toHaveCount(1);
  });

  test('obeys its controls and keys while it is back', async ({ page, viewer }) => {
    await recorded.goLive();
    await viewer.open(recorded);
    await expectMovingPicture(page);
    await viewer.slider.focus();
    await page.keyboard.press('ArrowLeft');
    await expect(viewer.slider).toHaveAttribute('aria-valuetext', /^1\d seconds behind live$/);
    await expect.poll(() => viewer.time()).toBeGreaterThan(20);
    await page.keyboard.press('Home');
    // A busy machine looks some seconds later.
    await expect.poll(() => viewer.time()).toBeLessThan(15);
    await page.keyboard.press('k');
    const from = await viewer.time();
    for (const key of ['ArrowUp', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
    await expect.poll(() => viewer.time()).toBeGreaterThan(from + 9);
    expect(await viewer.time()).toBeLessThan(from + 18);
    await expect(viewer.slider).toBeFocused();

    const state = () => recordingOf(page).evaluate(({ paused, muted }: HTMLVideoElement) => ({ paused, muted }));
    await expect.poll(state).toEqual({ paused: false, muted: true });
    await page.getByRole('button', { name: 'Unmute' }).click();
    await expect.poll(state).toEqual({ paused: false, muted: false });
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect.poll(state).toEqual({ paused: true, muted: false });
    await page.keyboard.press('k');
    await expect.poll(state).toEqual({ paused: false, muted: false });
    const then = await viewer.time();
    await page.locator('stream-viewer').press('ArrowLeft');
    await expect.poll(() => viewer.time()).toBeLessThan(then);

    // A live picture may never come. The tag waits for a moment, which passes at once here.
    await page.locator('stream-viewer [part=video]').evaluate((video: HTMLVideoElement) => {
      video.requestVideoFrameCallback = () => 0;
      const { setTimeout } = window;
      Object.assign(window, { setTimeout: (run: () => void, ms = 0) => setTimeout(run, ms === 3_000 ? 0 : ms) });
    });
    await viewer.slider.press('End');
    await viewer.expectLive();
    await expect(viewer.slider).toHaveAttribute('aria-valuetext', 'Live');
  });

  test('ends when its token is disabled, and says why', async ({ page, viewer }) => {
    await recorded.goLive();
    const { id, token } = await recorded.token('subscribe');
    await viewer.open(recorded, { token });
    await expectMovingPicture(page);
    await viewer.seekTo(4);
    await viewer.expectToPlayFrom(4);
    await recorded.disable(id);
    await expect(page.getByText('Your access was turned off')).toBeVisible();
    await expect(page.locator('stream-viewer .recording[src]')).toHaveCount(0);
    await expect(viewer.slider).toHaveCount(0);
  });

  test('has no timeline for a stream that is not recorded, and says that VP8 has none', async ({ page, viewer }) => {
    recorded.record(undefined);
    await recorded.goLive();
    await viewer.open(recorded);
    await expectMovingPicture(page);
    await expect(viewer.slider).toHaveCount(0);
    recorded.record({ seconds: 40, isOpen: true, codec: 'vp8' });
    await page.reload();
    await expect(page.getByText('You cannot go back in this stream')).toBeVisible();
  });

  test('plays the recording to its end, and from the beginning, when the broadcast ends', async ({
    page,
    viewer,
  }, info) => {
    recorded.record({ seconds: 20, isOpen: true });
    await recorded.goLive();
    await viewer.setPace(0.5);
    await viewer.open(recorded);
    await expectMovingPicture(page);
    // What the playlist had then ends at 20 s, and the broadcast some seconds later.
    await viewer.seekTo(10);
    await viewer.expectToPlayFrom(10);
    await viewer.setSpeed('2×');
    await viewer.notePlaying();
    recorded.record({ seconds: 26, isOpen: false });
    recorded.endLive();
    await expect(viewer.fromBeginning).toBeVisible();
    await viewer.expectToHavePlayedTo(20, 26);

    // The controls are hidden while the visitor is inactive. This one stays.
    await expect(page.locator('stream-viewer:state(user-inactive)')).toHaveCount(1);
    await expect(page.locator('stream-viewer [part=timeline]')).toHaveCSS('opacity', '1');
    await page.screenshot({ path: info.outputPath('ended.png') });
    await viewer.fromBeginning.click();
    await viewer.expectToPlayFrom(0);
    await page.screenshot({ path: info.outputPath('from-beginning.png') });
    await viewer.seekTo(25);
    await expect(viewer.fromBeginning).toBeVisible();

    // As a guest who comes after the broadcast.
    await page.reload();
    await viewer.fromBeginning.click();
    await viewer.expectToPlayFrom(0);
    const state = () => recordingOf(page).evaluate(({ paused, muted }: HTMLVideoElement) => ({ paused, muted }));
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect.poll(state).toEqual({ paused: true, muted: true });
    await page.screenshot({ path: info.outputPath('guest.png') });
    await page.getByRole('button', { name: 'Unmute' }).click();
    await page.keyboard.press('k');
    await expect.poll(state).toEqual({ paused: false, muted: false });
    await page.getByRole('button', { name: 'Fullscreen' }).click();
    await expect(page.getByRole('button', { name: 'Leave fullscreen' })).toBeVisible();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test('is watched after the broadcast on a phone: paused, moved and heard by touch', async ({ browser }, info) => {
    recorded.record({ seconds: 40, isOpen: false });
    const context = await browser.newContext({ ...PHONE, hasTouch: true, isMobile: true });
    const page = await context.newPage();
    const viewer = new RewindingPage(page);
    await viewer.open(recorded);
    await viewer.fromBeginning.tap();
    await viewer.expectToPlayFrom(0);
    const isInactive = page.locator('stream-viewer:state(user-inactive)');
    await expect(isInactive).toHaveCount(1);
    // The first touch shows the controls, wherever it is.
    const pause = page.locator('stream-viewer [part~=play]');
    const { x, y } = (await pause.boundingBox())!;
    await page.touchscreen.tap(x + 20, y + 20);
    await expect(isInactive).toHaveCount(0);
    const state = () => recordingOf(page).evaluate(({ paused, muted }: HTMLVideoElement) => ({ paused, muted }));
    expect(await state()).toEqual({ paused: false, muted: true });
    // They are on the picture, which is in the middle of the page.
    const { height, width } = PHONE.viewport;
    expect(Math.abs(y + 44 - (height + (width * 9) / 16) / 2)).toBeLessThan(20);

    const touchscreen = await context.newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
      touchscreen.send('Input.dispatchTouchEvent', { type, touchPoints });
    await touch('touchStart', await viewer.placeOf(await viewer.time()));
    for (const seconds of [8, 14, 20]) await touch('touchMove', await viewer.placeOf(seconds));
    const held = await viewer.slider.inputValue();
    const from = await viewer.time();
    await expect.poll(() => viewer.time()).toBeGreaterThan(from + 2);
    await expect.poll(async () => (await viewer.preview()).time).toBeCloseTo(Number(held), 0);
    await page.screenshot({ path: info.outputPath('held.png') });
    expect(await viewer.slider.inputValue()).toBe(held);
    await touch('touchEnd');
    await viewer.expectToPlayFrom(Number(held));

    await page.getByRole('button', { name: 'Pause' }).tap();
    await expect.poll(state).toEqual({ paused: true, muted: true });
    await page.getByRole('button', { name: 'Unmute' }).tap();
    await page.locator('stream-viewer .play-overlay').tap();
    await expect.poll(state).toEqual({ paused: false, muted: false });
    await expect(page.getByRole('button', { name: 'Fullscreen' })).toBeVisible();
    await page.screenshot({ path: info.outputPath('phone.png') });
    await context.close();
  });

  test('plays the recording with hls.js where the browser has no HLS, and only there', async ({ page, viewer }) => {
    await recorded.goLive();
    await viewer.open(recorded, { player: 'hls.js' });
    await expectMovingPicture(page);
    await expect(viewer.slider).toBeVisible();
    expect(viewer.scripts).toEqual([]);
    await viewer.seekTo(10);
    await viewer.expectToPlayFrom(10);
    expect(viewer.scripts).toEqual([`${recorded.origin}/hls-player.js`]);
    await viewer.seekTo(2);
    await viewer.expectToPlayFrom(2);
    await viewer.goToLive();
    await viewer.expectLive();
    await expectMovingPicture(page);
    expect(viewer.faults).toEqual([]);

    // Says so where the script cannot be loaded.
    await page.route('**/hls-player.js', (route) => route.abort());
    await page.reload();
    await expectMovingPicture(page);
    await viewer.seekTo(10);
    await expect(page.getByText('This browser cannot go back in the stream')).toBeVisible();
    await expectMovingPicture(page);
  });

  test('looks right in Arabic, on a phone, and in German', async ({ page, viewer }, info) => {
    await recorded.goLive();
    for (const [name, more, width, spoken] of [
      ['arabic', '&lang=ar', 900, /^متأخر عن البث المباشر بمقدار .+/],
      ['phone', '', 390, /^\d+ seconds behind live$/],
      ['german', '&lang=de', 640, /^\d+ Sekunden hinter live$/],
    ] as const) {
      await page.setViewportSize({ width, height: Math.round((width * 9) / 16) });
      await viewer.open(recorded, { more });
      const input = page.locator('stream-viewer [part=timeline-slider]');
      await expect(input).toBeVisible();
      await viewer.seekTo(10);
      await viewer.expectToPlayFrom(10);
      await expect(input).toHaveAttribute('aria-valuetext', spoken);
      // In every language `1×`, not `×1`.
      await expect(page.locator('stream-viewer [part=speed]')).toHaveCSS('direction', 'ltr');
      await expect(page.locator('stream-viewer [part=speed]')).toBeVisible();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.screenshot({ path: info.outputPath(`${name}.png`) });
    }
  });
});
