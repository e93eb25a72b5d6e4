import type { RequestHandler, Router } from 'express';
import type { RecordingBody } from '../../../src/wire/management/recording.js';
import { ApiError, ConflictError } from '../../errors.js';
import { RecordingError } from '../../recording/recording-control.js';
import type { RecordingLibrary } from '../../recording/recording-library.js';
import type { RecordingRecord } from '../../recording/recording-record.js';
import type { RecordingService } from '../../recording/recording-service.js';
import { streamIdOf, type StreamId } from '../../streams/stream-id.js';
import type { StreamRegistry } from '../../streams/stream-registry.js';
import { endpointRouter } from '../endpoints/endpoint-router.js';
import { success } from '../endpoints/endpoint.js';
import { liveRecordingEndpoints, recordingEndpoints } from '../endpoints/recording-endpoints.js';
import { linkNextPage } from '../request/next-page.js';

export interface LiveRecordingServices {
  readonly library: RecordingLibrary;
  /** Undefined: this server does not record. */
  readonly recording: Pick<RecordingService, 'setRecording' | 'clips' | 'finishNow'> | undefined;
  readonly streams: Pick<StreamRegistry, 'publisherOf'>;
}

/** `/api/recordings`, `/api/account/recording` */
export function recordingRoutes(library: RecordingLibrary, accountAccess: RequestHandler): Router {
  return endpointRouter(
    recordingEndpoints,
    {
      async list({ accountId, query, req, res }) {
        const { recordings, total } = await library.list(accountId, query);
        linkNextPage(req, res, query, total);
        return success(recordings.map(recordingBodyOf), { total, page: query.page, itemsOnPage: query.itemsOnPage });
      },
      get: async ({ accountId, params: { recordingId } }) =>
        success(recordingBodyOf(await library.get(accountId, recordingId))),
      update: async ({ accountId, params: { recordingId }, body }) =>
        success(recordingBodyOf(await library.update(accountId, recordingId, body))),
      async remove({ accountId, params: { recordingId } }) {
        await library.remove(accountId, recordingId);
        return success(true);
      },
      settings: async ({ accountId }) => success(await library.settings(accountId)),
      updateSettings: async ({ accountId, body }) => success(await library.updateSettings(accountId, body)),
    },
    { accountAccess },
  );
}

/** `/api/recordings/{recordingId}/link`, `/finish` and `/clips`, `/api/streams/{streamName}/record` and `/clips` */
export function liveRecordingRoutes(services: LiveRecordingServices, accountAccess: RequestHandler): Router {
  const { library, recording, streams } = services;
  const mustRecord = () =>
    recording ?? refuse(new ApiError(503, 'recording_unavailable', 'This server does not record: see RECORDINGS_DIR'));
  return endpointRouter(
    liveRecordingEndpoints,
    {
      link: async ({ accountId, params: { recordingId }, body }) =>
        success(await library.link(accountId, recordingId, body)),
      async finish({ accountId, params: { recordingId }, body: { takeOver = false } = {} }) {
        const service = mustRecord();
        await service.finishNow(await library.get(accountId, recordingId), takeOver);
        return success(recordingBodyOf(await library.get(accountId, recordingId)));
      },
      async cut({ accountId, params: { recordingId }, body: { startSeconds, seconds } }) {
        const service = mustRecord();
        const source = await library.get(accountId, recordingId);
        await library.locate(source);
        return success(
          recordingBodyOf(await service.clips.ofRecording(source, { start: startSeconds, length: seconds })),
        );
      },
      async record({ accountId, params: { streamName }, body: { record, sourceId = null } }) {
        const stream = streamIdOf(accountId, streamName);
        if (record) mustBeLive(streams, { stream, streamName, sourceId });
        await mustRecord().setRecording(stream, sourceId, record).catch(asApiError);
        return success(true);
      },
      async clip({ accountId, params: { streamName }, body: { seconds, sourceId = null } }) {
        return success(
          recordingBodyOf(await mustRecord().clips.ofStream(accountId, streamName, { sourceId, seconds })),
        );
      },
    },
    { accountAccess },
  );
}

interface NamedSource {
  readonly stream: StreamId;
  readonly streamName: string;
  readonly sourceId: string | null;
}

function mustBeLive(streams: LiveRecordingServices['streams'], { stream, streamName, sourceId }: NamedSource): void {
  if (streams.publisherOf(stream, sourceId)?.isLive) return;
  throw new ConflictError('stream_not_live', `${streamName} is not live: it can be recorded once somebody broadcasts`);
}

function asApiError(error: unknown): never {
  throw error instanceof RecordingError ? new ConflictError(error.code, error.message) : error;
}

function refuse(error: ApiError): never {
  throw error;
}

function recordingBodyOf(record: RecordingRecord): RecordingBody {
  const { kind, state, fault, videoCodec, audioCodec, width, height, container } = record;
  return {
    id: record.id,
    kind,
    streamName: record.streamName,
    sourceId: record.sourceId,
    tokenId: record.tokenId,
    state,
    fault,
    startedOn: isoOf(record.startedOn),
    endedOn: record.endedOn === null ? null : isoOf(record.endedOn),
    durationSeconds: record.durationMs / 1_000,
    bytes: record.bytes,
    videoCodec,
    audioCodec,
    width,
    height,
    container,
    // VP8 has no place in the files of HLS.
    hasRewind: kind === 'broadcast' && videoCodec !== 'vp8' && (videoCodec ?? audioCodec) !== null,
    expiresOn: record.expiresOn === null ? null : isoOf(record.expiresOn),
  };
}

const isoOf = (time: number): string => new Date(time).toISOString();
