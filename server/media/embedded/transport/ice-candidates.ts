import { networkInterfaces } from 'node:os';
import type { SharedUdpSocket } from './webrtc-transport.js';

export interface MediaPorts extends SharedUdpSocket {
  /** The port for ICE-TCP. Undefined: none. */
  readonly tcpPort?: number | undefined;
}

/**
 * The candidates of an answer, as `candidate:` lines (RFC 8839 section 5.1).
 *
 * Announced addresses replace the gathered ones, which may be private. Otherwise a process that listens on every
 * interface adds its loopback addresses, which gathering leaves out, for a browser on the same machine.
 */
export function answerCandidates(
  gathered: readonly string[],
  announcedIps: readonly string[],
  { bindAddress, udpPort, tcpPort }: MediaPorts,
  loopback: readonly string[],
): readonly string[] {
  const overTcp = (ips: readonly string[]) =>
    tcpPort === undefined ? [] : ips.map((ip, index) => tcpCandidate(`tcp${index}`, ip, tcpPort, index));
  if (announcedIps.length) {
    const announced = announcedIps.map((ip, index) =>
      hostCandidate(`announced${index}`, ip, udpPort, MAX_PREFERENCE - index),
    );
    return [...announced, ...overTcp(announcedIps)];
  }
  const hosts = gathered.filter((candidate) => candidate.includes(' typ host'));
  const candidates = [...hosts, ...overTcp(hosts.map((candidate) => candidate.split(' ')[4]!))];
  if (bindAddress !== undefined) return candidates;
  const local = loopback.map((ip, index) => hostCandidate(`loopback${index}`, ip, udpPort, MIN_PREFERENCE - index));
  return [...candidates, ...local];
}

/** The loopback addresses of the address families that this machine has: IPv6 may be off. */
export function loopbackAddresses(): string[] {
  const here = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return ['127.0.0.1', '::1'].filter((loopback) => here.some(({ address }) => address === loopback));
}

/** Local preferences (RFC 8445 section 5.1.2.1). */
const MAX_PREFERENCE = 65_535;
const MIN_PREFERENCE = 1;

/** The priority combines the type preference of a host, the local preference and RTP's component (RFC 8445 5.1.2.1). */
function hostCandidate(foundation: string, ip: string, port: number, preference: number): string {
  const priority = 126 * 2 ** 24 + preference * 2 ** 8 + 255;
  return `candidate:${foundation} 1 UDP ${priority} ${ip} ${port} typ host`;
}

/**
 * RFC 6544 section 4.2: a type preference below all UDP candidates, so that TCP is used only without UDP. The upper
 * three bits of the local preference stand for a passive candidate.
 */
function tcpCandidate(foundation: string, ip: string, port: number, index: number): string {
  const preference = 4 * 2 ** 13 + (2 ** 13 - 1 - index);
  const priority = 90 * 2 ** 24 + preference * 2 ** 8 + 255;
  return `candidate:${foundation} 1 TCP ${priority} ${ip} ${port} typ host tcptype passive`;
}
