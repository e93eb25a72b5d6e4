import * as z from 'zod/mini';
import { text } from '../text.js';

/** Body of `POST /api/dashboard/login`: the one-time code of a login link. */
export const dashboardLogin = z.strictObject({
  code: text.check(z.minLength(1), z.maxLength(128)),
});

/** Where encoders connect over RTMP, at the host of the dashboard. */
export const rtmpAddress = z.looseObject({
  port: z.int(),
  /** Whether the port takes RTMPS too. */
  tls: z.boolean(),
});

export type RtmpAddress = z.infer<typeof rtmpAddress>;

/** Who the browser's cookie stands for: the answer to a login, and to `GET /api/dashboard/session`. */
export const dashboardSession = z.looseObject({
  accountId: z.string(),
  /** Null: somebody with a link of the operator. */
  memberName: z.nullable(z.string()),
  /** What they may do: `figures`, `read`, `tokens`, `streams`, `recordings`, `account`. Later servers have further ones. */
  permissions: z.array(z.string()),
  /** Null: the server takes no RTMP. */
  rtmp: z._default(z.nullable(rtmpAddress), null),
  /** Whether the server knows the countries of addresses, so that tokens can have lists of countries. */
  countries: z._default(z.boolean(), false),
});

export type DashboardSession = z.infer<typeof dashboardSession>;
