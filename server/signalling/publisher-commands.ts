import { randomUUID } from 'node:crypto';
import type { PublisherSession } from '../sessions/publisher-session.js';
import type { SessionOutbox } from '../sessions/session-events.js';
import { parseCommandData, publishData } from './command-data.js';
import { ping, renew, type CommandHandlers, type CommandResult } from './commands.js';
import type { Command } from './frame.js';
import { recordingCommands, requireRecording, trySwitch, type PublisherRecording } from './recording-commands.js';
import type { SignallingConnection } from './signalling-connection.js';

export interface PublisherCommandsOptions {
  readonly session: PublisherSession;
  readonly outbox: SessionOutbox;
  readonly connection: SignallingConnection;
  readonly recording: PublisherRecording;
  /** A token with which the client can resume the session later. */
  readonly issueResumeToken: () => string;
}

/** The commands of a publisher's websocket. */
export function publisherCommands(options: PublisherCommandsOptions): CommandHandlers {
  const { session, outbox, connection, recording, issueResumeToken } = options;
  // A publisher receives only the events that its `publish` command names.
  outbox.selectEvents([]);

  const publish = async (command: Command): Promise<CommandResult> => {
    const { sdp, events = [], record, codec, sourceId, resumable } = parseCommandData(publishData, command);
    if (record) requireRecording(recording, session.tokenId);
    const answer = await session.publish(sdp, { codec, sourceId, resumable });
    // Only now: before, the source could be that of another publisher.
    const fault = typeof record === 'boolean' ? await trySwitch(session, recording, record) : null;
    const { id, streamId, sessionKey } = session;
    const ids = { publisherId: id, clusterId: 'local', feedId: randomUUID(), streamId };
    return {
      data: { sdp: answer, ...ids, sessionKey, resumeToken: issueResumeToken() },
      afterReply: () => {
        outbox.selectEvents(events);
        session.startEvents();
        session.sendRecording(recording.control.isRecording(session.streamId, sourceId ?? null), fault);
      },
    };
  };

  const unpublish = (): CommandResult => {
    session.end();
    return { data: {}, afterReply: () => connection.close() };
  };

  return { publish, renew: renew(session), ping, unpublish, ...recordingCommands(session, recording) };
}
