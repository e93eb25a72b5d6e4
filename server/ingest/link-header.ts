import type { IceServer } from '../admission/ice-servers.js';

/** One link of a `Link` header (RFC 8288). */
export interface Link {
  readonly target: string;
  readonly rel: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** A `Link` header for these links; undefined when there is none. Some clients split it at a comma before a `<`. */
export function linkHeader(links: readonly Link[]): string | undefined {
  return links.length > 0 ? links.map(written).join(', ') : undefined;
}

/** One link for each address of a server, as RFC 9725 section 4.6 tells clients of STUN and TURN servers. */
export function iceServerLinks(servers: readonly IceServer[]): Link[] {
  return servers.flatMap(({ urls, username, credential }) =>
    urls.map((target) => ({
      target,
      rel: 'ice-server',
      ...(username !== undefined &&
        credential !== undefined && { attributes: { username, credential, 'credential-type': 'password' } }),
    })),
  );
}

function written({ target, rel, attributes = {} }: Link): string {
  const parameters = Object.entries({ rel, ...attributes }).map(([name, value]) => `; ${name}=${quoted(value)}`);
  return `<${target}>${parameters.join('')}`;
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
