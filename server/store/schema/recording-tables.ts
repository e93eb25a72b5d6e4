import type { RecordingState } from '../../../src/wire/management/recording.js';
import type { RecordingFaultCode, RecordingRecord } from '../../recording/recording-record.js';

export interface RecordingTable {
  id: string;
  account_id: string;
  kind: 'broadcast' | 'clip';
  stream_name: string;
  source_id: string | null;
  /** The token may be deleted. */
  token_id: number | null;
  state: RecordingState;
  fault: RecordingFaultCode | null;
  started_on: number;
  ended_on: number | null;
  duration_ms: number;
  bytes: number;
  video_codec: RecordingRecord['videoCodec'];
  audio_codec: 'opus' | null;
  width: number | null;
  height: number | null;
  container: 'mp4' | 'webm' | null;
  /** JSON: a list of `RecordedPart`. */
  parts: string;
  location: 'folder' | 's3';
  node_id: string;
  expires_on: number | null;
}

/** A server that records. */
export interface RecordingServerTable {
  node_id: string;
  /** When it was last running. */
  running_on: number;
}

export interface RecordingSettingsTable {
  account_id: string;
  retention_days: number | null;
  quota_bytes: number | null;
  updated_on: number;
}

/** The recordings, and the servers that make them. */
export interface RecordingTables {
  recording: RecordingTable;
  recording_server: RecordingServerTable;
  recording_settings: RecordingSettingsTable;
}
