import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { build } from '../scripts/build.js';
import { RestTokens } from '../test/support/rest-tokens.js';
import { ffmpegProgram, LIVE_H264, LIVE_INPUT, words } from '../test/support/run-encoder.js';
import { startServer, type ServerProcess } from '../test/support/server-process.js';
import type { BenchOptions, BenchResult } from './bench-result.js';
import { openBrowser } from './browsers/broadcaster-browser.js';
import { Glass } from './rtmp/glass.js';
import { lateJoins } from './rtmp/late-joins.js';
import { BASELINE, isLive, PICTURE, type Machine } from './rtmp/machine.js';
import { soundLags, type SoundLags } from './rtmp/sound-lag.js';
import { TimeCodedVideo } from './rtmp/time-code.js';
import { WhipForwarder } from './rtmp/whip-forwarder.js';
import { median, percentile } from './support/percentile.js';
import { processCost } from './support/process-cost.js';
import { progress } from './support/progress.js';

const GLASS_S = 30;
const CPU_S = 20;
const CPU_ROUNDS = 5;
const JOINS = 20;
const DELAY_ROUNDS = 4;
const QUICK = { settleS: 3, glassS: 5, cpuS: 3, cpuRounds: 1, joins: 2, delayRounds: 1 };
/** The players of viewers who joined between two keyframes buffer more until then. */
const SETTLE_S = 20;
/** What RTMP may take more. */
const ALLOWED_MS = 100;
/** A viewer who waited for the next keyframe, of one in ten seconds, would wait so long on average. */
const MEAN_WAIT_MS = 5_000;

/**
 * Measures RTMP against WHIP. One ffmpeg encodes frames once and sends them both ways; each frame shows the time when it
 * was made, and two viewers in one browser read it when they show it (glass to glass). Then what a stream of 1080p30
 * costs the server without viewers, with AAC that becomes Opus. Then how soon viewers see a picture who join an RTMP
 * stream with a keyframe in ten seconds, and whether they stay behind those who joined before. Then how far AAC that
 * became Opus is behind the picture, when it arrives and when it is played: node-av is used if it is installed.
 */
export async function run({ quick = false }: BenchOptions = {}): Promise<BenchResult> {
  const sizes = quick
    ? QUICK
    : {
        settleS: SETTLE_S,
        glassS: GLASS_S,
        cpuS: CPU_S,
        cpuRounds: CPU_ROUNDS,
        joins: JOINS,
        delayRounds: DELAY_ROUNDS,
      };
  await build({ ifNeeded: true });
  const ffmpeg = await ffmpegProgram();
  const server = await startServer({ RTMP_PORT: '0', FFMPEG_PATH: ffmpeg });
  const browser = await openBrowser();
  const folder = await mkdtemp(join(tmpdir(), 'streamgate-bench-'));
  try {
    const { secret } = await server.cli('secret', 'create');
    const tokens = new RestTokens(server.origin, String(secret));
    const port = /"port":(\d+)[^\n]*encoders can connect/.exec(server.output())?.[1];
    const rtmp = (name: string, token: string) => `rtmp://127.0.0.1:${port}/v2/pub/${name}?token=${token}`;
    const machine = { ffmpeg, server, browser, tokens, rtmp };

    progress('glass to glass');
    const ages = await glassToGlass(machine, sizes);
    const costs: Cost = { idle: [], whip: [], picture: [], sound: [] };
    const file = join(folder, 'full-hd.mp4');
    const source = words('-f lavfi -i testsrc2=size=1920x1080:rate=30:duration=10 -f lavfi -i sine=duration=10');
    await finished(ffmpeg, [...source, ...BASELINE, ...words('-b:v 4M -g 60 -c:a aac -b:a 128k'), file]);
    for (let round = 0; round < sizes.cpuRounds; round++) {
      progress(`CPU, round ${round + 1} of ${sizes.cpuRounds}`);
      await addCosts(machine, file, sizes.cpuS, costs);
    }
    progress('late joiners');
    const late = await lateJoins(machine, sizes);
    progress('sound');
    const lags = await lagsOfSound(machine, sizes.glassS);

    const [rtmpMs, whipMs] = [median(ages.rtmp), median(ages.whip)];
    const beyondIdle = (way: keyof Cost) => median(costs[way]) - median(costs.idle);
    return {
      name: 'rtmp',
      ratio: rtmpMs / (whipMs + ALLOWED_MS),
      against: `the time from glass to glass of the same frames by WHIP, and ${ALLOWED_MS} ms`,
      also: [
        { ratio: beyondIdle('sound') / beyondIdle('whip'), against: 'the CPU time for the same picture by WHIP' },
        { ratio: median(late.joins) / MEAN_WAIT_MS, against: 'waiting for the next keyframe' },
      ],
      figures: {
        rtmpMs,
        whipMs,
        rtmpP95Ms: percentile(ages.rtmp, 95),
        whipP95Ms: percentile(ages.whip, 95),
        moreByRtmpMs: rtmpMs - whipMs,
        rtmpAfterJoinMs: median(ages.rtmpAfterJoin),
        whipAfterJoinMs: median(ages.whipAfterJoin),
        whipCore: beyondIdle('whip'),
        rtmpPictureCore: beyondIdle('picture'),
        rtmpPictureAndSoundCore: beyondIdle('sound'),
        moreByRtmpCore: beyondIdle('sound') - beyondIdle('whip'),
        lateJoinMs: median(late.joins),
        lateJoinP95Ms: percentile(late.joins, 95),
        earlyAgeMs: median(late.earlyAges),
        lateAgeMs: median(late.lateAges),
        soundArrivesLaterMs: median(lags.arrived),
        soundLagMs: median(lags.played),
        soundLagP95Ms: percentile(lags.played, 95),
      },
    };
  } finally {
    await browser.close();
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

async function glassToGlass(machine: Machine, { settleS, glassS }: { settleS: number; glassS: number }) {
  const { ffmpeg, server, browser, tokens, rtmp } = machine;
  const forwarder = await WhipForwarder.open(server.origin, 'by-whip', await tokens.publish('by-whip'));
  const flv = `[f=flv]${rtmp('by-rtmp', await tokens.publish('by-rtmp'))}`;
  const encoding = [...BASELINE, ...words('-b:v 2M -g 30 -flags +global_header -map 0:v')];
  const video = new TimeCodedVideo(ffmpeg, PICTURE, [...encoding, '-f', 'tee', `${flv}|${forwarder.teeOutput}`]);
  const glasses: Glass[] = [];
  try {
    for (const name of ['by-rtmp', 'by-whip']) {
      await isLive(server, name, video);
      const glass = await Glass.open(browser, server.origin, name);
      glasses.push(glass);
      await glass.join();
    }
    const agesFor = (seconds: number) => Promise.all(glasses.map((glass) => glass.agesFor(1_000 * seconds)));
    const [rtmpAfterJoin, whipAfterJoin] = await agesFor(settleS);
    const [byRtmp, byWhip] = await agesFor(glassS);
    return { rtmp: byRtmp!, whip: byWhip!, rtmpAfterJoin: rtmpAfterJoin!, whipAfterJoin: whipAfterJoin! };
  } finally {
    for (const glass of glasses) await glass.close();
    video.stop();
    forwarder.close();
  }
}

/** Parts of a core, of the server with its media processes and its ffmpeg. */
type Cost = Record<'idle' | 'whip' | 'picture' | 'sound', number[]>;

async function addCosts({ ffmpeg, server, tokens, rtmp }: Machine, file: string, seconds: number, costs: Cost) {
  const input = ['-re', '-stream_loop', '-1', '-i', file, '-c', 'copy'];
  costs.idle.push(await coreOf(server, seconds));
  for (const [way, sound] of [
    ['picture', ['-an']],
    ['sound', []],
  ] as const) {
    const url = rtmp(way, await tokens.publish(way));
    const push = spawn(ffmpeg, ['-nostdin', ...input, ...sound, '-f', 'flv', url], { stdio: 'ignore' });
    await isLive(server, way);
    costs[way].push(await coreOf(server, seconds));
    push.kill('SIGKILL');
  }
  const forwarder = await WhipForwarder.open(server.origin, 'whip', await tokens.publish('whip'));
  const output = [...words('-an -map 0:v -f tee'), forwarder.teeOutput];
  const push = spawn(ffmpeg, ['-nostdin', ...input, ...output], { stdio: 'ignore' });
  await isLive(server, 'whip');
  costs.whip.push(await coreOf(server, seconds));
  push.kill('SIGKILL');
  forwarder.close();
}

async function coreOf(server: ServerProcess, seconds: number): Promise<number> {
  await delay(1_000);
  const [before, start] = [await processCost(server.pid), performance.now()];
  await delay(1_000 * seconds);
  const { cpuMicros } = await processCost(server.pid);
  return (cpuMicros - before.cpuMicros) / 1_000 / (performance.now() - start);
}

async function lagsOfSound({ ffmpeg, server, browser, tokens, rtmp }: Machine, seconds: number): Promise<SoundLags> {
  const url = rtmp('sound', await tokens.publish('sound'));
  const encoding = [...LIVE_H264, ...words('-c:a aac -b:a 96k -ac 2 -f flv')];
  const push = spawn(ffmpeg, ['-nostdin', ...LIVE_INPUT, ...encoding, url], { stdio: 'ignore' });
  try {
    await isLive(server, 'sound');
    return await soundLags(browser, { origin: server.origin, streamName: 'sound', seconds });
  } finally {
    push.kill('SIGKILL');
  }
}

async function finished(ffmpeg: string, args: readonly string[]): Promise<void> {
  const [code] = await once(spawn(ffmpeg, ['-nostdin', '-loglevel', 'error', ...args], { stdio: 'ignore' }), 'exit');
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`);
}
