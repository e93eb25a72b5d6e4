import { networkInterfaces } from 'node:os';
import type { SharedUdpSocket } from './webrtc-transport.js';

export interface MediaPorts extends SharedUdpSocket {
  /** Where we are called over TCP. Undefined: nowhere. */
  readonly tcpPort?: number | undefined;
}

/**
 * The addresses an answer names, as `candidate:` lines (RFC 8839 section 5.1).
 *
 * Announced addresses replace what was gathered: who announces knows better, and may hide the rest. Else a process
 * that listens on every interface also names loopback, which gathering leaves out, for the browser next to it.
 */
export function answerCandidates(
  gathered: readonly string[],
  announcedIps: readonly string[],
  { bindAddress, udpPort, tcpPort }: MediaPorts,
  loopback: readonly string[] = LOOPBACK,
): readonly string[] {
  const overTcp = (ips: readonly string[]) =>
    tcpPort === undefined ? [] : ips.map((ip, index) => tcpCandidate(`tcp${index}`, ip, tcpPort, index));
  if (announcedIps.length) {
    const announced = announcedIps.map((ip, index) => hostCandidate(`announced${index}`, ip, udpPort, HIGHEST - index));
    return [...announced, ...overTcp(announcedIps)];
  }
  const hosts = gathered.filter((candidate) => candidate.includes(' typ host'));
  const reached = [...hosts, ...overTcp(hosts.map((candidate) => candidate.split(' ')[4]!))];
  if (bindAddress !== undefined) return reached;
  return [...reached, ...loopback.map((ip, index) => hostCandidate(`loopback${index}`, ip, udpPort, LOWEST - index))];
}

/** The loopback addresses of the families that this machine has: IPv6 may be off. */
export function loopbackAddresses(): string[] {
  const here = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return ['127.0.0.1', '::1'].filter((loopback) => here.some(({ address }) => address === loopback));
}

/** Local preferences (RFC 8445 5.1.2.1): the best there is, and the last resorts. */
const HIGHEST = 65_535;
const LOWEST = 1;

/** RFC 8445 5.1.2.1: the type preference of a host, then ours, then RTP's component. */
function hostCandidate(foundation: string, ip: string, port: number, preference: number): string {
  const priority = 126 * 2 ** 24 + preference * 2 ** 8 + 255;
  return `candidate:${foundation} 1 UDP ${priority} ${ip} ${port} typ host`;
}

/**
 * RFC 6544 4.2: the type preference is below that of all over UDP, so that TCP is for those who have nothing else; the
 * upper three bits of ours are those of who is called.
 */
function tcpCandidate(foundation: string, ip: string, port: number, index: number): string {
  const preference = 4 * 2 ** 13 + (2 ** 13 - 1 - index);
  const priority = 90 * 2 ** 24 + preference * 2 ** 8 + 255;
  return `candidate:${foundation} 1 TCP ${priority} ${ip} ${port} typ host tcptype passive`;
}

/** They come and go with the machine, and asking takes a while. */
const LOOPBACK = loopbackAddresses();
