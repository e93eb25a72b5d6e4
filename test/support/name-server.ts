import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';
import type { Cleanup } from './cleanup.js';

const TYPES: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' };
const NAME_ERROR = 3;

/**
 * A name server on the loopback address (RFC 1035).
 * @param addresses by name; a name without an entry does not exist. Undefined: it never answers
 */
export async function nameServer(cleanup: Cleanup, addresses: Readonly<Record<string, readonly string[]>> | undefined) {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, peer) => {
    const { name, type, end } = questionOf(query);
    asked.push(`${TYPES[type]} ${name}`);
    if (!addresses) return;
    const known = addresses[name];
    const records = (known ?? [])
      .map((address) => Buffer.from(ipaddr.parse(address).toByteArray()))
      .filter(({ length }) => length === (TYPES[type] === 'A' ? 4 : 16))
      .map((data) => Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length]), data]));
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180 | (known ? 0 : NAME_ERROR), 2);
    header.writeUInt16BE(records.length, 6);
    header.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  cleanup.after(() => socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, asked };
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}
