import { setTimeout as sleep } from 'node:timers/promises';
import { build } from '../scripts/build.js';
import type { BenchOptions, BenchResult } from './bench-result.js';
import { openBrowser } from './browsers/broadcaster-browser.js';
import { CanvasSource, type Encoded } from './browsers/canvas-source.js';
import type { Audience } from './crowds/audience.js';
import { admitViewers } from './media/admit-viewers.js';
import type { Forwarder } from './media/forwarders/forwarder.js';
import { LOOPBACK } from './media/network-path.js';
import { BenchProcess } from './support/bench-process.js';
import { installPeers, nodeFor } from './support/peers.js';
import { median } from './support/percentile.js';
import { progress } from './support/progress.js';

interface Sizes {
  /** Viewers on good links from the beginning: the ones that are measured. */
  readonly steady: number;
  readonly slow: number;
  /** Viewers on good links of whom some leave, and as many join, each second. */
  readonly passing: number;
  readonly joinsPerSecond: number;
  readonly settleMs: number;
  readonly measureMs: number;
}
const FULL: Sizes = { steady: 120, slow: 20, passing: 60, joinsPerSecond: 10, settleMs: 10_000, measureMs: 30_000 };
const QUICK: Sizes = { steady: 8, slow: 2, passing: 4, joinsPerSecond: 2, settleMs: 3_000, measureMs: 4_000 };

/** The link of a slow viewer. */
const SLOW_LINK = { capacity: 300_000, loss: 0.05, delay: 30, buffer: 400 };
/**
 * In bit/s. Measured with a keyframe each second, the lowest temporal layer has 180 to 265 kbit/s of it: that fits into
 * that link with its headers and 5 % that is sent again. The lowest two have some 310, and do not. So slow viewers get
 * about 8 frames a second at best: a fourth of them, and the keyframes.
 */
const BITRATE = 500_000;
const CONNECTED_WITHIN_MS = 20_000;

/** What the steady viewers got, and what it cost them. */
interface Quality {
  /** Of the median viewer. */
  readonly framesPerSecond: number;
  /** Of the worst viewer. */
  readonly leastFramesPerSecond: number;
  /** The mean quantizer of the encoder. */
  readonly qp: number;
  readonly keyframesPerMinute: number;
}

/** The same viewers without the crowd and with it. */
interface Measured {
  readonly alone: Quality;
  readonly crowded: Quality;
  /** Frames of the median slow viewer. */
  readonly slowFramesPerSecond: number;
  /** Slow viewers whose session the server ended. */
  readonly slowEnded: number;
  readonly joinsPerSecond: number;
}

/**
 * Measures what viewers on bad links, and viewers who join all the time, cost the others: frame rate and quantizer (QP)
 * with and without them, from one encoder of Chromium. The others are on good links, and are the same all the time.
 */
export async function run({ quick = false }: BenchOptions = {}): Promise<BenchResult> {
  await build({ ifNeeded: true });
  const sizes = quick ? QUICK : FULL;
  const ours = await measure('streamgate.ts', sizes);
  if (!quick) await installPeers();
  const node = nodeFor('medooze-media-server');
  const medooze = node === undefined ? undefined : await measure('medooze.ts', sizes, node);
  return {
    name: 'crowd-quality',
    ratio: harm(ours),
    against: 'the QP with the crowd and without, or the frame rate without it and with it, whichever is worse',
    also: medooze ? [{ ratio: harm(ours) / harm(medooze), against: 'the same of medooze-media-server' }] : [],
    figures: { ...figuresOf('streamgate', ours), ...(medooze && figuresOf('medooze', medooze)) },
  };
}

/** 1: the others do not notice the crowd. */
const harm = ({ alone, crowded }: Measured): number =>
  Math.max(crowded.qp / alone.qp, alone.framesPerSecond / crowded.framesPerSecond);

async function measure(file: string, sizes: Sizes, node?: string): Promise<Measured> {
  const run = { args: [LOOPBACK.serverAddress], ...(node !== undefined && { node }) };
  const forwarder = await BenchProcess.start<Forwarder>(`media/forwarders/${file}`, run);
  const audience = await BenchProcess.start<Audience>('crowds/audience.ts');
  const browser = await openBrowser();
  try {
    const source = await CanvasSource.open(browser, BITRATE);
    await source.accept(await forwarder.call('publish', source.offer));
    const seats = new Seats(audience, forwarder);
    progress(`${file}: ${sizes.steady} viewers`);
    const steady = await seats.fill(sizes.steady);
    await sleep(sizes.settleMs);
    const alone = await qualityDuring(sizes.measureMs, source, audience, steady);

    progress(`${file}: ${sizes.slow} viewers on slow links, ${sizes.joinsPerSecond} joining each second`);
    const slow = await seats.fill(sizes.slow, SLOW_LINK);
    const crowd = new PassingViewers(seats, await seats.fill(sizes.passing), sizes.joinsPerSecond);
    await sleep(sizes.settleMs);
    const crowded = await qualityDuring(sizes.measureMs, source, audience, steady);
    const { frames, ended: slowEnded } = await audience.call('collect', slow);
    const joinsPerSecond = await crowd.stop();
    const slowFramesPerSecond = median(frames) / (sizes.measureMs / 1_000);
    return { alone, crowded, slowFramesPerSecond, slowEnded, joinsPerSecond };
  } finally {
    await browser.close();
    await Promise.all([forwarder.stop(), audience.stop()]);
  }
}

interface Range {
  readonly first: number;
  readonly count: number;
}

/** Lets viewers in. */
class Seats {
  readonly audience: BenchProcess<Audience>;
  readonly #forwarder: BenchProcess<Forwarder>;

  constructor(audience: BenchProcess<Audience>, forwarder: BenchProcess<Forwarder>) {
    this.audience = audience;
    this.#forwarder = forwarder;
  }

  /** Refused viewers try again, so that there may be more seats in the range than viewers. */
  async fill(viewers: number, link?: typeof SLOW_LINK): Promise<Range> {
    let begin: number | undefined;
    let end = 0;
    await admitViewers(viewers, async (count) => {
      const { range, admitted } = await this.join(count, link);
      begin ??= range.first;
      end = range.first + count;
      return admitted;
    });
    return { first: begin ?? 0, count: end - (begin ?? 0) };
  }

  /** Refused viewers do not try again. */
  async join(count: number, link?: typeof SLOW_LINK): Promise<{ readonly range: Range; readonly admitted: number }> {
    const { first, offers } = await this.audience.call('open', { count, link: link ?? null });
    const answers = await Promise.all(offers.map((offer) => this.#forwarder.call('view', offer).catch(() => null)));
    const admitted = await this.audience.call('accept', { first, answers, withinMs: CONNECTED_WITHIN_MS });
    return { range: { first, count }, admitted };
  }
}

/** Viewers of whom the oldest leave and others join, until `stop`. */
class PassingViewers {
  readonly #ended = new AbortController();
  readonly #passing: Promise<number>;

  constructor(seats: Seats, first: Range, perSecond: number) {
    this.#passing = this.#pass(seats, first, perSecond);
  }

  /** @returns how many have joined in a second: fewer than wanted on a busy machine */
  async stop(): Promise<number> {
    this.#ended.abort();
    return await this.#passing;
  }

  async #pass(seats: Seats, initial: Range, perSecond: number): Promise<number> {
    const present = Array.from({ length: Math.floor(initial.count / perSecond) }, (_, index) => ({
      first: initial.first + index * perSecond,
      count: perSecond,
    }));
    const startedAt = performance.now();
    let joined = 0;
    const join = async (): Promise<void> => {
      const { range, admitted } = await seats.join(perSecond);
      present.push(range);
      joined += admitted;
    };
    const joining: Promise<void>[] = [];
    // Nobody waits until those who came before are connected.
    while (!this.#ended.signal.aborted) {
      const nextSecond = sleep(1_000);
      const oldest = present.shift();
      if (oldest) await seats.audience.call('leave', oldest);
      joining.push(join());
      await nextSecond;
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    const rate = joined / seconds;
    await Promise.all(joining);
    return rate;
  }
}

async function qualityDuring(
  ms: number,
  source: CanvasSource,
  audience: BenchProcess<Audience>,
  viewers: Range,
): Promise<Quality> {
  await audience.call('begin', null);
  const [before, startedAt] = [await source.encoded(), performance.now()];
  await sleep(ms);
  const [after, seconds] = [await source.encoded(), (performance.now() - startedAt) / 1_000];
  const { frames } = await audience.call('collect', viewers);
  const since = (name: keyof Encoded): number => after[name] - before[name];
  return {
    framesPerSecond: median(frames) / seconds,
    leastFramesPerSecond: Math.min(...frames) / seconds,
    qp: since('qpSum') / since('frames'),
    keyframesPerMinute: (since('keyframes') / seconds) * 60,
  };
}

function figuresOf(
  name: string,
  { alone, crowded, slowFramesPerSecond, slowEnded, joinsPerSecond }: Measured,
): Record<string, number> {
  return {
    ...qualityFigures(`${name}Alone`, alone),
    ...qualityFigures(`${name}Crowded`, crowded),
    [`${name}SlowFramesPerSecond`]: slowFramesPerSecond,
    [`${name}SlowEnded`]: slowEnded,
    [`${name}JoinsPerSecond`]: joinsPerSecond,
  };
}

const qualityFigures = (
  name: string,
  { framesPerSecond, leastFramesPerSecond, qp, keyframesPerMinute }: Quality,
): Record<string, number> => ({
  [`${name}FramesPerSecond`]: framesPerSecond,
  [`${name}LeastFramesPerSecond`]: leastFramesPerSecond,
  [`${name}Qp`]: qp,
  [`${name}KeyframesPerMinute`]: keyframesPerMinute,
});
