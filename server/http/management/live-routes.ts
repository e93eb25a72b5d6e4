import type { RequestHandler, Router } from 'express';
import type { LiveStreamBody } from '../../../src/wire/management/live-stream.js';
import type { LiveStatus, SourceStatus } from '../../streams/live-status.js';
import { streamIdOf, type StreamRegistry } from '../../streams/stream-registry.js';
import { success } from '../endpoints/endpoint.js';
import { endpointRouter } from '../endpoints/endpoint-router.js';
import { liveEndpoints } from '../endpoints/live-endpoints.js';

/** `/api/live` */
export function liveRoutes(streams: Pick<StreamRegistry, 'liveStreams'>, accountAccess: RequestHandler): Router {
  return endpointRouter(
    liveEndpoints,
    {
      list({ accountId }) {
        const live = streams.liveStreams(accountId).map((status) => liveStreamBody(accountId, status));
        return success(live.toSorted((a, b) => (a.streamName < b.streamName ? -1 : 1)));
      },
    },
    { accountAccess },
  );
}

function liveStreamBody(accountId: string, status: LiveStatus): LiveStreamBody {
  const { streamId, liveSince, viewers, viewersOverTime, sources } = status;
  return {
    streamName: streamId.slice(streamIdOf(accountId, '').length),
    liveSince: textOf(liveSince),
    viewers,
    viewersOverTime: viewersOverTime.map((point) => ({ time: textOf(point.time), viewers: point.viewers })),
    sources: sources.map(sourceBody),
  };
}

function sourceBody({
  liveSince,
  tracks,
  encodings,
  reception,
  ...source
}: SourceStatus): LiveStreamBody['sources'][number] {
  return {
    ...source,
    liveSince: textOf(liveSince),
    tracks: [...tracks],
    videoBitrate: encodings.reduce((sum, { bitrate }) => sum + bitrate, 0),
    encodings: encodings.map((encoding) => ({ ...encoding })),
    reception: reception ? { ...reception } : null,
  };
}

function textOf(time: number): string {
  return new Date(time).toISOString();
}
