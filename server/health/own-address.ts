const EVERY_ADDRESS: ReadonlySet<string | undefined> = new Set([undefined, '', '0.0.0.0', '::']);

/** Where the server reaches a port of its own. @param host as configured; undefined: all addresses */
export function ownAddress(host: string | undefined): string {
  return host === undefined || EVERY_ADDRESS.has(host) ? '127.0.0.1' : host;
}
