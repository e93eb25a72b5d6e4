import { isIP } from 'node:net';
import { getDomain } from 'tldts';
import { weakMemoize } from '../../weak-memoize.js';

/** Wildcard, host and port. The host is validated later. */
const HOST_AND_PORT = /^(\*\.)?(\[[^\]]*\]|[^:[\]]+)(?::([1-9]\d{0,4}))?$/;

/** Characters that no origin contains. `URL` would drop some of them and accept the rest of the text. */
const FORBIDDEN = /[\p{Cc}\p{Zs}\p{Zl}\p{Zp}%\\]/u;

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const MAX_HOST_LENGTH = 253;
/** The scheme, a host with a dot at its end, and the port. The host of an origin is in punycode. */
const LONGEST_ORIGIN = 'https://'.length + MAX_HOST_LENGTH + '.:65535'.length;

/** Of apps, which serve their pages themselves: `tauri`, `capacitor`, `chrome-extension`. Their hosts are no domains. */
const APP_ORIGIN = /^([a-z][a-z0-9+.-]*):\/\/[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?(?::[1-9]\d{0,4})?$/;
/** Schemes of the web and of files, whose pages have another origin or none. */
const NOT_OF_APPS: ReadonlySet<string> = new Set([
  'about',
  'blob',
  'data',
  'file',
  'filesystem',
  'ftp',
  'http',
  'https',
  'javascript',
  'view-source',
  'ws',
  'wss',
]);

type Scheme = 'http' | 'https';
const DEFAULT_PORT: Readonly<Record<Scheme, string>> = { http: '80', https: '443' };

/** The text is no origin pattern. The message is for the author of the text and does not repeat it. */
export class InvalidOriginPatternError extends Error {
  override name = 'InvalidOriginPatternError';
}

/**
 * The canonical text of an origin pattern: `example.com` (any scheme and port), `example.com:8443` (any scheme),
 * `https://example.com` or `https://example.com:8443` (exactly that origin). With `*.` before the host, it matches the
 * subdomains of every depth, but not the host itself. The canonical host is in lower case and punycode. The default
 * port of a scheme is left out. The origin of an app, such as `tauri://localhost`, matches itself alone.
 * @throws {InvalidOriginPatternError}
 */
export function canonicalOriginPattern(text: string): string {
  if (FORBIDDEN.test(text)) return invalid('must not contain a space, a control character, a % or a backslash');
  if (text === '*') return invalid('must be a host; leave the list empty to permit every page');
  if (text === 'null') return invalid('must be a host; pages whose origin is null cannot be told apart');
  const [, before = '', hostAndPort = ''] = /^(?:(.*?):\/\/)?(.*)$/.exec(text) ?? [];
  const scheme = before.toLowerCase();
  if (/[/?#@]/.test(hostAndPort)) return invalid('must have only scheme, host and port: no path, query or login');
  const ofApp = appOrigin(text);
  if (ofApp !== undefined) return ofApp;
  if (!isScheme(scheme) && text.includes('://')) {
    return invalid(
      'must have the scheme http or https, or none, or be the origin of an app, such as tauri://localhost',
    );
  }
  const [match, wildcard = '', written = '', port = ''] = HOST_AND_PORT.exec(hostAndPort) ?? [];
  if (match === undefined) return invalid('must be like example.com, *.example.com or https://example.com:8443');
  if (Number(port) > 65_535) return invalid('must have a port of at most 65535');
  const host = canonicalHost(written);
  if (wildcard) checkWildcard(host);
  if (!isScheme(scheme)) return `${wildcard}${host}${port && `:${port}`}`;
  return `${scheme}://${wildcard}${host}${port && port !== DEFAULT_PORT[scheme] ? `:${port}` : ''}`;
}

const matchAll = (): boolean => true;

/** Whether a page with this origin may use the token. */
type OriginMatcher = (origin: string | undefined) => boolean;

/**
 * Compiles patterns in canonical form into a test of origins. An empty list permits every origin, and a client that
 * sends none. Any other list permits only an origin as browsers write it: a URL of scheme, host and optional port.
 */
export function originMatcher(patterns: readonly string[]): OriginMatcher {
  return patterns.length === 0 ? matchAll : matcherOf(patterns.join(' '));
}

const matcherOf = weakMemoize((list): OriginMatcher => {
  const patterns = list.split(' ');
  const keys = new Set(patterns.map(withPort));
  const anyWildcard = patterns.some((pattern) => pattern.includes('*'));
  return cacheLast((origin) => {
    const page = readOrigin(origin);
    if (!page) return keys.has(appOrigin(origin) ?? '');
    if (permitsHost(keys, page, page.host)) return true;
    if (!anyWildcard) return false;
    for (let dot = page.host.indexOf('.'); dot !== -1; dot = page.host.indexOf('.', dot + 1)) {
      if (permitsHost(keys, page, `*${page.host.slice(dot)}`)) return true;
    }
    return false;
  });
});

/** Most viewers use the same page, and parsing an origin costs more than the rest of a decision. */
function cacheLast(permits: (origin: string) => boolean): OriginMatcher {
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

/** Adds the default port to a full origin, so that one look-up finds it. */
function withPort(pattern: string): string {
  const scheme = /^(https?):/.exec(pattern)?.[1];
  return isScheme(scheme) && !/:\d+$/.test(pattern) ? `${pattern}:${DEFAULT_PORT[scheme]}` : pattern;
}

/** Undefined for an origin that no browser sends: `null`, another scheme, a path, a host that `URL` would correct. */
function readOrigin(text: string): Page | undefined {
  const url = text.length <= LONGEST_ORIGIN ? URL.parse(text) : null;
  const scheme = url?.protocol.slice(0, -1);
  if (!url || !isScheme(scheme)) return undefined;
  const front = `${scheme}://${url.hostname}`;
  const origin = text.toLowerCase();
  if (!origin.startsWith(front) || !/^(?::\d{1,5})?$/.test(origin.slice(front.length))) return undefined;
  const host = withoutDot(url.hostname);
  // URL accepts them, and `.example.com` would be below `*.example.com`.
  if (host.split('.').includes('')) return undefined;
  return { scheme, host, port: url.port || DEFAULT_PORT[scheme] };
}

/** In lower case. Undefined: it is not the origin of an app. */
function appOrigin(text: string): string | undefined {
  const origin = text.length <= LONGEST_ORIGIN ? text.toLowerCase() : '';
  const [, scheme] = APP_ORIGIN.exec(origin) ?? [];
  return scheme === undefined || NOT_OF_APPS.has(scheme) ? undefined : origin;
}

function canonicalHost(written: string): string {
  const host = withoutDot(URL.parse(`http://${written}`)?.hostname ?? '');
  // URL reads 127.1 and 0x7f.1 as addresses, and so do browsers. The author may have meant something else.
  if (isIP(host) === 4 && withoutDot(written) !== host) return invalid('must have its IP address in the usual form');
  if (host.startsWith('[')) return host;
  if (host.length > MAX_HOST_LENGTH || !host.split('.').every((label) => LABEL.test(label))) {
    return invalid('must have a valid host name');
  }
  return host;
}

/** A trailing dot names the DNS root and makes no difference. */
function withoutDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

/** Refuses `*.com` and `*.github.io`, where everyone can get a subdomain. */
function checkWildcard(host: string): void {
  if (isIP(host) !== 0 || host.startsWith('[')) invalid('must be a domain: an IP address has no subdomains');
  if (getDomain(host, { allowPrivateDomains: true }) === null) {
    invalid('would permit the sites of other people: after *. there must be a domain of your own, as in *.example.com');
  }
}

function invalid(message: string): never {
  throw new InvalidOriginPatternError(message);
}
