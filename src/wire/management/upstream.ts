import * as z from 'zod/mini';
import { pasted, plainText, streamName } from '../text.js';

/** The most upstreams of an account. */
export const MAX_UPSTREAMS = 100;

/** What runs at the upstream: it decides how the answer of `statusUrl` is read. */
export const upstreamSoftware = z.enum(['cloudflare', 'mediamtx', 'srs', 'streamgate']);

export type UpstreamSoftware = z.infer<typeof upstreamSoftware>;

const PLACEHOLDER = /\{[^{}]*\}/g;
const KNOWN_PLACEHOLDERS: ReadonlySet<string> = new Set(['{account}', '{name}']);

/** An address with the placeholders `{account}` and `{name}` in its path or its query. */
const address = z.string().check(
  z.maxLength(2_048),
  z.refine((text) => isHttpAddress(text), 'must be an http or https URL without a user name and a password'),
  z.refine(
    (text) => (text.match(PLACEHOLDER) ?? []).every((name) => KNOWN_PLACEHOLDERS.has(name)),
    'has no other placeholders than {account} and {name}',
  ),
);

function isHttpAddress(template: string): boolean {
  // A host with a placeholder would let a stream name choose the server that receives the token.
  const [, host = ''] = /^https?:\/\/([^/?#]*)/i.exec(template) ?? [];
  if (host === '' || host.includes('{') || !URL.canParse(template)) return false;
  const { username, password, hash } = new URL(template);
  return username === '' && password === '' && hash === '';
}

/** Sent as `Authorization: Bearer`. Null: none. Absent: as before, while the origin of its address stays the same. */
const bearer = z.optional(
  z.nullable(pasted.check(z.regex(/^[\x21-\x7e]{1,4096}$/, 'must be 1 to 4096 printable ASCII characters'))),
);

/** Body of `PUT /api/upstreams`. Replaces the upstream of the same stream name. */
export const setUpstream = z
  .strictObject({
    /** Null, or absent: of all streams of the account that have none of their own. */
    streamName: z._default(z.nullable(streamName), null),
    software: upstreamSoftware,
    publishUrl: address,
    viewUrl: address,
    statusUrl: address,
    publishToken: bearer,
    viewToken: bearer,
    statusToken: bearer,
  })
  .check(
    z.refine<{ streamName: string | null; publishUrl: string; viewUrl: string }>(
      ({ streamName: name, publishUrl, viewUrl }) =>
        name !== null || [publishUrl, viewUrl].every((url) => url.includes('{name}')),
      { error: 'must contain {name} without a stream name: two streams would be one', path: ['publishUrl'] },
    ),
  );

export type SetUpstream = z.infer<typeof setUpstream>;
export type SetUpstreamInput = z.input<typeof setUpstream>;

/** The query of `DELETE /api/upstreams`. */
export const removeUpstream = z.strictObject({ streamName: z.optional(streamName) });

/** An upstream in an answer. Its tokens are never shown. Times are ISO 8601, UTC. */
export const upstreamBody = z.looseObject({
  streamName: z.nullable(z.string()),
  /** `upstreamSoftware`. A later server may send other values. */
  software: z.string(),
  publishUrl: z.string(),
  viewUrl: z.string(),
  statusUrl: z.string(),
  hasPublishToken: z.boolean(),
  hasViewToken: z.boolean(),
  hasStatusToken: z.boolean(),
  /** What streams do not have here that they have on this server: see docs/guides/upstream.md. */
  unsupported: z.array(plainText),
  /** What is stored cannot be read: `stored_row_unreadable`. The texts are empty, and the streams have no media. */
  fault: z.optional(z.nullable(z.looseObject({ code: z.string(), message: z.string() }))),
  updatedOn: z.string(),
});

export type UpstreamBody = z.infer<typeof upstreamBody>;

/** Answer of `GET /api/upstreams`, in the order of the stream names, that of all streams first. */
export const upstreamList = z.object({ status: z.literal('success'), data: z.array(upstreamBody) });
