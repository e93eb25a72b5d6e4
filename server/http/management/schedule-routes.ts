import cors from 'cors';
import type { RequestHandler, Router } from 'express';
import type { ScheduledStreamBody } from '../../../src/wire/management/schedule.js';
import { scheduledPath, type AnnouncedStream } from '../../../src/wire/scheduled-stream.js';
import { scheduledStateOf, type ScheduledStream } from '../../accounts/schedule/scheduled-stream.js';
import type { Admission } from '../../admission/admission.js';
import type { ScheduleService } from '../../accounts/schedule/schedule-service.js';
import { streamIdOf } from '../../streams/stream-id.js';
import type { StreamRegistry } from '../../streams/stream-registry.js';
import { endpointRouter } from '../endpoints/endpoint-router.js';
import { success } from '../endpoints/endpoint.js';
import { announcementEndpoints, scheduleEndpoints } from '../endpoints/schedule-endpoints.js';
import { linkNextPage } from '../request/next-page.js';

export interface ScheduleServices {
  readonly schedule: ScheduleService;
  /** Absent: no server runs, so that nothing is known to be live. */
  readonly streams?: Pick<StreamRegistry, 'liveSinceOf'> | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface AnnouncementServices extends ScheduleServices {
  readonly admission: Pick<Admission, 'shownToGuests'>;
}

/** `/api/schedule` */
export function scheduleRoutes(services: ScheduleServices, accountAccess: RequestHandler): Router {
  const { schedule } = services;
  const bodyOf = (stream: ScheduledStream): ScheduledStreamBody => scheduledStreamBody(stream, services);
  return endpointRouter(
    scheduleEndpoints,
    {
      async list({ accountId, query, req, res }) {
        const { streams, total } = await schedule.list(accountId, query);
        linkNextPage(req, res, query, total);
        return success(streams.map(bodyOf), { total, page: query.page, itemsOnPage: query.itemsOnPage });
      },
      create: async ({ accountId, body }) => success(bodyOf(await schedule.create(accountId, body))),
      get: async ({ accountId, params: { id } }) => success(bodyOf(await schedule.get(accountId, id))),
      update: async ({ accountId, params: { id }, body }) =>
        success(bodyOf(await schedule.update(accountId, id, body))),
      async remove({ accountId, params: { id } }) {
        await schedule.remove(accountId, id);
        return success(true);
      },
    },
    { accountAccess },
  );
}

/** `/api/scheduled_stream/{id}`, open to every origin: no cookie is read, and the answer is the same for every page. */
export function announcementRoutes(services: AnnouncementServices): Router {
  const everyOrigin: RequestHandler = (_req, res, next) => {
    res.set({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' });
    next();
  };
  return endpointRouter(
    announcementEndpoints,
    {
      async get({ params: { id } }) {
        return success(announcedBody(await services.schedule.announced(id), services));
      },
    },
    { before: [everyOrigin], preflight: cors({ methods: 'GET' }) },
  );
}

/** What somebody without a login is shown. */
function announcedBody(stream: ScheduledStream, services: AnnouncementServices): AnnouncedStream {
  const { accountId, streamName } = stream;
  const { live, requiresToken } = services.admission.shownToGuests(accountId, streamName);
  const shown = shownFields(stream, live ? services : { now: services.now });
  return { accountId, ...shown, requiresToken, now: isoOf(services.now()) };
}

function scheduledStreamBody(stream: ScheduledStream, services: ScheduleServices): ScheduledStreamBody {
  const { id, createdOn, updatedOn, unreadable } = stream;
  return {
    id,
    ...shownFields(stream, services),
    path: scheduledPath(id),
    createdOn: isoOf(createdOn),
    updatedOn: isoOf(updatedOn),
    ...(unreadable && { fault: UNREADABLE }),
  };
}

const UNREADABLE: ScheduledStreamBody['fault'] = {
  code: 'stored_row_unreadable',
  message: 'This scheduled stream cannot be read, and is not announced: remove it, and schedule it again',
};

function shownFields(stream: ScheduledStream, { streams, now }: Pick<ScheduleServices, 'streams' | 'now'>) {
  const { accountId, streamName, title, description, startsOn, endsOn } = stream;
  const liveSince = streams?.liveSinceOf(streamIdOf(accountId, streamName));
  return {
    streamName,
    title,
    description,
    startsOn: isoOf(startsOn),
    endsOn: endsOn === null ? null : isoOf(endsOn),
    state: scheduledStateOf(stream, { now: now(), liveSince }),
  };
}

const isoOf = (time: number): string => new Date(time).toISOString();
