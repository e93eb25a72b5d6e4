import * as z from 'zod/mini';
import { text } from '../text.js';

/** Body of `POST /api/dashboard/login`: the one-time code of a login link. */
export const dashboardLogin = z.strictObject({
  code: text.check(z.minLength(1), z.maxLength(128)),
});

/** The account of the browser's cookie: the answer to a login, and to `GET /api/dashboard/session`. */
export const dashboardSession = z.looseObject({ accountId: z.string() });

export type DashboardSession = z.infer<typeof dashboardSession>;
