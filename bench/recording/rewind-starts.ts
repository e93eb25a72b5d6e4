import { spawn, type ChildProcess } from 'node:child_process';
import type { Page } from 'playwright';
import { build } from '../../scripts/build.js';
import { RestTokens } from '../../test/support/rest-tokens.js';
import { ffmpegProgram, words } from '../../test/support/run-encoder.js';
import { startServer } from '../../test/support/server-process.js';
import { openBrowser } from '../browsers/broadcaster-browser.js';
import { isLive } from '../rtmp/machine.js';

const STREAM = 'recorded';
/** Rewinds lead to the first seconds of the recording. */
const RECORDED_S = 24;
/** What is closer to live than this has no place on the timeline. */
const CLOSE_TO_LIVE_S = 10;
/** 720p at 2.5 Mbit/s with a keyframe every two seconds, and sound, over RTMP. */
const INPUT = words('-re -f lavfi -i testsrc2=size=1280x720:rate=30 -re -f lavfi -i sine=sample_rate=48000');
const ENCODING = words('-c:v libx264 -preset ultrafast -tune zerolatency -pix_fmt yuv420p -b:v 2500k -g 60 -c:a aac');

/**
 * Goes back in a stream that is live, from live each time, to places that were not asked for before.
 * @returns ms from the click on the timeline until the picture of then is shown
 */
export async function rewindStarts(count: number): Promise<readonly number[]> {
  await build({ ifNeeded: true });
  const ffmpeg = await ffmpegProgram();
  const server = await startServer({ RTMP_PORT: '0', FFMPEG_PATH: ffmpeg });
  const browser = await openBrowser();
  let encoder: ChildProcess | undefined;
  try {
    const { secret } = await server.cli('secret', 'create');
    const token = await new RestTokens(server.origin, String(secret)).publish(STREAM, { record: true });
    const port = /"port":(\d+)[^\n]*encoders can connect/.exec(server.output())?.[1];
    const url = `rtmp://127.0.0.1:${port}/v2/pub/${STREAM}?token=${token}`;
    encoder = spawn(ffmpeg, ['-nostdin', ...INPUT, ...ENCODING, '-f', 'flv', url], { stdio: 'ignore' });
    // A viewer without a token is refused until then.
    await isLive(server, STREAM);
    const page = await browser.newPage();
    await page.goto(`${server.origin}/viewer?streamId=main/${STREAM}&dvr&muted`);
    await page.locator(`stream-viewer [part=timeline-slider]`).waitFor({ state: 'attached', timeout: 60_000 });
    await page.waitForFunction(
      (seconds) => {
        const { shadowRoot } = document.querySelector('stream-viewer')!;
        return Number(shadowRoot!.querySelector<HTMLInputElement>('[part=timeline-slider]')?.max) > seconds;
      },
      RECORDED_S + CLOSE_TO_LIVE_S,
      { timeout: 60_000 },
    );
    const starts: number[] = [];
    for (let rewind = 0; rewind < count; rewind++) {
      starts.push(await startOf(page, (RECORDED_S / count) * rewind));
    }
    return starts;
  } finally {
    encoder?.kill('SIGKILL');
    await browser.close();
    await server.stop();
  }
}

/** @param time in seconds */
function startOf(page: Page, time: number): Promise<number> {
  return page.evaluate(async (seconds) => {
    const { shadowRoot } = document.querySelector('stream-viewer')!;
    const until = async (isSo: () => boolean): Promise<void> => {
      while (!isSo()) await new Promise(requestAnimationFrame);
    };
    const isBehind = (): boolean => shadowRoot!.querySelector('.recording:not([data-hidden])') !== null;
    const slider = shadowRoot!.querySelector<HTMLInputElement>('[part=timeline-slider]')!;
    slider.value = String(Math.floor(seconds));
    const clickedAt = performance.now();
    slider.dispatchEvent(new Event('change'));
    await until(isBehind);
    const shownAfter = performance.now() - clickedAt;
    shadowRoot!.querySelector<HTMLElement>('[part~=go-live]')!.click();
    await until(() => !isBehind());
    return shownAfter;
  }, time);
}
