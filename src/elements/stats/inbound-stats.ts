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

/** The counters of a connection at one moment. Statistics are the difference between two samples. */
export interface InboundSample extends Pick<
  InboundStats,
  'width' | 'height' | 'framesPerSecond' | 'roundTrip' | 'codec'
> {
  /** In milliseconds. */
  readonly at: number;
  readonly bytes: number;
  readonly packets: number;
  readonly lost: number;
  readonly frames: number;
  /** Time that all frames took from their first packet until they were decoded, in seconds. */
  readonly delay: number;
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
    height: video.frameHeight,
    framesPerSecond: video.framesPerSecond,
    roundTrip: pair?.currentRoundTripTime,
    codec: codec?.mimeType?.replace(/^\w+\//, ''),
    bytes: total('bytesReceived'),
    packets: total('packetsReceived'),
    lost: total('packetsLost'),
    frames: video.framesDecoded ?? 0,
    delay: video.totalProcessingDelay ?? 0,
  };
}

/** The statistics between two samples. A counter that fell belongs to another connection, and counts as unchanged. */
export function inboundStatsBetween(before: InboundSample, after: InboundSample): InboundStats {
  const growth = (name: 'at' | 'bytes' | 'packets' | 'lost' | 'frames' | 'delay'): number =>
    Math.max(0, after[name] - before[name]);
  const ratio = (part: number, whole: number): number | undefined => (whole > 0 ? part / whole : undefined);
  const { width, height, framesPerSecond, roundTrip, codec } = after;
  const inside = ratio(growth('delay'), growth('frames'));
  return {
    width,
    height,
    framesPerSecond,
    roundTrip,
    codec,
    bitrate: ratio(growth('bytes') * 8000, growth('at')),
    loss: ratio(growth('lost'), growth('packets') + growth('lost')),
    latency: inside === undefined ? undefined : inside + (roundTrip ?? 0) / 2,
  };
}
