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

/** Reads the report of a viewer's connection (W3C webrtc-stats). Undefined: no video has arrived. */
export function readInboundSample(report: Pick<RTCStatsReport, 'values' | 'get'>): InboundSample | undefined {
  const all = [...report.values()] as ReceiverStats[];
  const inbound = all.filter(({ type }) => type === 'inbound-rtp');
  const video = inbound.find(({ kind }) => kind === 'video');
  if (!video) return undefined;
  const pair = all.find(
    ({ type, state, nominated }) => type === 'candidate-pair' && state === 'succeeded' && nominated,
  );
  const codec: ReceiverStats | undefined = report.get(String(video.codecId));
  const total = (name: 'bytesReceived' | 'packetsReceived' | 'packetsLost'): number =>
    inbound.reduce((sum, stats) => sum + (stats[name] ?? 0), 0);
  return {
    at: video.timestamp ?? 0,
    width: video.frameWidth,
    codec: codec?.mimeType?.replace(/^\w+\//, ''),
    bytes: total('bytesReceived'),
    frames: video.framesDecoded ?? 0,
    delay: video.totalProcessingDelay ?? 0,
    reported: {
      height: video.frameHeight,
      framesPerSecond: video.framesPerSecond,
      roundTrip: pair?.currentRoundTripTime,
      packets: total('packetsReceived'),
      lost: total('packetsLost'),
      freezes: video.freezeCount,
      frozen: video.totalFreezesDuration,
    },
  };
}

/** The statistics between two samples. A counter that fell belongs to another connection, and counts as unchanged. */
export function inboundStatsBetween(before: InboundSample, after: InboundSample): InboundStats {
  const growth = (from: number, to: number): number => Math.max(0, to - from);
  const ratio = (part: number, whole: number): number | undefined => (whole > 0 ? part / whole : undefined);
  const { width, codec, reported } = after;
  const { height, framesPerSecond, roundTrip } = reported;
  const lost = growth(before.reported.lost, reported.lost);
  const inside = ratio(growth(before.delay, after.delay), growth(before.frames, after.frames));
  return {
    width,
    height,
    framesPerSecond,
    roundTrip,
    codec,
    bitrate: ratio(growth(before.bytes, after.bytes) * 8000, growth(before.at, after.at)),
    loss: ratio(lost, growth(before.reported.packets, reported.packets) + lost),
    latency: inside === undefined ? undefined : inside + (roundTrip ?? 0) / 2,
  };
}
