/** What comes in, as a person can judge it. Undefined: the browser does not say. */
export interface InboundStats {
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly framesPerSecond: number | undefined;
  /** In bit/s, of picture and sound. */
  readonly bitrate: number | undefined;
  /** Part of what was sent, 0 to 1. */
  readonly loss: number | undefined;
  /** In seconds. */
  readonly roundTrip: number | undefined;
  /** From the server to the screen, in seconds. */
  readonly latency: number | undefined;
  readonly codec: string | undefined;
}

/** The numbers of one moment: most mean something only beside those of another. */
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
  /** Seconds that all frames together took, from their first packet until they were decoded. */
  readonly delay: number;
}

type Stats = Readonly<Record<string, string | number | boolean | undefined>>;

/** Of a viewer's connection (W3C webrtc-stats). Undefined: no video came yet. */
export function readInboundSample(report: Pick<RTCStatsReport, 'values' | 'get'>): InboundSample | undefined {
  const all = [...report.values()] as Stats[];
  const inbound = all.filter(({ type }) => type === 'inbound-rtp');
  const video = inbound.find(({ kind }) => kind === 'video');
  if (!video) return undefined;
  const pair = all.find(
    ({ type, state, nominated }) => type === 'candidate-pair' && state === 'succeeded' && nominated,
  );
  const codec = (report.get(String(video['codecId'])) as Stats | undefined)?.['mimeType'];
  const of = (stats: Stats | undefined, name: string): number | undefined => {
    const value = stats?.[name];
    return typeof value === 'number' ? value : undefined;
  };
  const total = (name: string): number => inbound.reduce((sum, stats) => sum + (of(stats, name) ?? 0), 0);
  return {
    at: of(video, 'timestamp') ?? 0,
    width: of(video, 'frameWidth'),
    height: of(video, 'frameHeight'),
    framesPerSecond: of(video, 'framesPerSecond'),
    roundTrip: of(pair, 'currentRoundTripTime'),
    codec: typeof codec === 'string' ? codec.replace(/^\w+\//, '') : undefined,
    bytes: total('bytesReceived'),
    packets: total('packetsReceived'),
    lost: total('packetsLost'),
    frames: of(video, 'framesDecoded') ?? 0,
    delay: of(video, 'totalProcessingDelay') ?? 0,
  };
}

/** What happened between two samples. Numbers that fell belong to another connection and say nothing. */
export function inboundStatsBetween(before: InboundSample, after: InboundSample): InboundStats {
  const { width, height, framesPerSecond, roundTrip, codec } = after;
  const grown = (name: 'at' | 'bytes' | 'packets' | 'lost' | 'frames' | 'delay'): number =>
    Math.max(0, after[name] - before[name]);
  const ratio = (part: number, whole: number): number | undefined => (whole > 0 ? part / whole : undefined);
  const inside = ratio(grown('delay'), grown('frames'));
  return {
    width,
    height,
    framesPerSecond,
    roundTrip,
    codec,
    bitrate: ratio(grown('bytes') * 8000, grown('at')),
    loss: ratio(grown('lost'), grown('packets') + grown('lost')),
    latency: inside === undefined ? undefined : inside + (roundTrip ?? 0) / 2,
  };
}
