// Viewers with real transports in a process of their own. They send no reports, so that the forwarder takes their
// networks for wide.
import { payloadType, sequenceNumber, timestamp } from '../../server/media/embedded/rtp/packet.js';
import { PAYLOAD_TYPES } from '../../test/support/media/offer.js';
import { RtpPeer } from '../../test/support/media/rtp-peer.js';
import { handleCalls, type Handlers } from '../support/bench-process.js';
import { percentile } from '../support/percentile.js';
import { attempt, within } from '../crowds/misses.js';
import { encodingOf } from './simulcast-sender.js';
import { delayOf } from './video-sender.js';

/** What all watchers together received since the last call of `collect`. */
export interface Watched {
  readonly sound: Delays;
  /** Sound packets that are missing between others. */
  readonly soundMissing: number;
  readonly video: Delays;
  /** As `soundMissing`. */
  readonly videoMissing: number;
  /** Frames of each encoding. */
  readonly frames: readonly number[];
}
interface Delays {
  readonly packets: number;
  /** In ms. NaN: no packet arrived. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mostMs: number;
}

const peers: RtpPeer[] = [];
let sound: number[] = [];
let soundMissing = 0;
let video: number[] = [];
let videoMissing = 0;
let frames = [0, 0, 0];

async function openWatcher(): Promise<RtpPeer> {
  const peer = await RtpPeer.open({ role: 'viewer' });
  let soundBefore: number | undefined;
  let videoBefore: number | undefined;
  let frameBefore: number | undefined;
  peer.onRtp = (packet) => {
    if (payloadType(packet) === PAYLOAD_TYPES.opus) {
      sound.push(delayOf(packet));
      soundMissing += missingBetween(soundBefore, packet);
      soundBefore = sequenceNumber(packet);
      return;
    }
    video.push(delayOf(packet));
    videoMissing += missingBetween(videoBefore, packet);
    videoBefore = sequenceNumber(packet);
    if (timestamp(packet) === frameBefore) return;
    frameBefore = timestamp(packet);
    frames[encodingOf(packet)]!++;
  };
  return peer;
}

/** How many packets there were between two that arrived in order (RFC 3550 section 5.1). */
const missingBetween = (before: number | undefined, packet: Buffer): number =>
  before === undefined ? 0 : (sequenceNumber(packet) - before - 1) & 0xffff;

const delaysOf = (delays: readonly number[]): Delays => ({
  packets: delays.length,
  p50Ms: percentile(delays, 50),
  p99Ms: percentile(delays, 99),
  mostMs: percentile(delays, 100),
});

const handlers = {
  /** @returns the offers of that many more watchers, and the index of the first */
  async open(count: number): Promise<{ first: number; offers: string[] }> {
    const opened = await Promise.all(Array.from({ length: count }, openWatcher));
    const first = peers.length;
    peers.push(...opened);
    return { first, offers: opened.map(({ offer }) => offer) };
  },
  /** Applies the answers, null where a watcher was refused. @returns how many are connected */
  async accept({ first, answers, withinMs }: { first: number; answers: (string | null)[]; withinMs: number }) {
    const connected = await Promise.all(
      answers.map(async (answer, index) => {
        const accepted =
          answer !== null && (await attempt(within(withinMs, peers[first + index]!.accept({ answer }), 'ICE')));
        return !(accepted instanceof Error) && answer !== null;
      }),
    );
    return connected.filter(Boolean).length;
  },
  collect(): Watched {
    const watched = { sound: delaysOf(sound), soundMissing, video: delaysOf(video), videoMissing, frames };
    [sound, video, frames, soundMissing, videoMissing] = [[], [], [0, 0, 0], 0, 0];
    return watched;
  },
} satisfies Handlers;

export type Watchers = typeof handlers;

handleCalls(handlers);
