import { randomUUID } from 'node:crypto';
import type { PublisherSession } from '../sessions/publisher-session.js';
import type { SignallingConnection } from './signalling-connection.js';
import { publishData } from './command-data.js';
import { renew, type CommandResult, type CommandHandlers } from './commands.js';
import type { Command } from './frame.js';
import { parseCommandData } from './read-data.js';
import { SignallingError } from './signalling-error.js';

/** The commands of a broadcaster's websocket (wire-facts 3.2). */
export function publisherCommands(
  session: PublisherSession,
  channel: SignallingConnection,
  resumeToken: () => string,
): CommandHandlers {
  // A publisher hears only the events that its command asks for.
  channel.selectEvents([]);

  const publish = async (command: Command): Promise<CommandResult> => {
    const { sdp, events = [], record, codec, sourceId, resumable } = parseCommandData(publishData, command);
    if (record) throw recordingUnavailable();
    const answer = await session.publish(sdp, { codec, sourceId, resumable });
    const { id, streamId, sessionKey } = session;
    const named = { publisherId: id, clusterId: 'local', feedId: randomUUID(), streamId };
    return {
      data: { sdp: answer, ...named, sessionKey, resumeToken: resumeToken() },
      afterReply: () => {
        channel.selectEvents(events);
        session.startEvents();
      },
    };
  };

  const unpublish = (): CommandResult => {
    session.end();
    return { data: {}, afterReply: () => channel.close() };
  };

  const record = (): never => {
    throw recordingUnavailable();
  };

  return { publish, renew: renew(session), unpublish, record, unrecord: record };
}

function recordingUnavailable(): SignallingError {
  return new SignallingError('recording_unavailable', 'this server does not record; publish without "record"');
}
