import { randomUUID } from 'node:crypto';
import type { PublisherSession } from '../sessions/publisher-session.js';
import type { Channel } from './channel.js';
import { publishData } from './command-data.js';
import { renew, type Answer, type Commands } from './commands.js';
import type { Command } from './frame.js';
import { readData } from './read-data.js';
import { SignallingError } from './signalling-error.js';

/** The commands of a broadcaster's websocket (wire-facts 3.2). */
export function publisherCommands(session: PublisherSession, channel: Channel, resumeToken: () => string): Commands {
  // A publisher hears only the events that its command asks for.
  channel.want([]);

  const publish = async (command: Command): Promise<Answer> => {
    const { sdp, events = [], record, codec, sourceId, resumable } = readData(publishData, command);
    if (record) throw recordingUnavailable();
    const answer = await session.publish(sdp, { codec, sourceId, resumable });
    const { id, streamId, sessionKey } = session;
    const named = { publisherId: id, clusterId: 'local', feedId: randomUUID(), streamId };
    return {
      data: { sdp: answer, ...named, sessionKey, resumeToken: resumeToken() },
      afterwards: () => {
        channel.want(events);
        session.attend();
      },
    };
  };

  const unpublish = (): Answer => {
    session.end();
    return { data: {}, afterwards: () => channel.close() };
  };

  const record = (): never => {
    throw recordingUnavailable();
  };

  return { publish, renew: renew(session), unpublish, record, unrecord: record };
}

function recordingUnavailable(): SignallingError {
  return new SignallingError('recording_unavailable', 'this server does not record; publish without "record"');
}
