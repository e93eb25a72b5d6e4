/** The hops of a request, the caller first. Undefined: a hop that names no address. */
export type ForwardedHops = readonly (string | undefined)[];

/** Nobody has more proxies in a row. A caller can write any number to the left of them. */
const MOST_HOPS = 64;
/** Each hop has `for`, `by`, `host` and `proto`. */
const MOST_PAIRS = 4 * MOST_HOPS;

/** Parses X-Forwarded-For: addresses separated by commas. Some proxies add a port. The rightmost hops are enough. */
export function xForwardedFor(header: string): ForwardedHops {
  return header
    .split(',')
    .slice(-MOST_HOPS)
    .map((hop) => withoutPort(hop.trim()));
}

/**
 * One `name=value` of Forwarded and the separator after it. A value with a port should be quoted; proxies that leave out
 * the quotes are accepted.
 */
const PAIR = /\s*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s",;]+))\s*([,;]|$)/y;

/**
 * Parses Forwarded (RFC 7239): the `for` of each hop. A hop without `for`, or with `unknown` or `_name`, names no address.
 * A header that breaks the syntax, has too many pairs, or has two `for` in a hop, gives one hop without an address. Why
 * this is not the package forwarded-parse: docs/decisions/0021.
 */
export function forwardedFor(header: string): ForwardedHops {
  const hops: (string | undefined)[] = [];
  let node: string | undefined;
  PAIR.lastIndex = 0;
  for (let pairs = 1; PAIR.lastIndex < header.length; pairs++) {
    if (pairs > MOST_PAIRS) return [undefined];
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

/** The address in `192.0.2.1:4711`, `[2001:db8::1]:4711` and `[2001:db8::1]`. Other text is returned unchanged. */
function withoutPort(node: string): string {
  const bracketed = /^\[([^\]]*)\](?::\w+)?$/.exec(node);
  if (bracketed) return bracketed[1]!;
  return /^([\d.]+):\w+$/.exec(node)?.[1] ?? node;
}
