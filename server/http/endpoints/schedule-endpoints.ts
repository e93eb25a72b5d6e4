import * as z from 'zod/mini';
import {
  createScheduledStream,
  scheduledStreamBody,
  scheduledStreamList,
  scheduleQuery,
  updateScheduledStream,
} from '../../../src/wire/management/schedule.js';
import { announcedStream, scheduledStreamId } from '../../../src/wire/scheduled-stream.js';
import { DATABASE_CODES, defineEndpoints, successOf } from './endpoint.js';

const path = '/api/schedule';
const common = { tag: 'Schedule', access: 'account' } as const;
const params = z.object({ id: scheduledStreamId });
const errors = { 404: ['scheduled_stream_not_found'] };
const notRead = { ...errors, 409: ['stored_row_unreadable'] };

export const scheduleEndpoints = defineEndpoints({
  list: {
    ...common,
    permission: 'read',
    method: 'get',
    path,
    id: 'listSchedule',
    summary: 'List the scheduled streams',
    description:
      'What is to come, the next one first, then what is over, the last one first. With `Accept: text/csv` the page is a table, and the header Link names the next page.',
    query: scheduleQuery,
    response: scheduledStreamList,
    csvColumns: [
      'id',
      'streamName',
      'title',
      'description',
      'startsOn',
      'endsOn',
      'state',
      'path',
      'createdOn',
      'updatedOn',
    ],
  },
  create: {
    ...common,
    permission: 'streams',
    method: 'post',
    path,
    id: 'createScheduledStream',
    summary: 'Schedule a stream',
    description:
      'The page at `path` announces the stream, and becomes its player by itself. Whoever has the address may see title, description and times; to watch a private stream they need a token too.',
    body: createScheduledStream,
    response: successOf(scheduledStreamBody),
    errors: { 409: ['schedule_full'] },
  },
  get: {
    ...common,
    permission: 'read',
    method: 'get',
    path: `${path}/{id}`,
    id: 'getScheduledStream',
    summary: 'Show one scheduled stream',
    params,
    response: successOf(scheduledStreamBody),
    errors: notRead,
  },
  update: {
    ...common,
    permission: 'streams',
    method: 'put',
    path: `${path}/{id}`,
    id: 'updateScheduledStream',
    summary: 'Change a scheduled stream',
    description: 'Absent fields stay as they are; null removes. Open pages follow within a minute.',
    params,
    body: updateScheduledStream,
    response: successOf(scheduledStreamBody),
    errors: notRead,
  },
  remove: {
    ...common,
    permission: 'streams',
    method: 'delete',
    path: `${path}/{id}`,
    id: 'removeScheduledStream',
    summary: 'Remove a scheduled stream, and its page',
    params,
    response: successOf(z.literal(true)),
    errors,
  },
});

export const announcementEndpoints = defineEndpoints({
  get: {
    tag: 'Schedule',
    access: 'open',
    method: 'get',
    path: '/api/scheduled_stream/{id}',
    id: 'getAnnouncedStream',
    summary: 'What everybody who has the id of a scheduled stream may know',
    description:
      'Open to pages of every origin. `state` is `live` while the stream is live, from an hour before the start; `over` when the end has passed, or twelve hours after the start if it has no end. `now` is the time of the server. Changes show within five seconds.',
    params,
    response: successOf(announcedStream),
    errors: { ...errors, 503: ['busy', ...DATABASE_CODES[503]] },
  },
});
