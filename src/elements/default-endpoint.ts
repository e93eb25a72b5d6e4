import { checkEndpoint } from '../wire/endpoint.js';

// On the page, not in the module: with two copies of this package on a page, the one that did not register the tags may
// be the one that is told.
const KEY = Symbol.for('streamgate.endpoint');
const page = globalThis as { [KEY]?: string };

/**
 * Where the tags of this page ask when they have no `endpoint` of their own.
 * @throws {TypeError} it is no URL, or one without `https://` or `http://`
 */
export function setDefaultEndpoint(origin: string): void {
  checkEndpoint(origin);
  page[KEY] = origin;
}

/** For those who only guess, such as the file for script tags by where it came from: what was said before holds. */
export function suggestDefaultEndpoint(origin: string): void {
  page[KEY] ??= origin;
}

/**
 * Installed from npm the code is bundled into an application, so that the address of a module says nothing about
 * the server: the page's own origin is the better guess. Empty where there is none (a file, a server).
 */
export function defaultEndpoint(): string {
  const location = globalThis.location as Location | undefined;
  return page[KEY] ?? (location?.protocol.startsWith('http') ? location.origin : '');
}
