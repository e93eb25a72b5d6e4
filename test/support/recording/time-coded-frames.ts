import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TappedFrame } from '../../../server/media/engine/tap.js';
import { videoFrames } from './encoded-media.js';

/** Where the blocks of a time code are, in a picture of this size. */
export interface TimeCodeLayout {
  readonly width: number;
  readonly height: number;
  /** In two rows, the lowest bit left. */
  readonly bits: number;
  readonly blockWidth: number;
  readonly blockHeight: number;
}

export interface TimeCodedWish {
  readonly layout: TimeCodeLayout;
  /** Of the pictures; the layout is scaled to it. */
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  /** The time of the first picture, in milliseconds since 1970. */
  readonly startsAt: number;
}

const FPS = 15;
/** In YUV: blue, around the blocks. */
const [GROUND, BLUE, RED] = [115, 172, 92];
const [BLACK, WHITE] = [16, 235];

/** Pictures in VP9, with a keyframe each two seconds, that show when each of them was made. */
export async function timeCodedFrames({ seconds, width, height, ...wish }: TimeCodedWish): Promise<TappedFrame[]> {
  const folder = await mkdtemp(join(tmpdir(), 'streamgate-time-codes-'));
  try {
    const file = join(folder, 'pictures.yuv');
    const pictures = Array.from({ length: seconds * FPS }, (_, index) =>
      picture({ ...wish, width, height }, Math.round((1_000 * index) / FPS)),
    );
    await writeFile(file, pictures);
    const input = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${width}x${height}`, '-r', String(FPS), '-i', file];
    return await videoFrames({ codec: 'vp9', seconds, size: `${width}x${height}`, keyframeEvery: 2 * FPS, input });
  } finally {
    await rm(folder, { recursive: true });
  }
}

type Pictured = Pick<TimeCodedWish, 'layout' | 'width' | 'height' | 'startsAt'>;

/** @param atMs from the first picture on */
function picture({ layout, width, height, startsAt }: Pictured, atMs: number): Buffer {
  const { bits, blockWidth, blockHeight } = layout;
  const light = Buffer.alloc(width * height, GROUND);
  const [across, down] = [width / layout.width, height / layout.height];
  const perRow = bits / 2;
  for (let bit = 0; bit < bits; bit++) {
    const value = Math.floor((startsAt + atMs) / 2 ** bit) % 2 === 1 ? WHITE : BLACK;
    const [column, row] = [bit % perRow, Math.floor(bit / perRow)];
    const [left, right] = [column, column + 1].map((at) => Math.round(at * blockWidth * across)) as [number, number];
    const [top, bottom] = [row, row + 1].map((at) => Math.round(at * blockHeight * down)) as [number, number];
    for (let y = top; y < bottom; y++) light.fill(value, y * width + left, y * width + right);
  }
  const colours = (width * height) / 4;
  return Buffer.concat([light, Buffer.alloc(colours, BLUE), Buffer.alloc(colours, RED)]);
}
