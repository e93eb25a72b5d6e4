/** The health that results from the statistics of the sender. */
export type Health = 'good' | 'slow' | 'lossy' | 'busy';

const BITRATES: readonly [height: number, bitrate: number][] = [
  [1080, 4_200_000],
  [720, 2_400_000],
  [360, 700_000],
];

const bitrateOf = (height: number): number => BITRATES.find(([known]) => known <= height)?.[1] ?? 700_000;

/** The statistics of a receiving connection after this time (W3C webrtc-stats). */
export function receiverStats(seconds: number, height: number): RTCStatsReport {
  const timestamp = seconds * 1000;
  const frames = Math.round(seconds * 30);
  return reportOf([
    { id: 'codec', type: 'codec', mimeType: 'video/VP8' },
    { id: 'pair', type: 'candidate-pair', state: 'succeeded', nominated: true, currentRoundTripTime: 0.024 },
    {
      id: 'video',
      type: 'inbound-rtp',
      kind: 'video',
      codecId: 'codec',
      timestamp,
      frameWidth: Math.round((height * 16) / 9),
      frameHeight: height,
      framesPerSecond: 30,
      framesDecoded: frames,
      bytesReceived: Math.round((seconds * bitrateOf(height)) / 8),
      packetsReceived: Math.round(seconds * 300),
      packetsLost: Math.round(seconds * 0.6),
      totalProcessingDelay: frames * 0.071,
    },
  ]);
}

/** The statistics of a sending connection after this time (W3C webrtc-stats). */
export function senderStats(seconds: number, health: Health): RTCStatsReport {
  const height = health === 'slow' ? 360 : 720;
  const limit = { good: 'none', lossy: 'none', slow: 'bandwidth', busy: 'cpu' }[health];
  return reportOf([
    { id: 'codec', type: 'codec', mimeType: 'video/VP8' },
    { id: 'camera', type: 'media-source', kind: 'video', width: 1280, height: 720 },
    {
      id: 'remote',
      type: 'remote-inbound-rtp',
      kind: 'video',
      fractionLost: health === 'lossy' ? 0.083 : 0.002,
      roundTripTime: health === 'lossy' ? 0.312 : 0.028,
    },
    {
      id: 'video',
      type: 'outbound-rtp',
      kind: 'video',
      codecId: 'codec',
      timestamp: seconds * 1000,
      frameWidth: Math.round((height * 16) / 9),
      frameHeight: height,
      framesPerSecond: health === 'busy' ? 12 : 30,
      bytesSent: Math.round((seconds * bitrateOf(height)) / 8),
      qualityLimitationReason: limit,
    },
  ]);
}

type Stats = Readonly<Record<string, string | number | boolean>>;

function reportOf(all: readonly Stats[]): RTCStatsReport {
  return new Map(all.map((stats) => [String(stats['id']), stats]));
}
