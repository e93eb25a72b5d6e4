import { number, text } from '../../../client/unread.js';

/** How a broadcast goes, worst first. */
export type Verdict = 'busy' | 'lossy' | 'slow' | 'good';

/** The numbers of one moment: most mean something only beside those of another. */
export interface SentSample {
  /** In milliseconds. */
  readonly at: number;
  readonly bytes: number;
  /** Of the largest picture that is sent. */
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly framesPerSecond: number | undefined;
  /** Of what the camera or the screen gives. */
  readonly fullHeight: number | undefined;
  /** What the encoder is held back by. */
  readonly limits: readonly string[];
  /** Part of the packets that the service missed lately, 0 to 1. */
  readonly loss: number | undefined;
  /** In seconds. */
  readonly roundTrip: number | undefined;
  readonly codec: string | undefined;
}

/** What goes out, as a person can judge it. Undefined: the browser does not say. */
export interface Health extends SentSample {
  readonly verdict: Verdict;
  /** In bit/s, of picture and sound. */
  readonly bitrate: number | undefined;
}

type Stats = Readonly<Record<string, string | number | boolean | undefined>>;

/** Of a broadcaster's connection (W3C webrtc-stats). Undefined: nothing was sent yet. */
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
  const heard = ofType('remote-inbound-rtp');
  return {
    at: number(sent[0], 'timestamp') ?? 0,
    bytes: sent.reduce((sum, stats) => sum + (number(stats, 'bytesSent') ?? 0), 0),
    width: number(largest, 'frameWidth'),
    height: number(largest, 'frameHeight'),
    framesPerSecond: number(largest, 'framesPerSecond'),
    fullHeight: number(source, 'height'),
    limits: videos.map(({ qualityLimitationReason }) => String(qualityLimitationReason ?? 'none')),
    loss: most(heard, 'fractionLost'),
    roundTrip: most(heard, 'roundTripTime'),
    codec: text(report.get(String(largest?.['codecId'])), 'mimeType')?.replace(/^\w+\//, ''),
  };
}

/** What happened between two samples. Numbers that fell belong to another connection and say nothing. */
export function healthBetween(before: SentSample, after: SentSample): Health {
  const spent = after.at - before.at;
  const grown = after.bytes - before.bytes;
  return {
    ...after,
    bitrate: spent > 0 && grown >= 0 ? (grown * 8000) / spent : undefined,
    verdict: verdictOf(after),
  };
}

function verdictOf({ limits, loss = 0, height, fullHeight }: SentSample): Verdict {
  if (limits.includes('cpu')) return 'busy';
  if (loss > 0.05) return 'lossy';
  const isSmaller = height !== undefined && fullHeight !== undefined && height < fullHeight * 0.9;
  return isSmaller && limits.includes('bandwidth') ? 'slow' : 'good';
}

function most(all: readonly Stats[], name: string): number | undefined {
  const values = all.map((stats) => number(stats, name)).filter((value) => value !== undefined);
  return values.length > 0 ? Math.max(...values) : undefined;
}
