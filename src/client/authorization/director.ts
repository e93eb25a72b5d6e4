import { isEndpoint } from '../../wire/endpoint.js';
import type { StreamGrant } from '../../wire/director/stream-grant.js';
import { RejectedError, StreamError, UnreachableError } from '../errors.js';
import { field, list, number, text } from '../decode.js';
import type { TokenProvider } from './token-provider.js';
import { isTemporary } from '../connection/reconnect-policy.js';

/** What to ask for, and with what right. */
export interface ConnectionOptions {
  /** Origin of the server, `https://live.example.com`. */
  readonly endpoint: string;
  readonly streamName: string;
  /** Needed where there is no token that names the account. */
  readonly accountId?: string | undefined;
  readonly token?: string | undefined;
  /** Where tokens come from when there is none, before one runs out, and after a no that another can cure. */
  readonly tokenProvider?: TokenProvider | undefined;
}

/** What publishers say besides. */
export interface PublisherIdentity {
  /** From the session that this one resumes. */
  readonly sessionKey?: string | undefined;
  /** Of several sources on one name, which. */
  readonly sourceId?: string | undefined;
}

/** The director's yes. What it says of the session that began with it is read where that goes on. */
export type Grant = Omit<StreamGrant, 'view'> & { readonly view?: unknown };

/** How an endpoint is asked, as far as that is known. */
export interface RequestFormat {
  /**
   * With the token in a body of plain text: browsers send that to another origin without a preflight (Fetch standard,
   * 2.2.2). Else as every server of this wire knows it. Undefined: it takes the short form, or so we hope.
   */
  isShort: boolean | undefined;
}

const ANSWER_WITHIN_MS = 15_000;
const UNSUPPORTED_MEDIA_TYPE = 415;

/**
 * Asks the director for leave to watch or to publish (wire-facts 2).
 *
 * @param asking is told what this endpoint knows. One that does not know the short form is asked once more.
 * @param also further fields of the body
 * @throws {RejectedError} the service said no
 * @throws {UnreachableError} no answer, one that broke off, or that of a server in trouble
 * @throws {StreamError} `unexpected`: the endpoint is no address; `malformed_answer`: something answers there, but not this service
 */
export async function requestGrant(
  role: 'subscribe' | 'publish',
  access: ConnectionOptions,
  signal: AbortSignal,
  asking: RequestFormat,
  also: object = {},
): Promise<Grant> {
  const { endpoint, streamName, accountId, token } = access;
  if (!isEndpoint(endpoint)) throw new StreamError('unexpected', `Not an http or https URL: ${endpoint}`);
  const isShort = asking.isShort !== false;
  const wanted = { streamName, streamAccountId: accountId || undefined, ...also };
  // No `credentials: 'omit'`: nothing reads a cookie here, and to the page's own origin it would take a connection more.
  const response = await fetch(`${endpoint.replace(/\/+$/, '')}/api/director/${role}`, {
    method: 'POST',
    ...(!isShort && {
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    }),
    body: JSON.stringify(isShort ? { ...wanted, token: token || undefined } : wanted),
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
  }).catch((cause: unknown) => {
    // Pages may not read what a server says that did not expect them: the next try is in its own form.
    asking.isShort ??= false;
    throw new UnreachableError('The streaming service does not answer', 'unreachable', cause);
  });
  const body: unknown = await response.json().catch((cause: unknown) => {
    // What is whole and not JSON is of something else.
    if (cause instanceof SyntaxError) return undefined;
    throw new UnreachableError('The answer broke off', 'unreachable', cause);
  });

  const { ok, status } = response;
  const granted = ok ? readGrant(body) : undefined;
  const data = field(body, 'status') === 'fail' ? field(body, 'data') : undefined;
  const message = text(data, 'message');
  const code = text(data, 'code');
  const retryable = status === 429 || status >= 500;
  if (granted || (code && status !== UNSUPPORTED_MEDIA_TYPE)) asking.isShort ??= true;
  // Whoever says no without a code may have looked for the token, or for JSON, in a header only.
  else if (asking.isShort === undefined && !retryable) {
    asking.isShort = false;
    return requestGrant(role, access, signal, asking, also);
  }
  if (granted) return granted;

  if (message !== undefined) {
    const reason = code ?? reasonIn(message);
    throw new RejectedError(reason, message, {
      retryable: retryable || isTemporary(reason),
      retryAfterMs: retryAfterMs(response.headers.get('retry-after'), Date.now()),
    });
  }
  if (retryable) throw new UnreachableError(`The streaming service is in trouble (HTTP ${status})`);
  throw new StreamError('malformed_answer', `No streaming service answers here (HTTP ${status})`);
}

/** The director's yes (`streamGrant` in `wire`) with an address to go to; undefined: it is none. */
export function readGrant(body: unknown): Grant | undefined {
  const data = field(body, 'data');
  const view = field(data, 'view');
  const jwt = text(data, 'jwt');
  const urls = list(data, 'urls').filter((url) => typeof url === 'string');
  if (field(body, 'status') !== 'success' || jwt === undefined || urls.length === 0) return undefined;
  return {
    jwt,
    urls,
    iceServers: [...list(data, 'iceServers')],
    streamAccountId: text(data, 'streamAccountId'),
    tokenExpiresIn: number(data, 'tokenExpiresIn'),
    view: text(view, 'sdp') === undefined ? undefined : view,
  };
}

/** Other servers of this wire send no code. Their clients tell an offline stream by this sentence. */
function reasonIn(message: string): string {
  return /stream not (being published|found)/i.test(message) ? 'stream_not_live' : 'refused';
}

/** `Retry-After` (RFC 9110 10.2.3): seconds or a date. Unreadable, past or absent: 0. */
export function retryAfterMs(header: string | null, now: number): number {
  if (!header) return 0;
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return wait > 0 ? wait : 0;
}
