import { RecordingError, type RecordingControl } from '../recording/recording-control.js';
import type { PublisherSession } from '../sessions/publisher-session.js';
import { SessionError } from '../sessions/session-error.js';
import type { CommandHandlers } from './commands.js';
import { SignallingError } from './frame.js';

/** Recording, as publishers may command it. */
export interface PublisherRecording {
  readonly control: Pick<RecordingControl, 'isAvailable' | 'setRecording' | 'isRecording'>;
  /** Whether the publish token has `record` now. */
  readonly permits: (tokenId: number) => boolean;
}

/** @throws {SignallingError} `recording_unavailable`, `recording_not_allowed` */
export function requireRecording({ control, permits }: PublisherRecording, tokenId: number): void {
  if (!control.isAvailable) {
    throw new SignallingError('recording_unavailable', 'this server does not record; publish without "record"');
  }
  if (permits(tokenId)) return;
  const message = 'the publish token does not record; set "record" of the token, or publish without it';
  throw new SignallingError('recording_not_allowed', message);
}

/**
 * Records the source of a publisher that is connected, or does not. The broadcast goes on where that fails.
 * @returns the code of the failure, or null
 */
export async function trySwitch(
  { streamId, sourceId, tokenId }: PublisherSession,
  { control, permits }: PublisherRecording,
  isOn: boolean,
): Promise<string | null> {
  if (sourceId === undefined || !control.isAvailable || !permits(tokenId)) return null;
  try {
    await control.setRecording(streamId, sourceId, isOn);
    return null;
  } catch (error) {
    if (error instanceof RecordingError) return error.code;
    throw error;
  }
}

/** `record` starts the recording of the publisher's source again, `unrecord` stops it. */
export function recordingCommands(session: PublisherSession, recording: PublisherRecording): CommandHandlers {
  const set = (isOn: boolean) => async () => {
    requireRecording(recording, session.tokenId);
    const { sourceId } = session;
    if (sourceId === undefined) throw new SessionError('not_connected', 'publish before you record');
    await recording.control.setRecording(session.streamId, sourceId, isOn);
    return { data: {} };
  };
  return { record: set(true), unrecord: set(false) };
}
