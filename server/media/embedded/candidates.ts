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
): readonly string[] {
  if (announcedIps.length) {
    return announcedIps.map((ip, index) => hostCandidate(`announced${index}`, ip, udpPort, HIGHEST - index));
  }
  const hosts = gathered.filter((candidate) => candidate.includes(' typ host'));
  return bindAddress === undefined ? [...hosts, hostCandidate('loopback', '127.0.0.1', udpPort, 0)] : hosts;
}

/** The best local preference there is; 0 is the last resort. */
const HIGHEST = 65_535;

/** RFC 8445 5.1.2.1: the type preference of a host, then ours, then RTP's component. */
function hostCandidate(foundation: string, ip: string, port: number, preference: number): string {
  const priority = 126 * 2 ** 24 + preference * 2 ** 8 + 255;
  return `candidate:${foundation} 1 UDP ${priority} ${ip} ${port} typ host`;
}
