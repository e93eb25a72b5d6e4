let chosen: string | undefined;

/** Where the tags of this page ask when they have no `endpoint` of their own. The CDN file sets the origin it came from. */
export function setDefaultEndpoint(origin: string): void {
  chosen = origin;
}

/**
 * Installed from npm the code is bundled into an application, so that the address of a module says nothing about
 * the server: the page's own origin is the better guess. Empty where there is none (a file, a server).
 */
export function defaultEndpoint(): string {
  const page = globalThis.location as Location | undefined;
  return chosen ?? (page?.protocol.startsWith('http') ? page.origin : '');
}
