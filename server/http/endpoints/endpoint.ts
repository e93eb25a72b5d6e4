import type * as z from 'zod/mini';

/** One call of the API, for the document: what the route's own code takes and gives, by the schemas it is written with. */
export interface Endpoint {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** As in OpenAPI: `/api/publish_token/{id}`. */
  readonly path: string;
  /** Unique; what generated clients call it. */
  readonly id: string;
  readonly tag:
    | 'Publish tokens'
    | 'Subscribe tokens'
    | 'Streams'
    | 'Oversight'
    | 'Director'
    | 'WHIP and WHEP'
    | 'Dashboard'
    | 'Server';
  readonly summary: string;
  readonly description?: string;
  readonly params?: z.ZodMiniObject;
  readonly query?: z.ZodMiniObject;
  readonly headers?: z.ZodMiniObject;
  readonly body?: z.ZodMiniType;
  /** What the body is sent as. Absent: JSON. */
  readonly bodyType?: string;
  /** What it may be sent as besides. */
  readonly bodyTypes?: readonly string[];
  /** Of a yes. Absent: 200. */
  readonly status?: 200 | 201 | 204;
  /** The whole answer of a yes. Absent: it has no content. */
  readonly answer?: z.ZodMiniType;
  /** What the answer is sent as. Absent: JSON. */
  readonly answerType?: string;
  /** A no is a sentence in plain text, with its code in the header Streamgate-Code. */
  readonly plainRefusals?: true;
  /** Who may call it: `account` by API secret or dashboard login, `token` by a token of the account, or anybody. */
  readonly access: 'account' | 'token' | 'open';
  /** Codes of docs/errors by status, beside those that its `access` and its body bring along. */
  readonly codes?: Readonly<Record<number, readonly string[]>>;
}
