/** What proxies wrote of where a request came from, the caller first. Undefined for a hop that is no address. */
export type ForwardedHops = readonly (string | undefined)[];

/** The value of X-Forwarded-For: addresses with commas between, which some proxies give a port. */
export function xForwardedFor(header: string): ForwardedHops {
  return header.split(',').map((hop) => withoutPort(hop.trim()));
}

/** One `name=value` of Forwarded and what comes after it. Proxies often leave out the quotes that a port calls for. */
const PAIR = /\s*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s",;]+))\s*([,;]|$)/y;

/**
 * The value of Forwarded (RFC 7239): the `for` of each hop. A hop that hides itself (`unknown`, `_name`) or says no
 * `for` is none that can be told, and so is the only hop of a header that cannot be read.
 */
export function forwardedFor(header: string): ForwardedHops {
  const hops: (string | undefined)[] = [];
  let node: string | undefined;
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < header.length) {
    const [pair, name, quoted, bare, end] = PAIR.exec(header) ?? [];
    if (pair === undefined) return [undefined];
    if (name?.toLowerCase() === 'for') {
      if (node !== undefined) return [undefined];
      node = quoted?.replaceAll(/\\(.)/g, '$1') ?? bare;
    }
    if (end !== ';') {
      hops.push(node === undefined ? undefined : withoutPort(node));
      node = undefined;
    }
  }
  return hops;
}

/** `192.0.2.1:4711`, `[2001:db8::1]:4711` and `[2001:db8::1]` as the address in them; the rest as it is. */
function withoutPort(node: string): string {
  const bracketed = /^\[([^\]]*)\](?::\w+)?$/.exec(node);
  if (bracketed) return bracketed[1]!;
  return /^([\d.]+):\w+$/.exec(node)?.[1] ?? node;
}
