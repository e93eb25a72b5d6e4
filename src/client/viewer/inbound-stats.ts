/** Statistics of what a viewer receives. Undefined: the browser does not report the value. */
export interface InboundStats {
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly framesPerSecond: number | undefined;
  /** Of audio and video, in bit/s. */
  readonly bitrate: number | undefined;
  /** Lost packets as a part of all, 0 to 1. */
  readonly loss: number | undefined;
  /** Round-trip time in seconds. */
  readonly roundTrip: number | undefined;
  /** Time from the server to the screen, in seconds. */
  readonly latency: number | undefined;
  readonly codec: string | undefined;
}

/** What the server wants to know, too (see `ViewerReport`). Undefined: the browser does not report the value. */
export interface ReportedSample extends Pick<InboundStats, 'height' | 'framesPerSecond' | 'roundTrip'> {
  readonly packets: number;
  readonly lost: number;
  /** How often the picture froze, and for how long, in seconds. */
  readonly freezes: number | undefined;
  readonly frozen: number | undefined;
}

/** The counters of a connection at one moment. Statistics are the difference between two samples. */
export interface InboundSample extends Pick<InboundStats, 'width' | 'codec'> {
  /** In milliseconds. */
  readonly at: number;
  readonly bytes: number;
  readonly frames: number;
  /** Time that all frames took from their first packet until they were decoded, in seconds. */
  readonly delay: number;
  readonly reported: ReportedSample;
}

/** A member of an RTCStatsReport, as far as it is read here. */
interface ReceiverStats {
  readonly type?: string;
  readonly kind?: string;
  readonly state?: string;
  readonly nominated?: boolean;
  readonly codecId?: string;
  readonly mimeType?: string;
  readonly timestamp?: number;
  readonly frameWidth?: number;
  readonly frameHeight?: number;
  readonly framesPerSecond?: number;
  readonly framesDecoded?: number;
  readonly totalProcessingDelay?: number;
  readonly currentRoundTripTime?: number;
  readonly bytesReceived?: number;
  readonly packetsReceived?: number;
  readonly packetsLost?: number;
  readonly freezeCount?: number;
  readonly totalFreezesDuration?: number;
}

/** Reads the report of a viewer's connection (W3C webrtc-stats). Undefined: no media has arrived. */
export function readInboundSample(report: Pick<RTCStatsReport, 'values' | 'get'>): InboundSample | undefined {
  const all = [...report.values()] as ReceiverStats[];
  const inbound = all.filter(({ type }) => type === 'inbound-rtp');
  const main = inbound.find(({ kind }) => kind === 'video') ?? inbound[0];
  if (!main) return undefined;
  // Only ICE candidate pairs are nominated.
  const pair = all.find(({ state, nominated }) => nominated && state === 'succeeded');
  const codec: ReceiverStats | undefined = report.get(String(main.codecId));
  const total = (name: 'bytesReceived' | 'packetsReceived' | 'packetsLost'): number =>
    inbound.reduce((sum, stats) => sum + (stats[name] ?? 0), 0);
  return {
    at: main.timestamp ?? 0,
    width: main.frameWidth,
    codec: codec?.mimeType?.replace(/^\w+\//, ''),
    bytes: total('bytesReceived'),
    frames: main.framesDecoded ?? 0,
    delay: main.totalProcessingDelay ?? 0,
    reported: {
      height: main.frameHeight,
      framesPerSecond: main.framesPerSecond,
      roundTrip: pair?.currentRoundTripTime,
      packets: total('packetsReceived'),
      lost: total('packetsLost'),
      freezes: main.freezeCount,
      frozen: main.totalFreezesDuration,
    },
  };
}

/** The statistics between two samples. A counter that fell belongs to another connection, and counts as unchanged. */
export function inboundStatsBetween(before: InboundSample, after: InboundSample): InboundStats {
  const growth = (from: number, to: number): number => Math.max(0, to - from);
  const ratio = (part: number, whole: number): number | undefined => (whole > 0 ? part / whole : undefined);
  const { at, bytes, frames, delay, reported } = after;
  const lost = growth(before.reported.lost, reported.lost);
  const inside = ratio(growth(before.delay, delay), growth(before.frames, frames));
  return {
    ...after,
    ...reported,
    bitrate: ratio(growth(before.bytes, bytes) * 8000, growth(before.at, at)),
    loss: ratio(lost, growth(before.reported.packets, reported.packets) + lost),
    latency: inside === undefined ? undefined : inside + (reported.roundTrip ?? 0) / 2,
  };
}
