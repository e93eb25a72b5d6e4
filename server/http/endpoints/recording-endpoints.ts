import * as z from 'zod/mini';
import {
  createClip,
  createRecordingLink,
  cutRecording,
  finishRecording,
  recordingBody,
  recordingLinkBody,
  recordingList,
  recordingMediaQuery,
  recordingPath,
  recordingSettingsBody,
  recordingsQuery,
  recordStream,
  updateRecording,
  updateRecordingSettings,
} from '../../../src/wire/management/recording.js';
import { streamName } from '../../../src/wire/text.js';
import { DATABASE_CODES, defineEndpoints, successOf } from './endpoint.js';

const path = '/api/recordings';
const common = { tag: 'Recordings', access: 'account' } as const;
const ofOne = { ...common, path: `${path}/{recordingId}`, params: recordingPath } as const;
const NOT_FOUND = { 404: ['recording_not_found'] };
const NOT_READ = { ...NOT_FOUND, 409: ['stored_row_unreadable'] };
const streamParams = z.strictObject({ streamName });

export const recordingEndpoints = defineEndpoints({
  list: {
    ...common,
    permission: 'read',
    method: 'get',
    path,
    id: 'listRecordings',
    isHeavy: true,
    summary: 'List the recordings and clips',
    description:
      'The newest first. With `Accept: text/csv` the page is a table, and the header Link names the next page.',
    query: recordingsQuery,
    response: recordingList,
    csvColumns: [
      'id',
      'kind',
      'streamName',
      'sourceId',
      'tokenId',
      'state',
      'fault',
      'startedOn',
      'endedOn',
      'durationSeconds',
      'bytes',
      'videoCodec',
      'audioCodec',
      'width',
      'height',
      'container',
      'expiresOn',
    ],
  },
  get: {
    ...ofOne,
    permission: 'read',
    method: 'get',
    id: 'getRecording',
    summary: 'Show one recording',
    response: successOf(recordingBody),
    errors: NOT_READ,
  },
  update: {
    ...ofOne,
    permission: 'recordings',
    method: 'put',
    id: 'updateRecording',
    summary: 'Change when a recording is deleted',
    description: '`null` keeps it. A recording that expired is deleted within an hour.',
    body: updateRecording,
    response: successOf(recordingBody),
    errors: NOT_READ,
  },
  remove: {
    ...ofOne,
    permission: 'recordings',
    method: 'delete',
    id: 'deleteRecording',
    summary: 'Delete a recording and its file',
    description: 'If S3 does not remove the file, the recording is kept, and can be deleted later.',
    response: successOf(z.literal(true)),
    errors: { ...NOT_FOUND, 409: ['recording_in_progress'], 503: ['recording_storage_unavailable'] },
  },
  settings: {
    ...common,
    permission: 'read',
    method: 'get',
    path: '/api/account/recording',
    id: 'getRecordingSettings',
    summary: 'Show how long recordings are kept, and how much space they use',
    response: successOf(recordingSettingsBody),
  },
  updateSettings: {
    ...common,
    permission: 'account',
    method: 'put',
    path: '/api/account/recording',
    id: 'updateRecordingSettings',
    summary: 'Change how long recordings are kept, or how much space they may use',
    description:
      'Absent fields stay as they are; `null` removes a limit. The time is counted from the start of a recording, for recordings that begin from now on. At the quota, nothing more is recorded, and what is being recorded ends; streams stay live.',
    body: updateRecordingSettings,
    response: successOf(recordingSettingsBody),
  },
});

/** Only a running server has these. */
export const liveRecordingEndpoints = defineEndpoints({
  link: {
    ...common,
    permission: 'recordings',
    method: 'post',
    path: `${path}/{recordingId}/link`,
    id: 'createRecordingLink',
    summary: 'Make a link that plays or saves a recording without a login',
    description: 'Whoever has the link can open the file, and nothing else, until it expires.',
    params: recordingPath,
    body: createRecordingLink,
    response: successOf(recordingLinkBody),
    errors: { ...NOT_FOUND, 409: ['recording_not_ready', 'stored_row_unreadable'] },
  },
  finish: {
    ...common,
    permission: 'recordings',
    method: 'post',
    path: `${path}/{recordingId}/finish`,
    id: 'finishRecording',
    summary: 'Try now to make the file of a recording that could not be made ready',
    description:
      'The server tries again by itself, ever more seldom. This tries at once, after the disk has space again. With `takeOver`, a server makes the file of a recording whose server is lost, from its copy in S3. Does nothing for a recording that is ready or is being made. Answers before the file is made.',
    params: recordingPath,
    body: finishRecording,
    response: successOf(recordingBody),
    errors: {
      404: ['recording_not_found', 'recording_file_missing'],
      409: ['recording_in_progress', 'recording_not_ready'],
      503: ['recording_unavailable'],
    },
  },
  cut: {
    ...common,
    permission: 'recordings',
    method: 'post',
    path: `${path}/{recordingId}/clips`,
    id: 'cutRecording',
    summary: 'Keep a piece of a recording that is ready, as a recording of its own',
    description:
      'Of any age, and also of a clip. The cut begins at the keyframe before `startSeconds`, and nothing is encoded again; if the recording ends earlier, the clip does. The clip is `finishing` at first, and `ready` a little later. It stays when the recording is deleted.',
    params: recordingPath,
    body: cutRecording,
    response: successOf(recordingBody),
    errors: {
      404: ['recording_not_found', 'recording_file_missing'],
      409: ['recording_not_ready', 'not_recorded', 'quota_exceeded'],
      503: ['recording_unavailable', 'recording_storage_unavailable'],
    },
  },
  record: {
    ...common,
    permission: 'recordings',
    method: 'post',
    path: '/api/streams/{streamName}/record',
    id: 'recordStream',
    summary: 'Record a live source from now on, or stop',
    description: 'Holds until the broadcast of the source ends. Does nothing if it is so already.',
    params: streamParams,
    body: recordStream,
    response: successOf(z.literal(true)),
    errors: { 409: ['stream_not_live', 'quota_exceeded'], 503: ['recording_unavailable'] },
  },
  clip: {
    ...common,
    permission: 'recordings',
    method: 'post',
    path: '/api/streams/{streamName}/clips',
    id: 'createClip',
    summary: 'Keep the last seconds of a stream that is being recorded, as a recording of its own',
    description:
      'Until ten minutes after the end of its recording, these are the last seconds before the end. The cut begins at the keyframe before; if less is recorded, the clip is all of it. It is `finishing` at first, and `ready` a little later.',
    params: streamParams,
    body: createClip,
    response: successOf(recordingBody),
    errors: { 409: ['not_recorded', 'quota_exceeded'], 503: ['recording_unavailable'] },
  },
});

export const recordingMediaEndpoints = defineEndpoints({
  media: {
    tag: 'Recordings',
    access: 'open',
    method: 'get',
    path: `${path}/{recordingId}/media`,
    id: 'getRecordingMedia',
    summary: 'The file of a recording',
    description:
      'For those who have a link. Parts of the file can be had (Range). A download from S3 is redirected to a URL of S3 that works for an hour.',
    params: recordingPath,
    query: recordingMediaQuery,
    fileTypes: ['video/mp4', 'video/webm'],
    errors: {
      403: ['recording_link_invalid', 'recording_link_expired'],
      404: ['recording_not_found', 'recording_file_missing'],
      409: ['recording_not_ready'],
      503: ['recording_storage_unavailable', ...DATABASE_CODES[503]],
    },
  },
});
