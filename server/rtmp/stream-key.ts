import { sourceId, streamName } from '../../src/wire/text.js';

/** What `publish-requested` has. */
export interface PublishAddress {
  readonly app: string;
  readonly streamKey: string;
  readonly tcUrl: string;
}

export interface StreamKey {
  readonly streamName: string;
  readonly token: string;
  /** Undefined: the main source. */
  readonly sourceId: string | undefined;
  /** As in the command `publish` of the websocket. */
  readonly priority: number | undefined;
}

export type StreamKeyFaultCode =
  'stream_key_invalid' | 'token_missing' | 'stream_name_invalid' | 'source_id_invalid' | 'priority_invalid';

export type StreamKeyReading =
  | { readonly ok: true; readonly value: StreamKey }
  /** The message is for the person at the encoder. It has nothing of the input, which can be a secret. */
  | { readonly ok: false; readonly code: StreamKeyFaultCode; readonly message: string };

const RIGHT_FORM =
  'Use the server rtmp://HOST/v2/pub with the stream key NAME?token=TOKEN, or rtmp://HOST/live/TOKEN with the stream key NAME';

/** Three have a meaning. Empty ones would take fifty times their size in memory. */
const MAX_PARAMETERS = 64;

/**
 * Reads the stream name and the token from what an encoder sent. Encoders cut a URL into app and stream key at
 * different places, so that both are joined again:
 *
 * - `v2/pub/NAME?token=TOKEN&sourceId=ID&priority=1`
 * - `live/TOKEN/NAME`, for encoders that cut the query
 *
 * Name and token can be percent-encoded. White space around what was pasted is left out. A name can contain `/`. The query can be in the app or in tcUrl too.
 */
export function readStreamKey({ app, streamKey, tcUrl }: PublishAddress): StreamKeyReading {
  const ofUrl = split(tcUrl.trim().replace(/^[a-z]+:\/\/[^/?]*\/?/i, ''));
  const ofApp = split(app.trim());
  const ofKey = split(streamKey.trim());
  const queries = [ofKey, ofApp, ofUrl].map(({ query }) => query.split('&', MAX_PARAMETERS).join('&'));
  const parameters = new URLSearchParams(queries.join('&'));
  const path = [ofApp.path || ofUrl.path, ofKey.path].map(trimmed).filter(Boolean).join('/');
  const [, kind, rest = ''] = /^(v2\/pub|live)\/(.*)$/s.exec(path) ?? [];
  if (kind === undefined) return fault('stream_key_invalid', RIGHT_FORM);
  const [given, name] =
    kind === 'live' ? afterToken(rest).map(decoded) : [parameters.get('token') ?? '', decoded(rest)];
  if (given === undefined || name === undefined) {
    return fault('stream_key_invalid', 'Write % in the name of the stream as %25');
  }
  const token = given.trim();
  if (token === '') return fault('token_missing', `The token is missing. ${RIGHT_FORM}`);
  const ofStream = streamName.safeParse(name);
  if (!ofStream.success) {
    return fault('stream_name_invalid', `The name of the stream is missing or not possible. ${RIGHT_FORM}`);
  }
  const named = parameters.get('sourceId');
  const source = named === null ? undefined : sourceId.safeParse(named);
  if (source?.success === false) {
    return fault('source_id_invalid', 'sourceId must have 1 to 128 visible characters');
  }
  const priority = parameters.get('priority') ?? undefined;
  if (priority !== undefined && !/^-?\d{1,9}$/.test(priority)) {
    return fault('priority_invalid', 'priority must be a whole number');
  }
  return {
    ok: true,
    value: {
      streamName: ofStream.data,
      token,
      sourceId: source?.data,
      priority: priority === undefined ? undefined : Number(priority),
    },
  };
}

function split(text: string): { readonly path: string; readonly query: string } {
  const mark = text.indexOf('?');
  return mark < 0 ? { path: text, query: '' } : { path: text.slice(0, mark), query: text.slice(mark + 1) };
}

/** `TOKEN/NAME`, where a name can contain `/` and a token cannot. */
function afterToken(rest: string): readonly string[] {
  const slash = rest.indexOf('/');
  return slash < 0 ? ['', ''] : [rest.slice(0, slash), rest.slice(slash + 1)];
}

/** Without slashes at both ends. An expression for the end would begin at each slash again: 50 ms for 8 kB of them. */
function trimmed(path: string): string {
  let [start, end] = [0, path.length];
  while (path[start] === '/') start++;
  while (end > start && path[end - 1] === '/') end--;
  return path.slice(start, end);
}

/** Undefined: the percent-encoding is not valid. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function fault(code: StreamKeyFaultCode, message: string): StreamKeyReading {
  return { ok: false, code, message };
}
