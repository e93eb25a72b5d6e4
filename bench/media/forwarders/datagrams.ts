// The lower limit of forwarding in Node: packets of one UDP socket are sent to every port, unencrypted.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { handleCalls, type Handlers } from '../../support/bench-process.js';

const socket = createSocket('udp4');
const ports: number[] = [];
socket.on('message', (packet) => {
  for (const port of ports) socket.send(packet, port, '127.0.0.1');
});
socket.bind(0, '127.0.0.1');
await once(socket, 'listening');

const handlers = {
  port: (_argument: null): number => socket.address().port,
  sendTo(more: readonly number[]): void {
    ports.push(...more);
  },
} satisfies Handlers;

export type Datagrams = typeof handlers;

handleCalls(handlers);
