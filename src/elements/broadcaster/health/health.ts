import { number, text } from '../../../client/unread.js';

/** How well a broadcast gets through, worst first. */
export type Verdict = 'busy' | 'lossy' | 'slow' | 'good';

/** The sender's statistics at one moment. Rates come from two samples. Undefined: the browser does not report it. */
export interface SentSample {
  /** When the sample was taken, in milliseconds. */
  readonly at: number;
  /** Sent until then, of video and audio. */
  readonly bytes: number;
  /** Width, height and frame rate of the largest layer. */
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly framesPerSecond: number | undefined;
  /** Height of the picture that camera or screen give. */
  readonly fullHeight: number | undefined;
  /** `qualityLimitationReason` of each layer. */
  readonly limits: readonly string[];
  /** Share of the packets that the server has missed lately, 0 to 1. */
  readonly loss: number | undefined;
  /** In seconds. */
  readonly roundTrip: number | undefined;
  readonly codec: string | undefined;
}

/** A sample with what follows from it. */
export interface Health extends SentSample {
  readonly verdict: Verdict;
  /** In bit/s, of video and audio. */
  readonly bitrate: number | undefined;
}

type Stats = Readonly<Record<string, string | number | boolean | undefined>>;

/** Reads the statistics of a sending connection (W3C webrtc-stats). Undefined: nothing was sent yet. */
export function readSentSample(report: Pick<RTCStatsReport, 'values' | 'get'>): SentSample | undefined {
  const all = [...report.values()] as Stats[];
  const ofType = (type: string): Stats[] => all.filter((stats) => stats['type'] === type);
  const sent = ofType('outbound-rtp');
  if (sent.length === 0) return undefined;
  const videos = sent.filter(({ kind }) => kind === 'video');
  const largest = videos.reduce<Stats | undefined>(
    (best, stats) => ((number(stats, 'frameHeight') ?? 0) > (number(best, 'frameHeight') ?? 0) ? stats : best),
    videos[0],
  );
  const source = ofType('media-source').find(({ kind }) => kind === 'video');
  const received = ofType('remote-inbound-rtp');
  return {
    at: number(sent[0], 'timestamp') ?? 0,
    bytes: sent.reduce((sum, stats) => sum + (number(stats, 'bytesSent') ?? 0), 0),
    width: number(largest, 'frameWidth'),
    height: number(largest, 'frameHeight'),
    framesPerSecond: number(largest, 'framesPerSecond'),
    fullHeight: number(source, 'height'),
    limits: videos.map(({ qualityLimitationReason }) => String(qualityLimitationReason ?? 'none')),
    loss: largestOf(received, 'fractionLost'),
    roundTrip: largestOf(received, 'roundTripTime'),
    codec: text(report.get(String(largest?.['codecId'])), 'mimeType')?.replace(/^\w+\//, ''),
  };
}

/** The health between two samples. Counters that fell belong to another connection: then there is no bitrate. */
export function healthBetween(before: SentSample, after: SentSample): Health {
  const elapsed = after.at - before.at;
  const sent = after.bytes - before.bytes;
  return {
    ...after,
    bitrate: elapsed > 0 && sent >= 0 ? (sent * 8000) / elapsed : undefined,
    verdict: verdictOf(after),
  };
}

function verdictOf({ limits, loss = 0, height, fullHeight }: SentSample): Verdict {
  if (limits.includes('cpu')) return 'busy';
  if (loss > 0.05) return 'lossy';
  const isSmaller = height !== undefined && fullHeight !== undefined && height < fullHeight * 0.9;
  return isSmaller && limits.includes('bandwidth') ? 'slow' : 'good';
}

function largestOf(all: readonly Stats[], name: string): number | undefined {
  const values = all.map((stats) => number(stats, name)).filter((value) => value !== undefined);
  return values.length > 0 ? Math.max(...values) : undefined;
}
