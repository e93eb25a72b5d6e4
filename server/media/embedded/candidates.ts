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
  if (announcedIps.length) return announcedIps.map((ip, index) => hostCandidate(ip, udpPort, index + 1));
  const hosts = gathered.filter((candidate) => candidate.includes(' typ host'));
  return bindAddress === undefined ? [...hosts, hostCandidate('127.0.0.1', udpPort, hosts.length + 1)] : hosts;
}

/** RFC 8445 5.1.2.1: type preference of a host, then the order given, then RTP. */
function hostCandidate(ip: string, port: number, position: number): string {
  const priority = 126 * 2 ** 24 + (65_535 - position) * 2 ** 8 + 255;
  return `candidate:a${position} 1 UDP ${priority} ${ip} ${port} typ host`;
}
