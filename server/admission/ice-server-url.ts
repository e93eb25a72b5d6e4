import { isIP, isIPv6 } from 'node:net';

/** What RFC 7064 and RFC 7065 have in common: a host, which IPv6 writes in brackets, and perhaps a port. */
const AUTHORITY = String.raw`(?:\[(?<ipv6>[^\]]*)\]|(?<host>[^\s:/?#@[\]]+))(?::(?<port>\d{1,5}))?`;
const STUN = new RegExp(`^stun:${AUTHORITY}$`);
const TURN = new RegExp(`^(?<scheme>turns?):${AUTHORITY}(?:\\?transport=(?<transport>udp|tcp))?$`);
const LABEL = /^(?!-)[a-z\d_-]{1,63}(?<!-)$/i;
const LONGEST_HOST = 253;

/*
 * Strict, because a browser throws on a URL that it cannot read: one bad character would end every session that is
 * given it, and not only the relay.
 */

/** Whether a browser takes it for a STUN server: `stun:stun.example.com`, `stun:192.0.2.1:3478`, `stun:[2001:db8::1]`. */
export function isStunUrl(text: string): boolean {
  return isHostAndPort(STUN.exec(text)?.groups);
}

/** Whether a browser takes it for a TURN server: `turn:turn.example.com:3478?transport=udp`, `turns:…`. */
export function isTurnUrl(text: string): boolean {
  const parts = TURN.exec(text)?.groups;
  // TURN over DTLS is in the grammar and in no browser.
  return isHostAndPort(parts) && !(parts?.['scheme'] === 'turns' && parts['transport'] === 'udp');
}

function isHostAndPort(parts: Readonly<Record<string, string | undefined>> | undefined): boolean {
  if (!parts) return false;
  const { ipv6, host = '', port = '3478' } = parts;
  const isHost = ipv6 === undefined ? isHostName(host) : isIPv6(ipv6) && !ipv6.includes('%');
  return isHost && Number(port) > 0 && Number(port) <= 65_535;
}

function isHostName(host: string): boolean {
  if (/^[\d.]+$/.test(host)) return isIP(host) === 4;
  return host.length <= LONGEST_HOST && host.split('.').every((label) => LABEL.test(label));
}
