import { randomUUID } from 'node:crypto';
import { viewRequest, type ViewRequest } from '../../src/wire/websocket/view-request.js';
import type { ViewerSession } from '../sessions/viewer-session.js';
import type { SignallingConnection } from './signalling-connection.js';
import { projectData, selectData, unprojectData } from './command-data.js';
import { renew, type CommandResult, type CommandHandlers } from './commands.js';
import type { Command } from './frame.js';
import { projectionOf } from './projection.js';
import { parseCommandData } from './read-data.js';
import { SignallingError } from './signalling-error.js';

/**
 * Connects a viewer's media, however he asked for it. What is true of the stream goes to the channel `afterwards`.
 * @throws {SessionError} @throws {MediaError} see `ViewerSession.view`
 */
export async function view(
  session: ViewerSession,
  channel: SignallingConnection,
  { sdp, events, layer, pinnedSourceId, excludedSourceIds, forcePlayoutDelay }: ViewRequest,
  resumeToken: () => string,
): Promise<Required<CommandResult>> {
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
    afterReply: () => {
      channel.selectEvents(events);
      session.startEvents();
    },
  };
}

/** The commands of a viewer's websocket (wire-facts 3.2). */
export function viewerCommands(
  session: ViewerSession,
  channel: SignallingConnection,
  resumeToken: () => string,
): CommandHandlers {
  /** Ours: the first on the websocket of a session that began with the director's call. It brings the grant. */
  const attach = (): CommandResult => {
    if (session.mediaRequested) return { data: {} };
    throw new SignallingError('grant_spent', 'the session of this grant is over; ask the director for another');
  };

  const select = async (command: Command): Promise<CommandResult> => {
    const { layer } = parseCommandData(selectData, command);
    await session.select(layer ?? {});
    return { data: {} };
  };

  const project = async (command: Command): Promise<CommandResult> => {
    const { sourceId = null, mapping } = parseCommandData(projectData, command);
    await session.project(sourceId, mapping.map(projectionOf));
    return { data: {} };
  };

  const unproject = async (command: Command): Promise<CommandResult> => {
    const { mediaIds } = parseCommandData(unprojectData, command);
    await session.unproject(mediaIds);
    return { data: {} };
  };

  const unview = (): CommandResult => {
    session.end();
    return { data: {}, afterReply: () => channel.close() };
  };

  return {
    view: (command) => view(session, channel, parseCommandData(viewRequest, command), resumeToken),
    attach,
    select,
    project,
    unproject,
    renew: renew(session),
    unview,
  };
}
