import { networkInterfaces } from 'node:os';
import type { SharedSocket } from './transport.js';

/**
 * The addresses an answer names, as `candidate:` lines (RFC 8839 section 5.1).
 *
 * Announced addresses replace what was gathered: who announces knows better, and may hide the rest. Else a process
 * that listens on every interface also names loopback, which gathering leaves out, for the browser next to it.
 */
export function answerCandidates(
  gathered: readonly string[],
  announcedIps: readonly string[],
  { bindAddress, udpPort }: SharedSocket,
  loopback: readonly string[] = LOOPBACK,
): readonly string[] {
  if (announcedIps.length) {
    return announcedIps.map((ip, index) => hostCandidate(`announced${index}`, ip, udpPort, HIGHEST - index));
  }
  const hosts = gathered.filter((candidate) => candidate.includes(' typ host'));
  if (bindAddress !== undefined) return hosts;
  return [...hosts, ...loopback.map((ip, index) => hostCandidate(`loopback${index}`, ip, udpPort, LOWEST - index))];
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

/** They come and go with the machine, and asking takes a while. */
const LOOPBACK = loopbackAddresses();
