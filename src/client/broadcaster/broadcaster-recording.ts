import type { RecordingEvent } from '../../wire/websocket/stream-events.js';
import type { RecordingRefusalCode } from '../../wire/recording-fault.js';
import { text, type Unread } from '../unread.js';
import type { VideoCodec } from './send-encodings.js';

/** Whether a broadcast is recorded. Each state has only the fields that are valid in it. */
export type BroadcasterRecording =
  /** There is no broadcast, or its token or the server does not record. */
  | { readonly name: 'unavailable' }
  | {
      readonly name: 'on' | 'off';
      /** Why nothing is recorded, or what was lost. A later server may send another code. */
      readonly fault: RecordingRefusalCode | undefined;
      /** Whether viewers can go back in what is recorded: not in VP8. */
      readonly canRewind: boolean;
    };

export const NOT_RECORDED: BroadcasterRecording = { name: 'unavailable' };

/** The video codecs that the browser sends, as MIME types in small letters. Undefined: it does not say. */
export function sentCodecs(): readonly string[] | undefined {
  return globalThis.RTCRtpSender?.getCapabilities('video')?.codecs.map(({ mimeType }) => mimeType.toLowerCase());
}

/**
 * The codec for a broadcast that is recorded, so that viewers can go back in it.
 *
 * @param sent see {@link sentCodecs}
 */
export function codecToRecord(sent = sentCodecs()): VideoCodec {
  return (['h264', 'vp9'] as const).find((codec) => sent?.includes(`video/${codec}`)) ?? 'vp8';
}

/** The recording after an event of the server. */
export function recordingOf(data: unknown, canRewind: boolean): BroadcasterRecording {
  const event = data as Unread<RecordingEvent>;
  const fault = text(event, 'fault') as RecordingRefusalCode | undefined;
  return { name: text(event, 'state') === 'on' ? 'on' : 'off', fault, canRewind };
}
