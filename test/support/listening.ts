import { once } from 'node:events';
import { connect } from 'node:net';
import { until } from './media/until.ts';

/** Connects to a port of the loopback address until it is open. @param check throws if the server has ended */
export async function listening(port: number, check: () => void): Promise<void> {
  await until(`port ${port} is open`, async () => {
    check();
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    return isOpen;
  });
}
