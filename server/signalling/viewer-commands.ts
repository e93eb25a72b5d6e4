import type * as z from 'zod/mini';
import { viewRequest } from '../../src/wire/websocket/view-request.js';
import { readViewerReport } from '../../src/wire/websocket/viewer-report.js';
import type { DeviceClass } from '../../src/wire/management/session.js';
import type { Grant } from '../admission/grant.js';
import { ApiError } from '../errors.js';
import type { Projection } from '../media/engine/media-session.js';
import type { SourceId, TrackKind } from '../media/engine/media-track.js';
import { connectViewer } from '../sessions/connect-viewer.js';
import type { SessionOutbox } from '../sessions/session-events.js';
import type { ViewerSession } from '../sessions/viewer-session.js';
import { streamTracks } from '../streams/stream-event.js';
import { answerData, parseCommandData, projectData, rewindData, selectData, unprojectData } from './command-data.js';
import { ping, renew, type CommandHandlers, type CommandResult } from './commands.js';
import { SignallingError, type Command } from './frame.js';
import type { SignallingConnection } from './signalling-connection.js';

const KINDS = ['audio', 'video'] as const;

/** Lets the viewer of an open session go back in a recorded stream. @throws {ApiError} */
export type RewindOfSession = (grant: Grant, sourceId: SourceId | undefined) => Promise<object>;

export interface ViewerCommandsOptions {
  readonly session: ViewerSession;
  readonly outbox: SessionOutbox;
  readonly connection: SignallingConnection;
  /** A token with which the client can resume the session later. */
  readonly issueResumeToken: () => string;
  readonly device: DeviceClass;
  readonly rewindOf: RewindOfSession;
}

/** The commands of a viewer's websocket. */
export function viewerCommands(options: ViewerCommandsOptions): CommandHandlers {
  const { session, outbox, connection, issueResumeToken, device, rewindOf } = options;

  const view = async (command: Command): Promise<CommandResult> => {
    const request = parseCommandData(viewRequest, command);
    // Before the answer, which can come much later: a client that waits is told so by an event. A second `view` is refused.
    if (!session.mediaRequested) outbox.selectEvents(request.events);
    return {
      data: await connectViewer(session, request, issueResumeToken),
      afterReply: () => session.startEvents(),
    };
  };

  /**
   * An extension of Streamgate: the first command on the websocket of a session that the director's call started. It
   * brings the grant.
   */
  const attach = (): CommandResult => {
    if (session.mediaRequested) return { data: {} };
    throw new SignallingError('grant_spent', 'the session of this grant has ended; ask the director for another grant');
  };

  /** An extension of Streamgate: the answer to an offer of the server; see `takesOffer` of `view`. */
  const answer = async (command: Command): Promise<CommandResult> => {
    const { sdp } = parseCommandData(answerData, command);
    await session.accept(sdp);
    return { data: {} };
  };

  const select = async (command: Command): Promise<CommandResult> => {
    const { layer } = parseCommandData(selectData, command);
    await session.select(layer ?? {});
    return { data: {} };
  };

  const project = async (command: Command): Promise<CommandResult> => {
    const { sourceId = null, automatic, mapping } = parseCommandData(projectData, command);
    await session.project(automatic ? undefined : sourceId, mapping.map(toProjection));
    return { data: {} };
  };

  const unproject = async (command: Command): Promise<CommandResult> => {
    const { mediaIds } = parseCommandData(unprojectData, command);
    await session.unproject(mediaIds);
    return { data: {} };
  };

  /** An extension of Streamgate: what the visitor saw. A report that cannot be read says nothing: it is no fault. */
  const report = ({ transId, data }: Command): CommandResult | undefined => {
    const read = readViewerReport(data);
    if (read) session.report(read, device);
    return transId === undefined ? undefined : { data: {} };
  };

  /** An extension of Streamgate: where the viewer can watch the stream from its beginning, as of `POST /api/hls/…`. */
  const rewind = async (command: Command): Promise<CommandResult> => {
    const { sourceId } = parseCommandData(rewindData, command);
    const data = await rewindOf(session.grant, sourceId).catch((error: unknown) => {
      throw error instanceof ApiError ? new SignallingError(error.code, error.message, { cause: error }) : error;
    });
    return { data };
  };

  const unview = (): CommandResult => {
    session.end();
    return { data: {}, afterReply: () => connection.close() };
  };

  return { view, attach, answer, select, project, unproject, renew: renew(session), ping, report, rewind, unview };
}

/**
 * One entry of the `mapping` of `project` for the media engine. The entry names the track by the id that `active` gives
 * it, or by its kind. Clients of one generation send the kind as the id.
 * @throws {SignallingError} `invalid_command` if the entry names no track
 */
export function toProjection(entry: z.output<typeof projectData>['mapping'][number]): Projection {
  const { trackId, media, mediaId, layer } = entry;
  const kind = KINDS.find((known) => isTrackId(known, trackId)) ?? KINDS.find((known) => known === media);
  if (kind) return { kind, mediaId: mediaId ?? undefined, layer: layer ?? undefined };
  throw new SignallingError(
    'invalid_command',
    'the command "project" cannot be read: an entry of "mapping" has neither a known "trackId" nor a known "media"',
  );
}

function isTrackId(kind: TrackKind, trackId: string | null | undefined): boolean {
  return trackId === kind || streamTracks([kind]).some((track) => track.trackId === trackId);
}
