import * as z from 'zod/mini';
import type { SuccessEnvelope } from '../../../src/wire/envelope.js';
import type { Permission } from '../../accounts/permission.js';

/**
 * One call of the HTTP API. The Express route (endpoint-router.ts) and the OpenAPI document are both made from it, so
 * that the two always agree.
 */
export type Endpoint = EndpointDeclaration & EndpointAccess;

/** Who may call. */
type EndpointAccess =
  /**
   * A caller of the management API who has the permission. `people`: no program, because a secret or a key that leaked
   * must not lock its owner out, or gain more than it has.
   */
  | { readonly access: 'account'; readonly permission: Permission; readonly callers?: 'people' }
  /** `token`: with a publish or subscribe token. `open`: everyone. */
  | { readonly access: 'token' | 'open'; readonly permission?: never; readonly callers?: never };

interface EndpointDeclaration {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** As in OpenAPI: `/api/publish_token/{id}`. */
  readonly path: string;
  /** Unique. Generated clients name their methods after it. */
  readonly id: string;
  readonly tag:
    | 'Publish tokens'
    | 'Subscribe tokens'
    | 'Streams'
    | 'Schedule'
    | 'Recordings'
    | 'Upstreams'
    | 'Webhooks'
    | 'Oversight'
    | 'Statistics'
    | 'Director'
    | 'WHIP and WHEP'
    | 'Account'
    | 'Dashboard'
    | 'Server';
  readonly summary: string;
  readonly description?: string;
  readonly params?: z.ZodMiniObject;
  readonly query?: z.ZodMiniObject;
  readonly headers?: z.ZodMiniObject;
  /** The request body. A schema that takes undefined makes the body optional in the document. */
  readonly body?: z.ZodMiniType;
  /** The largest body, in bytes. Absent: 64 KiB. */
  readonly bodyLimit?: number;
  /** Media type of the request body. Absent: JSON. */
  readonly bodyType?: string;
  /** Further media types that the body may be sent as. */
  readonly bodyTypes?: readonly string[];
  /** Status of success. Absent: 200. */
  readonly status?: 200 | 201 | 204;
  /** The whole response body of success. Absent: there is none. */
  readonly response?: z.ZodMiniType;
  /** Media type of the response. Absent: JSON. */
  readonly responseType?: string;
  /** The response of success is a file of one of these media types, which the handler sets. In place of `response`. */
  readonly fileTypes?: readonly string[];
  /** The response can also be had as CSV: these fields of the objects in `data`. */
  readonly csvColumns?: readonly string[];
  /** The field of `data` that has these objects. Absent: `data` is the list. */
  readonly csvRows?: string;
  /** Refusals are plain text, with the error code in the header Streamgate-Code. */
  readonly plainRefusals?: true;
  /** Reads or writes many rows. Only some of these run at once, those of each account in turn. */
  readonly isHeavy?: true;
  /** Error codes (docs/errors) by status, beside those that `access`, the schemas and the body bring with them. */
  readonly errors?: Readonly<Record<number, readonly string[]>>;
}

/** A group of endpoints by the names that their handlers have in code. */
export type Endpoints = Readonly<Record<string, Endpoint>>;

/** Keeps the exact types of the schemas: the handlers are checked against them. */
export function defineEndpoints<const Group extends Endpoints>(group: Group): Group {
  return group;
}

/** What the rules refuse, by status: the same for the director, WHIP and WHEP. */
export const ADMISSION_CODES = {
  401: [
    'token_missing',
    'token_unknown',
    'token_wrong_kind',
    'token_disabled',
    'token_expired',
    'stream_not_permitted',
    'origin_not_allowed',
    'address_denied',
    'address_not_allowed',
    'country_not_allowed',
    'address_not_bound',
  ],
};

/** Of every call that may have to read or write the database. */
export const DATABASE_CODES = { 503: ['database_unavailable'], 507: ['disk_full'] };

/** The response body of success. `rest` holds fields beside `data`, such as those of paging. */
export function success<Data>(data: Data): SuccessEnvelope<Data>;
export function success<Data, Rest extends object>(data: Data, rest: Rest): SuccessEnvelope<Data> & Rest;
export function success<Data>(data: Data, rest?: object): SuccessEnvelope<Data> {
  return { ...rest, status: 'success', data };
}

/** The schema of `success(data)`. */
export const successOf = <Data extends z.ZodMiniType>(data: Data) => z.object({ status: z.literal('success'), data });
