import type { UpstreamSoftware } from '../../src/wire/management/upstream.js';
import { parseJson } from '../bounded-json.js';

/** What an upstream says of a stream. `unknown`: it said nothing that can be read. */
export type LiveState = 'live' | 'offline' | 'unknown';

export interface StatusAnswer {
  readonly status: number;
  readonly body: string;
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/**
 * Reads the answer of `statusUrl`.
 * - MediaMTX: `GET /v3/paths/get/NAME` of its API: 404 without such a path, else `ready`.
 * - SRS: `GET /api/v1/streams/` of its API: a list, with `publish.active`.
 * - Cloudflare Stream: `GET /INPUT/lifecycle`: `live`.
 * - Streamgate: `GET /api/live`: a list of those that are live.
 * @param publishUrl names the stream in the lists
 */
export function readLiveState(software: UpstreamSoftware, answer: StatusAnswer, publishUrl: URL): LiveState {
  if (answer.status === 404) return software === 'mediamtx' || software === 'cloudflare' ? 'offline' : 'unknown';
  if (answer.status < 200 || answer.status > 299) return 'unknown';
  const body = parsed(answer.body);
  if (body === undefined) return 'unknown';
  switch (software) {
    case 'mediamtx':
      return stateOf(field(body, 'ready'));
    case 'cloudflare':
      return stateOf(field(body, 'live'));
    case 'srs':
      return listed(field(body, 'streams'), (stream) => isOfSrs(stream, publishUrl.searchParams));
    case 'streamgate':
      return listed(field(body, 'data'), (stream) => field(stream, 'streamName') === nameOfStreamgate(publishUrl));
  }
}

function isOfSrs(stream: Json, named: URLSearchParams): boolean {
  return (
    field(stream, 'name') === named.get('stream') &&
    field(stream, 'app') === (named.get('app') ?? 'live') &&
    field(field(stream, 'publish'), 'active') === true
  );
}

/** `https://HOST/api/whip/NAME` */
function nameOfStreamgate({ pathname }: URL): string | undefined {
  const [, name] = /\/api\/whip\/(.+)$/.exec(pathname) ?? [];
  return name === undefined ? undefined : decodeURIComponent(name);
}

function listed(list: Json | undefined, isStream: (entry: Json) => boolean): LiveState {
  return Array.isArray(list) ? stateOf(list.some(isStream)) : 'unknown';
}

function stateOf(isLive: Json | undefined): LiveState {
  return typeof isLive === 'boolean' ? (isLive ? 'live' : 'offline') : 'unknown';
}

function field(value: Json | undefined, name: string): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
    ? (value as { readonly [name: string]: Json })[name]
    : undefined;
}

function parsed(text: string): Json | undefined {
  try {
    return parseJson(text, Infinity) as Json;
  } catch {
    return undefined;
  }
}
