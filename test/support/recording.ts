import type { RecordedPart, RecordingRecord } from '../../server/recording/recording-record.js';

/** When the recording of the builder began. */
export const RECORDED_ON = Date.parse('2026-11-20T19:00:00Z');

/** An id of 22 characters that ends with this number. */
export const recordingIdOf = (number: number): string => `r${String(number).padStart(21, '0')}`;

/** A broadcast of an hour that is ready. */
export function aRecording(fields: Partial<RecordingRecord> = {}): RecordingRecord {
  return {
    id: recordingIdOf(1),
    accountId: 'acme',
    kind: 'broadcast',
    streamName: 'main',
    sourceId: null,
    tokenId: null,
    state: 'ready',
    fault: null,
    startedOn: RECORDED_ON,
    endedOn: RECORDED_ON + 3_600_000,
    durationMs: 3_600_000,
    bytes: 1_000_000,
    videoCodec: 'h264',
    audioCodec: 'opus',
    width: 1_280,
    height: 720,
    container: 'mp4',
    parts: [],
    location: 'folder',
    nodeId: 'node-1',
    expiresOn: null,
    ...fields,
  };
}

export function aRecordedPart(fields: Partial<RecordedPart> = {}): RecordedPart {
  return {
    name: 'part-1.mkv',
    startsAt: RECORDED_ON,
    durationMs: 10_000,
    bytes: 500_000,
    video: { codec: 'h264', width: 1_280, height: 720 },
    audio: { codec: 'opus' },
    ...fields,
  };
}
