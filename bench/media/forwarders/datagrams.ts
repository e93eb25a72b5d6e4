// The lower limit of forwarding in Node: packets of one UDP socket are sent to every port, unencrypted.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { handleCalls, type Handlers } from '../../support/bench-process.js';
import { serverAddress } from './forwarder.js';

interface Endpoint {
  readonly address: string;
  readonly port: number;
}

const socket = createSocket('udp4');
const endpoints: Endpoint[] = [];
socket.on('message', (packet) => {
  for (const { address, port } of endpoints) socket.send(packet, port, address);
});
socket.bind(0, serverAddress);
await once(socket, 'listening');

const handlers = {
  port: (_argument: null): number => socket.address().port,
  sendTo(more: readonly Endpoint[]): void {
    endpoints.push(...more);
  },
} satisfies Handlers;

export type Datagrams = typeof handlers;

handleCalls(handlers);
