import { randomUUID } from 'node:crypto';
import type { ViewRequest } from '../../src/wire/websocket/view-request.js';
import type { ViewerSession } from './viewer-session.js';
import type { StreamId } from '../streams/stream-id.js';

/** The answer to `view`, over the websocket or with the director's answer. */
export interface ViewAnswer {
  readonly sdp: string;
  /** `sdp` is an offer, for a client that said `takesOffer`. Absent: it is an answer. */
  readonly type?: 'offer';
  readonly subscriberId: string;
  readonly clusterId: string;
  readonly streamViewId: string;
  readonly streamId: StreamId;
  readonly resumeToken: string;
  /** The seconds between two reports of the viewer. Absent: none are wanted. */
  readonly reportSeconds?: number;
}

/**
 * Connects the media of a viewer as requested.
 * @throws {SessionError} @throws {MediaError} see `ViewerSession.view`
 */
export async function connectViewer(
  session: ViewerSession,
  { sdp, takesOffer, layer, pinnedSourceId, excludedSourceIds, forcePlayoutDelay }: ViewRequest,
  issueResumeToken: () => string,
): Promise<ViewAnswer> {
  const description = await session.view(sdp, {
    takesOffer,
    layer: layer ?? undefined,
    pinnedSourceId: pinnedSourceId ?? undefined,
    excludedSourceIds: excludedSourceIds ?? undefined,
    playoutDelay: forcePlayoutDelay ?? undefined,
  });
  return {
    sdp: description.sdp,
    ...(description.type === 'offer' && { type: description.type }),
    subscriberId: session.id,
    clusterId: 'local',
    streamViewId: randomUUID(),
    streamId: session.streamId,
    resumeToken: issueResumeToken(),
    ...(session.reportSeconds !== undefined && { reportSeconds: session.reportSeconds }),
  };
}
