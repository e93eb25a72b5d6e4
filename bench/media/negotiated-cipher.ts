import { RtpPeer } from '../../test/support/media/rtp-peer.js';
import { BenchProcess, type ProcessOptions } from '../support/bench-process.js';
import type { Forwarder } from './forwarders/forwarder.js';
import type { NetworkPath } from './network-path.js';
import type { Receivers } from './receivers.js';
import { HandshakeTap } from './srtp-cipher.js';

const CONNECTED_WITHIN_MS = 10_000;

/**
 * Reads the cipher that a handshake between the forwarder and a viewer chooses. The forwarder is a process of its own,
 * which measures nothing.
 * @param receivers stopped afterwards
 */
export async function negotiatedCipher(
  module: string,
  run: ProcessOptions,
  receivers: BenchProcess<Receivers>,
  { serverAddress, viewerAddress }: NetworkPath,
): Promise<string> {
  const forwarder = await BenchProcess.start<Forwarder>(module, run);
  const publisher = await RtpPeer.open({ role: 'publisher', address: serverAddress });
  let tap: HandshakeTap | undefined;
  try {
    await publisher.accept({ answer: await forwarder.call('publish', publisher.offer) });
    const { first, offers } = await receivers.call('openViewers', { addresses: [viewerAddress(0)], serverAddress });
    const answer = await forwarder.call('view', offers[0]!);
    tap = await HandshakeTap.open(serverAddress, portOf(answer, serverAddress));
    const answers = [withPort(answer, serverAddress, tap.port)];
    await receivers.call('accept', { first, answers, withinMs: CONNECTED_WITHIN_MS });
    return tap.cipher ?? 'an unknown cipher';
  } finally {
    publisher.close();
    await Promise.all([forwarder.stop(), receivers.stop()]);
    tap?.close();
  }
}

const candidate = (address: string) =>
  new RegExp(`(a=candidate:\\S+ 1 udp \\d+ ${address.replaceAll('.', '\\.')} )(\\d+)`, 'i');

const portOf = (answer: string, address: string): number => Number(candidate(address).exec(answer)?.[2]);

/** With the first candidate alone: the peer must not find a way around the tap. */
function withPort(answer: string, address: string, port: number): string {
  const [, before] = candidate(address).exec(answer)!;
  const lines = answer.split('\r\n').filter((line) => !line.startsWith('a=candidate:'));
  return [...lines.slice(0, -1), `${before}${port} typ host`, ''].join('\r\n');
}
