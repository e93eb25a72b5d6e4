import { randomUUID } from 'node:crypto';
import type { ViewerSession } from '../sessions/viewer-session.js';
import type { Channel } from './channel.js';
import { viewData } from './command-data.js';
import type { Answer, Commands } from './commands.js';
import type { Command } from './frame.js';
import { readData } from './read-data.js';

/** The commands of a viewer's websocket (wire-facts 3.2). */
export function viewerCommands(session: ViewerSession, channel: Channel): Commands {
  const view = async (command: Command): Promise<Answer> => {
    const { sdp, events } = readData(viewData, command);
    const answer = await session.view(sdp);
    channel.want(events);
    const { id, streamId } = session;
    return {
      data: { sdp: answer, subscriberId: id, clusterId: 'local', streamViewId: randomUUID(), streamId },
      afterwards: () => session.attend(),
    };
  };

  const unview = (): Answer => {
    session.end();
    return { data: {} };
  };

  return { view, unview };
}
