import type { RequestHandler, Router } from 'express';
import type { LiveStreamBody } from '../../../src/wire/management/live-stream.js';
import type { LiveStatus, SourceStatus } from '../../streams/live-status.js';
import { namesOf, streamIdOf, type StreamId } from '../../streams/stream-id.js';
import type { TokenLabels } from '../../tokens/token-labels.js';
import { withTokenLabels } from './labelled-tokens.js';
import { success } from '../endpoints/endpoint.js';
import { endpointRouter } from '../endpoints/endpoint-router.js';
import { liveEndpoints } from '../endpoints/live-endpoints.js';
import { readStill, type StillReader } from '../stills/still-reader.js';

/** Knows which sources are being recorded. */
export interface RecordingReader {
  isRecording(streamId: StreamId, sourceId: string | null): boolean;
}

/** Tells what streams are doing. */
export interface LiveStreamReader {
  /** The live streams of an account, on all servers, in no order. */
  of(accountId: string): Promise<readonly LiveStatus[]>;
}

export interface LiveRoutesServices {
  readonly live: LiveStreamReader;
  readonly stills: StillReader;
  readonly recording: RecordingReader;
  readonly labels: TokenLabels;
}

/** `/api/live`, `/api/streams/{streamName}/still` */
export function liveRoutes(
  { live: streams, stills, recording, labels }: LiveRoutesServices,
  accountAccess: RequestHandler,
): Router {
  return endpointRouter(
    liveEndpoints,
    {
      async still({ accountId, params: { streamName }, query: { sourceId = null, format }, res }) {
        const streamId = streamIdOf(accountId, streamName);
        const still = await readStill(stills, { streamId, streamName, sourceId, format });
        res.set({ 'content-type': still.type, 'cache-control': 'no-store' });
        return still.bytes;
      },
      async list({ accountId, req }) {
        const bodies = (await streams.of(accountId)).map(async (status) => {
          const body = liveStreamBody(status, recording);
          return Object.assign(body, { sources: await withTokenLabels(labels, req, body.sources) });
        });
        return success((await Promise.all(bodies)).toSorted((a, b) => (a.streamName < b.streamName ? -1 : 1)));
      },
    },
    { accountAccess },
  );
}

function liveStreamBody(status: LiveStatus, recording: RecordingReader): LiveStreamBody {
  const { streamId, liveSince, viewers, viewersOverTime, sources } = status;
  return {
    streamName: namesOf(streamId).streamName,
    liveSince: textOf(liveSince),
    viewers,
    viewersOverTime: viewersOverTime.map((point) => ({ time: textOf(point.time), viewers: point.viewers })),
    sources: sources.map((source) =>
      sourceBody(source, source.recording ?? recording.isRecording(streamId, source.sourceId)),
    ),
  };
}

function sourceBody(
  { liveSince, tracks, encodings, reception, notices, ...source }: SourceStatus,
  recording: boolean,
): LiveStreamBody['sources'][number] {
  return {
    ...source,
    recording,
    liveSince: textOf(liveSince),
    tracks: [...tracks],
    videoBitrate: encodings.reduce((sum, { bitrate }) => sum + bitrate, 0),
    encodings: encodings.map((encoding) => ({ ...encoding })),
    reception: reception ? { ...reception } : null,
    notices: [...notices],
  };
}

function textOf(time: number): string {
  return new Date(time).toISOString();
}
