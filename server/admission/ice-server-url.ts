import { isIP, isIPv6 } from 'node:net';

/** The part that RFC 7064 and RFC 7065 share: a host, in brackets for IPv6, and an optional port. */
const AUTHORITY = String.raw`(?:\[(?<ipv6>[^\]]*)\]|(?<host>[^\s:/?#@[\]]+))(?::(?<port>\d{1,5}))?`;
const STUN = new RegExp(`^stun:${AUTHORITY}$`);
const TURN = new RegExp(`^(?<scheme>turns?):${AUTHORITY}(?:\\?transport=(?<transport>udp|tcp))?$`);
const LABEL = /^(?!-)[a-z\d_-]{1,63}(?<!-)$/i;
const LONGEST_HOST = 253;

// Strict, because RTCPeerConnection throws on an invalid URL: one bad character would end every session, not only the
// relayed ones.

/** Whether browsers accept it as a STUN URL: `stun:stun.example.com`, `stun:192.0.2.1:3478`, `stun:[2001:db8::1]`. */
export function isStunUrl(text: string): boolean {
  return isHostAndPort(STUN.exec(text)?.groups);
}

/** Whether browsers accept it as a TURN URL: `turn:turn.example.com:3478?transport=udp`, `turns:…`. */
export function isTurnUrl(text: string): boolean {
  const parts = TURN.exec(text)?.groups;
  // The grammar has TURN over DTLS, but no browser supports it.
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
