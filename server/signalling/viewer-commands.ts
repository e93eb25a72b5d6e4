import { randomUUID } from 'node:crypto';
import type { ViewerSession } from '../sessions/viewer-session.js';
import type { Channel } from './channel.js';
import { projectData, selectData, unprojectData, viewData } from './command-data.js';
import { renew, type Answer, type Commands } from './commands.js';
import type { Command } from './frame.js';
import { projectionOf } from './projection.js';
import { readData } from './read-data.js';

/** The commands of a viewer's websocket (wire-facts 3.2). */
export function viewerCommands(session: ViewerSession, channel: Channel, resumeToken: () => string): Commands {
  const view = async (command: Command): Promise<Answer> => {
    const { sdp, events, layer, pinnedSourceId, excludedSourceIds, forcePlayoutDelay } = readData(viewData, command);
    const answer = await session.view(sdp, {
      layer: layer ?? undefined,
      pinnedSourceId: pinnedSourceId ?? undefined,
      excludedSourceIds: excludedSourceIds ?? undefined,
      playoutDelay: forcePlayoutDelay ?? undefined,
    });
    const { id, streamId } = session;
    const named = { subscriberId: id, clusterId: 'local', streamViewId: randomUUID(), streamId };
    return {
      data: { sdp: answer, ...named, resumeToken: resumeToken() },
      afterwards: () => {
        channel.want(events);
        session.attend();
      },
    };
  };

  const select = async (command: Command): Promise<Answer> => {
    const { layer } = readData(selectData, command);
    await session.select(layer ?? {});
    return { data: {} };
  };

  const project = async (command: Command): Promise<Answer> => {
    const { sourceId = null, mapping } = readData(projectData, command);
    await session.project(sourceId, mapping.map(projectionOf));
    return { data: {} };
  };

  const unproject = async (command: Command): Promise<Answer> => {
    const { mediaIds } = readData(unprojectData, command);
    await session.unproject(mediaIds);
    return { data: {} };
  };

  const unview = (): Answer => {
    session.end();
    return { data: {}, afterwards: () => channel.close() };
  };

  return { view, select, project, unproject, renew: renew(session), unview };
}
