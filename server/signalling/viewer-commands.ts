import { randomUUID } from 'node:crypto';
import { viewRequest, type ViewRequest } from '../../src/wire/view-request.js';
import type { ViewerSession } from '../sessions/viewer-session.js';
import type { Channel } from './channel.js';
import { projectData, selectData, unprojectData } from './command-data.js';
import { renew, type Answer, type Commands } from './commands.js';
import type { Command } from './frame.js';
import { projectionOf } from './projection.js';
import { readData } from './read-data.js';
import { SignallingError } from './signalling-error.js';

/**
 * Connects a viewer's media, however he asked for it. What is true of the stream goes to the channel `afterwards`.
 * @throws {SessionError} @throws {MediaError} see `ViewerSession.view`
 */
export async function view(
  session: ViewerSession,
  channel: Channel,
  { sdp, events, layer, pinnedSourceId, excludedSourceIds, forcePlayoutDelay }: ViewRequest,
  resumeToken: () => string,
): Promise<Required<Answer>> {
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
}

/** The commands of a viewer's websocket (wire-facts 3.2). */
export function viewerCommands(session: ViewerSession, channel: Channel, resumeToken: () => string): Commands {
  /** Ours: the first on the websocket of a session that began with the director's call. It brings the grant. */
  const attach = (): Answer => {
    if (session.begun) return { data: {} };
    throw new SignallingError('grant_spent', 'the session of this grant is over; ask the director for another');
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

  return {
    view: (command) => view(session, channel, readData(viewRequest, command), resumeToken),
    attach,
    select,
    project,
    unproject,
    renew: renew(session),
    unview,
  };
}
