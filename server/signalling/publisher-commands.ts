import { randomUUID } from 'node:crypto';
import type { PublisherSession } from '../sessions/publisher-session.js';
import type { Channel } from './channel.js';
import { publishData } from './command-data.js';
import type { Answer, Commands } from './commands.js';
import type { Command } from './frame.js';
import { readData } from './read-data.js';

/** The commands of a broadcaster's websocket (wire-facts 3.2). */
export function publisherCommands(session: PublisherSession, channel: Channel): Commands {
  // A publisher hears only the events that its command asks for.
  channel.want([]);

  const publish = async (command: Command): Promise<Answer> => {
    const { sdp, codec, events = [] } = readData(publishData, command);
    const answer = await session.publish(sdp, { codec });
    channel.want(events);
    const { id, streamId, sessionKey } = session;
    return {
      data: { sdp: answer, publisherId: id, clusterId: 'local', feedId: randomUUID(), streamId, sessionKey },
    };
  };

  const unpublish = (): Answer => {
    session.end();
    return { data: {} };
  };

  return { publish, unpublish };
}
