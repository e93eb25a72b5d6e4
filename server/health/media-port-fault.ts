import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const TABLES = ['/proc/net/udp', '/proc/net/udp6'];
/** Not STUN, DTLS or RTP (RFC 7983): the process drops it without an answer. */
const DATAGRAM = Buffer.of(0xff);
/** A process that reads its port empties it far more often. */
const READS = 10;
const READ_EVERY_MS = 300;

export interface MediaPortOptions {
  /** Undefined: all addresses. */
  readonly address: string | undefined;
  readonly port: number;
}

/**
 * Sends a datagram to the port of a media process, and looks whether the process takes it: its event loop may answer
 * while the thread that reads the port does not. Systems other than Linux show only whether the port is open.
 * @returns why media does not arrive. Undefined: it does
 */
export async function mediaPortFault({ address = '127.0.0.1', port }: MediaPortOptions): Promise<string | undefined> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  try {
    const refused = await send(socket, port, address);
    if (refused !== undefined) return refused;
    return (await isStanding(port)) ? 'packets stay in the buffer of its port' : undefined;
  } finally {
    socket.close();
  }
}

/** A closed port of this machine is told by the next call on the socket. */
async function send(socket: Socket, port: number, address: string): Promise<string | undefined> {
  const failed = once(socket, 'error').then(([error]) => String(error.code ?? error.message));
  socket.connect(port, address);
  await Promise.race([once(socket, 'connect'), failed]);
  for (let count = 0; count < 2; count += 1) {
    const sent = new Promise<string | undefined>((resolve) =>
      socket.send(DATAGRAM, (error) => resolve(error ? error.message : undefined)),
    );
    const fault = await Promise.race([sent, failed]);
    if (fault !== undefined) return fault.includes('ECONNREFUSED') ? 'its port is closed' : undefined;
  }
  return undefined;
}

/** Whether the buffer of the port never gets smaller. */
async function isStanding(port: number): Promise<boolean> {
  let before = 0;
  for (let count = 0; count < READS; count += 1) {
    const waiting = await waitingBytes(port);
    if (waiting === 0 || waiting < before) return false;
    before = waiting;
    await pause(READ_EVERY_MS);
  }
  return true;
}

/** What arrived at a port and was not read, in bytes. 0 also where the system does not show it. */
async function waitingBytes(port: number): Promise<number> {
  const tables = await Promise.all(TABLES.map((table) => readFile(table, 'utf8').catch(() => '')));
  return Math.max(0, ...tables.flatMap((table) => waitingIn(table, port)));
}

/** By https://www.kernel.org/doc/Documentation/networking/proc_net_tcp.txt, which has the columns of UDP too. */
export function waitingIn(table: string, port: number): number[] {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return table.split('\n').flatMap((line) => {
    const [, local = '', , , queues = ''] = line.trim().split(/\s+/);
    return local.endsWith(ending) ? Number.parseInt(queues.split(':')[1] ?? '0', 16) : [];
  });
}
