import type { UpstreamSoftware } from '../../src/wire/management/upstream.js';
import type { StreamNames } from '../streams/stream-id.js';

/** What is called at an upstream: WHIP, WHEP, and the address that tells whether a stream is live. */
export type UpstreamCall = 'publish' | 'view' | 'status';

/** A server that carries the media of streams of an account, over WHIP and WHEP. */
export interface UpstreamFields {
  readonly accountId: string;
  /** Null: for all streams of the account that have no upstream of their own. */
  readonly streamName: string | null;
  readonly software: UpstreamSoftware;
  /** Templates with `{account}` and `{name}`. Some contain a secret. */
  readonly urls: Readonly<Record<UpstreamCall, string>>;
  /** Null: none is sent. */
  readonly tokens: Readonly<Record<UpstreamCall, string | null>>;
}

export interface Upstream extends UpstreamFields {
  /** In milliseconds since 1970. */
  readonly updatedOn: number;
}

/** An upstream of which the stored settings cannot be read. Its streams are carried by nobody until it is set again. */
export interface UnreadableUpstream {
  readonly accountId: string;
  readonly streamName: string | null;
  readonly unreadable: true;
}

export type StoredUpstream = Upstream | UnreadableUpstream;

export function isReadable(upstream: StoredUpstream): upstream is Upstream {
  return !('unreadable' in upstream);
}

/** The addresses of one stream at its upstream. */
export type UpstreamAddresses = Readonly<Record<UpstreamCall, URL>>;

/** Where one stream is carried. */
export interface UpstreamTarget {
  readonly upstream: Pick<Upstream, 'software' | 'tokens'>;
  readonly addresses: UpstreamAddresses;
}

/**
 * The addresses of a stream. A slash of the name stays one in the path.
 * @returns undefined: a part of the name is `.`, `..` or empty. Such an address would be that of another stream.
 */
export function addressesOf(
  { urls }: Pick<UpstreamFields, 'urls'>,
  { accountId, streamName }: StreamNames,
): UpstreamAddresses | undefined {
  const parts = streamName.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return undefined;
  const expand = (template: string): URL => {
    const [path, ...query] = template.split('?');
    const inPath = fill(path!, encodeURIComponent(accountId), parts.map(encodeURIComponent).join('/'));
    const inQuery = fill(query.join('?'), encodeURIComponent(accountId), encodeURIComponent(streamName));
    return new URL(query.length > 0 ? `${inPath}?${inQuery}` : inPath);
  };
  return { publish: expand(urls.publish), view: expand(urls.view), status: expand(urls.status) };
}

function fill(template: string, accountId: string, name: string): string {
  // One pass: what is filled in must not be taken for a placeholder.
  return template.replaceAll(/\{(?:account|name)\}/g, (found) => (found === '{name}' ? name : accountId));
}

/**
 * The fields after a change. A token that is not given is kept while its address has the same origin: who may change an
 * address must not be able to have the token sent to themselves.
 */
export function changedUpstream(
  before: Pick<UpstreamFields, 'urls' | 'tokens'> | undefined,
  {
    tokens,
    ...fields
  }: Omit<UpstreamFields, 'tokens'> & {
    readonly tokens: Readonly<Record<UpstreamCall, string | null | undefined>>;
  },
): UpstreamFields {
  const tokenOf = (call: UpstreamCall): string | null => {
    const given = tokens[call];
    if (given !== undefined) return given;
    const isSameOrigin = before && originOf(before.urls[call]) === originOf(fields.urls[call]);
    return isSameOrigin ? before.tokens[call] : null;
  };
  return {
    ...fields,
    tokens: { publish: tokenOf('publish'), view: tokenOf('view'), status: tokenOf('status') },
  };
}

/** The origin of an address or a template: what may be shown to everybody who may read changes. */
export function originOf(url: string): string {
  return new URL(url).origin;
}
