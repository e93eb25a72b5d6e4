import type { Scripted } from './pages.ts';
import { TIME_CODE } from './time-coded-broadcaster.ts';

/** What a `<stream-viewer dvr>` shows at one moment. */
export interface Seen {
  /** When the visible picture was drawn, in milliseconds since 1970. NaN: no picture, or one that cannot be read. */
  readonly drawnAt: number;
  /** In milliseconds since 1970. */
  readonly now: number;
  /** Where the recording is, in milliseconds. Undefined: it is not visible. */
  readonly recordingMs: number | undefined;
  /** Of the visible picture, as it was sent. */
  readonly width: number;
  readonly height: number;
}

declare global {
  interface Window {
    seen: Seen[];
    look(): Seen;
  }
}

/** Reads the time code of the picture that the tag shows: `window.look()`, and at each frame into `window.seen`. */
export async function readTimeCodes(page: Scripted): Promise<void> {
  await page.evaluate(prepare, TIME_CODE);
}

export const look = (page: Scripted): Promise<Seen> => page.evaluate(() => window.look(), undefined);

/** What was seen since the last call, or since `readTimeCodes`. */
export const takeSeen = (page: Scripted): Promise<Seen[]> => page.evaluate(() => window.seen.splice(0), undefined);

/** Runs in the page. */
function prepare({ width, height, bits, blockWidth, blockHeight }: typeof TIME_CODE): void {
  const viewer = document.querySelector('stream-viewer')!;
  // One small copy of each picture: reading pixels is slow where there is no graphics card.
  const small = { width: width / 10, height: height / 10 };
  const canvas = Object.assign(document.createElement('canvas'), small);
  const pen = canvas.getContext('2d', { willReadFrequently: true })!;
  const range = 2 ** bits;
  const places = Array.from({ length: bits }, (_, bit) => {
    const x = Math.floor((((bit % (bits / 2)) + 0.5) * blockWidth) / 10);
    const y = Math.floor(((Math.floor((2 * bit) / bits) + 0.5) * blockHeight) / 10);
    return 4 * (y * small.width + x);
  });
  /** Beside the code: no picture of the broadcast is dark there. */
  const ground = 4 * (small.width * (small.height - 4) + 4);
  const look = (): Seen => {
    pen.clearRect(0, 0, small.width, small.height);
    let recordingMs: number | undefined;
    let size = { width: 0, height: 0 };
    // Later ones are over earlier ones, as in the tag.
    for (const video of viewer.shadowRoot!.querySelectorAll('video')) {
      if (!video.checkVisibility({ opacityProperty: true })) continue;
      recordingMs = video.classList.contains('recording') ? 1_000 * video.currentTime : undefined;
      size = { width: video.videoWidth, height: video.videoHeight };
      pen.drawImage(video, 0, 0, small.width, small.height);
    }
    const { data } = pen.getImageData(0, 0, small.width, small.height);
    const now = Date.now();
    const isPicture = data[ground + 3] === 255 && data[ground + 2]! > 100;
    const seen = { now, recordingMs, ...size };
    if (!isPicture || places.some((at) => data[at]! > 90 && data[at]! < 165)) return { drawnAt: NaN, ...seen };
    const code = places.reduce((sum, at, bit) => sum + (data[at]! > 127 ? 2 ** bit : 0), 0);
    return { drawnAt: now - (((now % range) - code + range) % range), ...seen };
  };
  const seen: Seen[] = [];
  const watch = (): void => {
    seen.push(look());
    requestAnimationFrame(watch);
  };
  Object.assign(window, { look, seen });
  watch();
}
