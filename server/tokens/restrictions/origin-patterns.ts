import { isIP } from 'node:net';
import { getDomain } from 'tldts';
import { canonicalList, InvalidEntryError } from './canonical-list.js';
import { weakMemoize } from './weak-memoize.js';

/** Wildcard, host and port, before anything is known of the host. */
const PLACE = /^(\*\.)?(\[[^\]]*\]|[^:[\]]+)(?::([1-9]\d{0,4}))?$/;

/** What no scheme, host or port has in it; `URL` would drop some of these and read the rest. */
const STRANGE = /[\p{Cc}\p{Zs}\p{Zl}\p{Zp}%\\]/u;

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const MAX_HOST_LENGTH = 253;

type Scheme = 'http' | 'https';
const DEFAULT_PORT: Readonly<Record<Scheme, string>> = { http: '80', https: '443' };

/**
 * An entry of `allowedOrigins` as it is kept: `example.com` (any scheme and port), `example.com:8443` (any scheme),
 * `https://example.com` or `https://example.com:8443` (just that), each also with `*.` before the host for its
 * subdomains of every depth, itself left out. Hosts are in lower case and punycode, ports that a scheme implies left
 * out.
 * @throws {InvalidEntryError}
 */
export function canonicalOriginPattern(text: string): string {
  if (STRANGE.test(text)) return unreadable('has a space, a control character, a % or a backslash in it');
  if (text === '*') return unreadable('an empty list permits every page');
  if (text === 'null') return unreadable('pages without an origin cannot be told apart, so they cannot be named');
  const [, before = '', place = ''] = /^(?:(.*?):\/\/)?(.*)$/.exec(text) ?? [];
  const scheme = before.toLowerCase();
  if (/[/?#@]/.test(place)) return unreadable('has more than scheme, host and port: no path, query or login');
  if (!isScheme(scheme) && text.includes('://')) return unreadable('has a scheme that is neither http nor https');
  const [match, wildcard = '', written = '', port = ''] = PLACE.exec(place) ?? [];
  if (match === undefined) return unreadable('must be like example.com, *.example.com or https://example.com:8443');
  if (Number(port) > 65_535) return unreadable('has a port beyond 65535');
  const host = canonicalHost(written);
  if (wildcard) checkWildcard(host);
  if (!isScheme(scheme)) return `${wildcard}${host}${port && `:${port}`}`;
  return `${scheme}://${wildcard}${host}${port && port !== DEFAULT_PORT[scheme] ? `:${port}` : ''}`;
}

/**
 * The whole of `allowedOrigins` as it is kept, each entry once.
 * @throws {InvalidRequestError} `invalid_origin`
 */
export function checkOrigins(field: string, list: readonly string[]): string[] {
  return canonicalList(field, list, canonicalOriginPattern, { code: 'invalid_origin' });
}

const EVERY_PAGE = (): boolean => true;

/** Whether a page, by its origin, may use the token. */
type OriginMatcher = (origin: string | undefined) => boolean;

/**
 * A test for "may this page use the token", from patterns in canonical form. An empty list permits every page, and
 * callers without one. Else the origin must be one: a URL of scheme, host and perhaps port, as browsers write it.
 */
export function originMatcher(patterns: readonly string[]): OriginMatcher {
  return patterns.length === 0 ? EVERY_PAGE : matcherOf(patterns.join(' '));
}

const matcherOf = weakMemoize((list): OriginMatcher => {
  const patterns = list.split(' ');
  const keys = new Set(patterns.map(withPort));
  const anyWildcard = patterns.some((pattern) => pattern.includes('*'));
  return rememberingTheLast((origin) => {
    const page = readOrigin(origin);
    if (!page) return false;
    if (permitsHost(keys, page, page.host)) return true;
    if (!anyWildcard) return false;
    for (let dot = page.host.indexOf('.'); dot !== -1; dot = page.host.indexOf('.', dot + 1)) {
      if (permitsHost(keys, page, `*${page.host.slice(dot)}`)) return true;
    }
    return false;
  });
});

/** Viewers come from one page mostly, and to read an origin costs more than the rest of a decision. */
function rememberingTheLast(permits: (origin: string) => boolean): OriginMatcher {
  let last: string | undefined;
  let isPermitted = false;
  return (origin) => {
    if (origin === undefined) return false;
    if (origin !== last) {
      isPermitted = permits(origin);
      last = origin;
    }
    return isPermitted;
  };
}

interface Page {
  readonly scheme: string;
  readonly host: string;
  readonly port: string;
}

function permitsHost(keys: ReadonlySet<string>, { scheme, port }: Page, host: string): boolean {
  return keys.has(host) || keys.has(`${host}:${port}`) || keys.has(`${scheme}://${host}:${port}`);
}

function isScheme(text: string | undefined): text is Scheme {
  return text === 'http' || text === 'https';
}

/** A full origin with its port written out, so that one look-up finds it. */
function withPort(pattern: string): string {
  const scheme = /^(https?):/.exec(pattern)?.[1];
  return isScheme(scheme) && !/:\d+$/.test(pattern) ? `${pattern}:${DEFAULT_PORT[scheme]}` : pattern;
}

/** Undefined for what no browser sends: `null`, another scheme, a path, a host that `URL` would have to mend. */
function readOrigin(text: string): Page | undefined {
  const url = URL.parse(text);
  const scheme = url?.protocol.slice(0, -1);
  if (!url || !isScheme(scheme)) return undefined;
  const front = `${scheme}://${url.hostname}`;
  const origin = text.toLowerCase();
  if (!origin.startsWith(front) || !/^(?::\d{1,5})?$/.test(origin.slice(front.length))) return undefined;
  return { scheme, host: withoutDot(url.hostname), port: url.port || DEFAULT_PORT[scheme] };
}

function canonicalHost(written: string): string {
  const host = withoutDot(URL.parse(`http://${written}`)?.hostname ?? '');
  // URL reads 127.1 and 0x7f.1 as addresses, and so do browsers; whoever wrote that may have meant something else.
  if (isIP(host) === 4 && withoutDot(written) !== host) return unreadable('has an IP address in an odd form');
  if (host.startsWith('[')) return host;
  if (host.length > MAX_HOST_LENGTH || !host.split('.').every((label) => LABEL.test(label))) {
    return unreadable('has no host name that can be read');
  }
  return host;
}

/** The root's dot at the end says nothing. */
function withoutDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

/** Refuses `*.com` and `*.github.io`: whose subdomains anybody may have. */
function checkWildcard(host: string): void {
  if (isIP(host) !== 0 || host.startsWith('[')) unreadable('an IP address has no subdomains');
  if (getDomain(host, { allowPrivateDomains: true }) === null) {
    unreadable('would cover sites of strangers: the part after *. must be a domain of its own, as in *.example.com');
  }
}

function unreadable(message: string): never {
  throw new InvalidEntryError(message);
}
