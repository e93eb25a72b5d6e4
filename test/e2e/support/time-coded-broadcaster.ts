import type { Page } from '@playwright/test';
import type * as Streamgate from '../../../src/cdn.ts';
import { mediaFlows, openBarePage, type StreamAddress } from './pages.ts';

/** The time of a picture is two rows of black and white blocks, the lowest bit left. Around them it is never dark. */
export const TIME_CODE = { width: 640, height: 360, bits: 24, blockWidth: 48, blockHeight: 60 } as const;

const PICTURES_PER_SECOND = 20;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** What is turned on. */
type Devices = readonly ('camera' | 'microphone')[];

/** The broadcast of a page. */
interface TimeCodedBroadcast {
  readonly broadcaster: Streamgate.Broadcaster;
  /** Goes live with these devices alone. */
  readonly turnOn: (devices: Devices) => void;
}

declare global {
  interface Window {
    timeCodes?: TimeCodedBroadcast;
  }
}

/** Goes live in the page with a canvas that shows when each picture was drawn, and with its fake microphone. */
export async function broadcastTimeCodes(
  page: Page,
  { origin, streamName, token = '' }: StreamAddress,
  options: Partial<Streamgate.BroadcasterOptions> = {},
  devices: Devices = ['camera', 'microphone'],
  size: Size = TIME_CODE,
): Promise<void> {
  await openBarePage(page, origin);
  await page.evaluate(prepare, {
    ...TIME_CODE,
    size: { width: size.width, height: size.height },
    perSecond: PICTURES_PER_SECOND,
    broadcast: { streamName, token, ...options },
  });
  await turnOn(page, devices);
  await mediaFlows({ origin, streamName });
}

/** Goes on with these devices alone, as the tag does: other tracks need another connection. */
export async function turnOn(page: Page, devices: Devices): Promise<void> {
  await page.evaluate((on) => window.timeCodes!.turnOn(on), devices);
}

/** Changes the size of the picture, as a broadcaster does who turns the phone or shares another window. */
export async function resizePicture(page: Page, size: Size) {
  await page
    .locator('canvas')
    .evaluate((canvas: HTMLCanvasElement, wanted) => void Object.assign(canvas, wanted), size);
}

/** Ends the broadcast of the page. */
export async function endBroadcast(page: Page): Promise<void> {
  await page.evaluate(() => window.timeCodes!.broadcaster.stop());
}

type Preparation = typeof TIME_CODE & {
  /** Of the canvas at first. */
  readonly size: Size;
  readonly perSecond: number;
  readonly broadcast: Partial<Streamgate.BroadcasterOptions>;
};

/** Runs in the page. */
async function prepare({ width, height, bits, blockWidth, blockHeight, size, perSecond, broadcast }: Preparation) {
  const file = '/streamgate.js';
  const { Broadcaster } = (await import(file)) as typeof Streamgate;
  const canvas = Object.assign(document.createElement('canvas'), size);
  document.body.append(canvas);
  const pen = canvas.getContext('2d')!;
  const perRow = bits / 2;
  const draw = (): void => {
    // Whatever the size of the canvas is.
    pen.setTransform(canvas.width / width, 0, 0, canvas.height / height, 0, 0);
    pen.fillStyle = '#3a7bd5';
    pen.fillRect(0, 0, width, height);
    const time = Date.now();
    for (let bit = 0; bit < bits; bit++) {
      pen.fillStyle = Math.floor(time / 2 ** bit) % 2 === 1 ? '#fff' : '#000';
      pen.fillRect((bit % perRow) * blockWidth, Math.floor(bit / perRow) * blockHeight, blockWidth, blockHeight);
    }
  };
  draw();
  setInterval(draw, 1_000 / perSecond);
  const sound = await navigator.mediaDevices.getUserMedia({ audio: true });
  const tracks = { camera: canvas.captureStream(perSecond).getTracks(), microphone: sound.getTracks() };
  const broadcaster = new Broadcaster();
  const turnOnAlone = (devices: Devices): void => {
    broadcaster.stop();
    const media = new MediaStream(devices.flatMap((device) => tracks[device]));
    broadcaster.start({ endpoint: location.origin, media, streamName: '', ...broadcast });
  };
  window.timeCodes = { broadcaster, turnOn: turnOnAlone };
}
