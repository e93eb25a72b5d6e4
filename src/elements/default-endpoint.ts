import { checkEndpoint } from '../wire/endpoint.js';

// Stored on the page, not in the module: with two copies of this package on a page, the page may call the copy that did
// not register the tags.
const KEY = Symbol.for('streamgate.endpoint');
const page = globalThis as { [KEY]?: string };

/**
 * Sets the server for the tags of this page that have no `endpoint`.
 *
 * @throws {TypeError} `origin` is not an http or https URL
 */
export function setDefaultEndpoint(origin: string): void {
  checkEndpoint(origin);
  page[KEY] = origin;
}

/** Sets the server unless another one was set before. The bundle for script tags suggests its own origin. */
export function suggestDefaultEndpoint(origin: string): void {
  page[KEY] ??= origin;
}

/**
 * The server for tags without `endpoint`. If none was set, it is the origin of the page: in an application that bundles
 * the npm package, the URL of a module does not name the server. Empty for a page without http, or on a server.
 */
export function defaultEndpoint(): string {
  const location = globalThis.location as Location | undefined;
  return page[KEY] ?? (location?.protocol.startsWith('http') ? location.origin : '');
}
