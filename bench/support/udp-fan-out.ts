// The least that forwarding can cost in Node: what comes in on one UDP socket goes out to every port, unencrypted.
import { createSocket } from 'node:dgram';

const socket = createSocket('udp4');
let ports: readonly number[] = [];
socket.on('message', (packet) => {
  for (const port of ports) socket.send(packet, port, '127.0.0.1');
});
socket.bind(0, '127.0.0.1', () => process.send!(socket.address().port));
process.on('message', (message: readonly number[]) => (ports = message));
process.on('disconnect', () => process.exit(0));
