import { randomUUID } from 'node:crypto';
import type { PublisherSession } from '../sessions/publisher-session.js';
import type { SessionOutbox } from '../sessions/session-events.js';
import { parseCommandData, publishData } from './command-data.js';
import { renew, type CommandHandlers, type CommandResult } from './commands.js';
import { SignallingError, type Command } from './frame.js';
import type { SignallingConnection } from './signalling-connection.js';

export interface PublisherCommandsOptions {
  readonly session: PublisherSession;
  readonly outbox: SessionOutbox;
  readonly connection: SignallingConnection;
  /** A token with which the client can resume the session later. */
  readonly issueResumeToken: () => string;
}

/** The commands of a publisher's websocket. */
export function publisherCommands(options: PublisherCommandsOptions): CommandHandlers {
  const { session, outbox, connection, issueResumeToken } = options;
  // A publisher receives only the events that its `publish` command names.
  outbox.selectEvents([]);

  const publish = async (command: Command): Promise<CommandResult> => {
    const { sdp, events = [], record, codec, sourceId, resumable } = parseCommandData(publishData, command);
    if (record) throw recordingUnavailable();
    const answer = await session.publish(sdp, { codec, sourceId, resumable });
    const { id, streamId, sessionKey } = session;
    const ids = { publisherId: id, clusterId: 'local', feedId: randomUUID(), streamId };
    return {
      data: { sdp: answer, ...ids, sessionKey, resumeToken: issueResumeToken() },
      afterReply: () => {
        outbox.selectEvents(events);
        session.startEvents();
      },
    };
  };

  const unpublish = (): CommandResult => {
    session.end();
    return { data: {}, afterReply: () => connection.close() };
  };

  const record = (): never => {
    throw recordingUnavailable();
  };

  return { publish, renew: renew(session), unpublish, record, unrecord: record };
}

function recordingUnavailable(): SignallingError {
  return new SignallingError('recording_unavailable', 'this server does not record; publish without "record"');
}
