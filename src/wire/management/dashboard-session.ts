import * as z from 'zod/mini';
import { text } from '../text.js';

/** Body of `POST /api/dashboard/login`: the one-time code of a login link. */
export const dashboardLogin = z.strictObject({
  code: text.check(z.minLength(1), z.maxLength(128)),
});

/** Who the browser's cookie stands for: the answer to a login, and to `GET /api/dashboard/session`. */
export const dashboardSession = z.looseObject({
  accountId: z.string(),
  /** Null: somebody with a link of the operator. */
  memberName: z.nullable(z.string()),
  /** What they may do: `figures`, `read`, `tokens`, `streams`, `recordings`, `account`. Later servers have further ones. */
  permissions: z.array(z.string()),
});

export type DashboardSession = z.infer<typeof dashboardSession>;
