import {
  createPublishToken,
  createSubscribeToken,
  updatePublishToken,
  updateSubscribeToken,
} from '../../../wire/management/token.js';
import type { TokenField, TokenFieldsBody } from './token-draft.js';
import type { TokenKind } from './token-kind.js';

/** Why a field cannot be saved. */
export interface FieldFault {
  /** The entry of a list that is not valid. Undefined: the field as a whole. */
  readonly entry: string | undefined;
  /** The server's explanation, in English. Undefined: the form itself has found the fault. */
  readonly message: string | undefined;
}

export type FieldFaults = Readonly<Partial<Record<TokenField, FieldFault>>>;

/** The fields of the form by the names of the API. */
const FIELD_OF: Readonly<Record<string, TokenField>> = {
  label: 'label',
  streams: 'streams',
  allowedOrigins: 'origins',
  allowedIpAddresses: 'addresses',
  bindIpsOnUsage: 'addresses',
  deniedIpAddresses: 'deniedAddresses',
  allowedCountries: 'allowedCountries',
  deniedCountries: 'deniedCountries',
  expires: 'expiry',
  subscribeRequiresAuth: 'viewers',
  record: 'recording',
  recordingRetentionDays: 'recording',
  maxSessions: 'places',
  whenFull: 'places',
};

/** What the server's schemas say about a request. @param isNew whether the request creates the token */
export function schemaFaults(body: TokenFieldsBody, kind: TokenKind, isNew: boolean): FieldFaults {
  if (!isNew && Object.keys(body).length === 0) return {};
  const result = schemaOf(kind, isNew).safeParse(body);
  if (result.success) return {};
  return firstFaults(
    result.error.issues.map(({ path }) => ({ path: path.map(String), message: undefined })),
    body,
  );
}

/** What the server has answered about the fields of a request. @param errors by path, such as `allowedOrigins.2` */
export function serverFaults(errors: Readonly<Record<string, readonly string[]>>, body: TokenFieldsBody): FieldFaults {
  return firstFaults(
    Object.entries(errors).map(([path, [message]]) => ({ path: path.split('.'), message })),
    body,
  );
}

function schemaOf(kind: TokenKind, isNew: boolean) {
  if (kind === 'publish') return isNew ? createPublishToken : updatePublishToken;
  return isNew ? createSubscribeToken : updateSubscribeToken;
}

interface Issue {
  readonly path: readonly string[];
  readonly message: string | undefined;
}

/** The first fault of each field. */
function firstFaults(issues: readonly Issue[], body: TokenFieldsBody): FieldFaults {
  const faults: Partial<Record<TokenField, FieldFault>> = {};
  for (const { path, message } of issues) {
    const field = FIELD_OF[path[0] ?? ''];
    if (field) faults[field] ??= { entry: entryAt(path, body), message };
  }
  return faults;
}

function entryAt([name = '', index = '']: readonly string[], body: TokenFieldsBody): string | undefined {
  const list: unknown = Object.entries(body).find(([field]) => field === name)?.[1];
  if (!Array.isArray(list)) return undefined;
  const entry: unknown = list[Number(index)];
  if (typeof entry === 'string') return entry;
  const { streamName } = Object(entry) as { readonly streamName?: unknown };
  return typeof streamName === 'string' ? streamName : undefined;
}
