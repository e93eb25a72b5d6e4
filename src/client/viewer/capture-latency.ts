/** What Chromium adds to a synchronization source: the header extension abs-capture-time (WebRTC Extensions 3). */
export interface TimedSource {
  /** When the newest frame was given to be shown, in milliseconds since 1970. */
  readonly timestamp: number;
  /** When this frame was captured, in milliseconds since 1900 (NTP). */
  readonly captureTimestamp?: number | undefined;
  /** What to add for the clock of the sender, in milliseconds. */
  readonly senderCaptureTimeOffset?: number | undefined;
}

interface Receiver {
  readonly track: { readonly kind: string };
  getSynchronizationSources(): readonly TimedSource[];
}

/** From 1900 to 1970. */
const NTP_OFFSET_MS = 2_208_988_800_000;

/**
 * The time from the capture of the newest video frame until it was given to be shown, in seconds, by the clocks of
 * both computers. Undefined: a browser at one end does not tell, no picture has arrived, or the clocks differ so much
 * that the time would be negative.
 */
export function captureLatency(receivers: readonly Receiver[]): number | undefined {
  const receiver = receivers.find(({ track }) => track.kind === 'video');
  const {
    timestamp,
    captureTimestamp = NaN,
    senderCaptureTimeOffset = 0,
  }: Partial<TimedSource> = receiver?.getSynchronizationSources()[0] ?? {};
  const latencyMs = timestamp! - (captureTimestamp - NTP_OFFSET_MS + senderCaptureTimeOffset);
  return latencyMs >= 0 ? latencyMs / 1000 : undefined;
}
