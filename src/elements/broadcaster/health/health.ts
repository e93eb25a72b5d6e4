import { number, text } from '../../../client/unread.js';

/** What limits the broadcast, the worst first: this device, the server, the upload. */
export type Verdict = 'busy' | 'server' | 'lossy' | 'slow' | 'good';

/** The statistics of the sender at one moment. Undefined: the browser does not report the value. */
export interface SentSample {
  /** Time of the sample, in milliseconds. */
  readonly at: number;
  /** Bytes of video and audio that were sent so far. */
  readonly bytes: number;
  /** Width, height and frame rate of the largest layer. */
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly framesPerSecond: number | undefined;
  /** Height of the picture of the camera or the screen. */
  readonly fullHeight: number | undefined;
  /** `qualityLimitationReason` of each layer. */
  readonly limits: readonly string[];
  /** Recently lost packets as a part of all, 0 to 1. */
  readonly loss: number | undefined;
  /** Round-trip time in seconds. */
  readonly roundTrip: number | undefined;
  readonly codec: string | undefined;
}

/** A sample with its verdict and bitrate. */
export interface Health extends SentSample {
  readonly verdict: Verdict;
  /** Whether viewers can see the whole size of the camera or the screen, or nearly. */
  readonly isFull: boolean;
  /** Bitrate of video and audio, in bit/s. */
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
  const largest = withLargest(videos, 'frameHeight');
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
    loss: number(withLargest(received, 'fractionLost'), 'fractionLost'),
    roundTrip: number(withLargest(received, 'roundTripTime'), 'roundTripTime'),
    codec: text(report.get(String(largest?.['codecId'])), 'mimeType')?.replace(/^\w+\//, ''),
  };
}

/** The health between two samples. If the byte count fell, they are from two connections, and there is no bitrate. */
export function healthBetween(before: SentSample, after: SentSample): Health {
  const elapsed = after.at - before.at;
  const sent = after.bytes - before.bytes;
  return {
    ...after,
    bitrate: elapsed > 0 && sent >= 0 ? (sent * 8000) / elapsed : undefined,
    verdict: verdictOf(after),
    isFull: isFull(after),
  };
}

function verdictOf(sample: SentSample): Verdict {
  const { limits, loss = 0 } = sample;
  if (limits.includes('cpu')) return 'busy';
  if (loss > 0.05) return 'lossy';
  return !isFull(sample) && limits.includes('bandwidth') ? 'slow' : 'good';
}

const isFull = ({ height, fullHeight }: SentSample): boolean =>
  height === undefined || fullHeight === undefined || height >= fullHeight * 0.9;

/** The first with the largest value. */
function withLargest(all: readonly Stats[], name: string): Stats | undefined {
  const value = (stats: Stats): number => number(stats, name) ?? 0;
  return [...all].sort((a, b) => value(b) - value(a))[0];
}
