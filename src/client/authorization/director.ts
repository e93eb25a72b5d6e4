import type { StreamGrant } from '../../wire/director/stream-grant.js';
import { isEndpoint } from '../../wire/endpoint.js';
import type { FailEnvelope, SuccessEnvelope } from '../../wire/envelope.js';
import { isTemporary } from '../connection/reconnect-policy.js';
import { RejectedError, StreamError, UnreachableError, type RefusalCode } from '../errors.js';
import { field, list, number, text, type Unread } from '../unread.js';
import type { TokenProvider } from './token-provider.js';

/** Where to connect, to which stream, and with which token. */
export interface ConnectionOptions {
  /** Origin of the server: `https://live.example.com`. */
  readonly endpoint: string;
  readonly streamName: string;
  /** Required without a token, because a token names its account. */
  readonly accountId?: string | undefined;
  readonly token?: string | undefined;
  /** Returns a token when there is none, before one expires, and after the server refused one. */
  readonly tokenProvider?: TokenProvider | undefined;
}

/** Further fields in the request of a publisher. */
export interface PublisherIdentity {
  /** From the session that this one resumes. */
  readonly sessionKey?: string | undefined;
  /** Which source of the stream this is. Absent: the main one. */
  readonly sourceId?: string | undefined;
}

/** The grant in the director's answer. `urls` has at least one address. */
export type Grant = Omit<StreamGrant, 'view' | 'record'> & {
  /** Not checked: only `true` counts. */
  readonly record?: unknown;
  readonly view?: Unread<NonNullable<StreamGrant['view']>> | undefined;
};

/** The format of the requests to an endpoint. */
export interface RequestFormat {
  /**
   * True: the token is in a body of plain text, which browsers send to another origin without a preflight (Fetch
   * standard 2.2.2). False: the token is in a header, which every server of this wire reads. Undefined: not known yet;
   * the first request tries the body.
   */
  isSimple: boolean | undefined;
}

const UNSUPPORTED_MEDIA_TYPE = 415;

/**
 * Asks the director for a grant to watch or to publish.
 *
 * @param format set to the format that the endpoint reads. If that is not the simple one, the request is sent once more.
 * @param extra further fields of the body
 * @throws {RejectedError} the server refused
 * @throws {UnreachableError} there was no answer, it broke off, or the server has a fault
 * @throws {StreamError} `unexpected`: the endpoint is not a URL; `malformed_answer`: the endpoint is another service
 */
export async function requestGrant(
  role: 'subscribe' | 'publish',
  options: ConnectionOptions,
  signal: AbortSignal,
  format: RequestFormat,
  extra: object = {},
): Promise<Grant> {
  const { endpoint, streamName, accountId } = options;
  // It may have been pasted with white space around it.
  const token = options.token?.trim();
  if (!isEndpoint(endpoint)) throw new StreamError('unexpected', `Not an http(s) URL: ${endpoint}`);
  const isSimple = format.isSimple !== false;
  const fields = { streamName, streamAccountId: accountId || undefined, ...extra };
  // Without `credentials: 'omit'`: the server reads no cookie here, and omitting them would open another connection to
  // the origin of the page.
  const response = await fetch(`${endpoint.replace(/\/+$/, '')}/api/director/${role}`, {
    method: 'POST',
    ...(!isSimple && {
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    }),
    body: JSON.stringify({ ...fields, token: (isSimple && token) || undefined }),
    signal,
  }).catch((cause: unknown) => {
    // A browser hides the answer of a server that did not expect the simple format. The next request uses the other
    // one.
    format.isSimple ??= false;
    throw new UnreachableError('The server does not answer', 'unreachable', cause);
  });
  const body: unknown = await response.json().catch((cause: unknown) => {
    // A complete answer that is not JSON comes from another service. In WebKit, this error is a DOMException.
    if (cause instanceof Error && cause.name === 'SyntaxError') return undefined;
    throw new UnreachableError('The answer broke off', 'unreachable', cause);
  });

  const { ok, status } = response;
  const grant = ok ? readGrant(body as Unread<SuccessEnvelope<StreamGrant>>) : undefined;
  const failure = body as Unread<FailEnvelope>;
  const refusal = text(failure, 'status') === 'fail' ? field(failure, 'data') : undefined;
  const message = text(refusal, 'message');
  const code = text(refusal, 'code');
  const retryable = status === 429 || status >= 500;
  if (grant || (code && status !== UNSUPPORTED_MEDIA_TYPE)) format.isSimple ??= true;
  // A server that refuses without a code may have looked for the token, or for JSON, in the headers only.
  else if (format.isSimple === undefined && !retryable) {
    format.isSimple = false;
    return requestGrant(role, options, signal, format, extra);
  }
  if (grant) return grant;

  if (message !== undefined) {
    // Other servers of this wire send no code. Their clients recognise an offline stream by the message.
    const reason = code ?? (/stream not (being published|found)/i.test(message) ? 'stream_not_live' : 'refused');
    throw new RejectedError(reason as RefusalCode, message, {
      retryable: retryable || isTemporary(reason),
      retryAfterMs: retryAfterMs(response.headers.get('retry-after'), Date.now()),
    });
  }
  if (retryable) throw new UnreachableError(`The server failed (HTTP ${status})`);
  throw new StreamError('malformed_answer', `No streaming server here (HTTP ${status})`);
}

/** Undefined: the answer is not a grant, or has no address. */
export function readGrant(answer: Unread<SuccessEnvelope<StreamGrant>>): Grant | undefined {
  const data = field(answer, 'data');
  const view = field(data, 'view');
  const jwt = text(data, 'jwt');
  const urls = list(data, 'urls').filter((url) => typeof url === 'string');
  if (text(answer, 'status') !== 'success' || jwt === undefined || urls.length === 0) return undefined;
  return {
    jwt,
    urls,
    iceServers: [...list(data, 'iceServers')],
    streamAccountId: text(data, 'streamAccountId'),
    tokenExpiresIn: number(data, 'tokenExpiresIn'),
    record: field(data, 'record'),
    view: text(view, 'sdp') === undefined ? undefined : view,
  };
}

/** `Retry-After` (seconds or a date, RFC 9110 10.2.3) in milliseconds. Unreadable, past or absent: 0. */
export function retryAfterMs(header: string | null, now: number): number {
  if (!header) return 0;
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return wait > 0 ? wait : 0;
}
