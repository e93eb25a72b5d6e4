import { setTimeout as delay } from 'node:timers/promises';
import { Glass } from './glass.js';
import { BASELINE, isLive, PICTURE, type Machine } from './machine.js';
import { TimeCodedVideo } from './time-code.js';

const FRAMES_BETWEEN_KEYFRAMES = 300;
/** Who joins then has seen what came since the last keyframe, and sees the present. */
const CATCH_UP_MS = 10_000;

export interface LateJoins {
  /** How long the first picture took, in ms. */
  readonly joins: number[];
  /** How old pictures are of who joined before, and of who joined some seconds ago, in ms. */
  readonly earlyAges: number[];
  readonly lateAges: number[];
}

/** Viewers who join a stream with a keyframe in ten seconds. */
export async function lateJoins(
  { ffmpeg, server, browser, tokens, rtmp }: Machine,
  sizes: { readonly joins: number; readonly delayRounds: number; readonly glassS: number },
): Promise<LateJoins> {
  const flv = ['-f', 'flv', rtmp('late', await tokens.publish('late'))];
  const encoding = [...BASELINE, '-b:v', '2M', '-g', String(FRAMES_BETWEEN_KEYFRAMES)];
  const video = new TimeCodedVideo(ffmpeg, PICTURE, [...encoding, ...flv]);
  const glasses: Glass[] = [];
  const open = async (): Promise<Glass> => {
    const glass = await Glass.open(browser, server.origin, 'late');
    glasses.push(glass);
    // Without the first join of a page.
    await glass.join();
    return glass;
  };
  try {
    await isLive(server, 'late', video);
    const late = await open();
    const joins: number[] = [];
    // At all places between two keyframes.
    const rejoin = async (awayMs: number): Promise<number> => {
      await late.leave();
      await delay(awayMs);
      return late.join();
    };
    for (let index = 0; index < sizes.joins; index++) joins.push(await rejoin(700 + (index % 10) * 400));
    const early = await open();
    const [earlyAges, lateAges]: [number[], number[]] = [[], []];
    for (let round = 0; round < sizes.delayRounds; round++) {
      await rejoin(700 + round * 1_700);
      await delay(CATCH_UP_MS);
      const [ofEarly, ofLate] = await Promise.all([early, late].map((glass) => glass.agesFor(1_000 * sizes.glassS)));
      earlyAges.push(...ofEarly!);
      lateAges.push(...ofLate!);
    }
    return { joins, earlyAges, lateAges };
  } finally {
    for (const glass of glasses) await glass.close();
    video.stop();
  }
}
