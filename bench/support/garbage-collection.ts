import { once } from 'node:events';
import { WebSocket } from 'ws';

/** For `NODE_OPTIONS` of a process whose garbage is collected by `collectGarbage`. */
export const INSPECTED = '--inspect=127.0.0.1:0';

/**
 * Has a process collect all its garbage. V8 itself collects rarely where there is much memory, so a process grows for
 * many minutes though it keeps nothing.
 * @param output what the process has written so far, with the address of its inspector
 * @returns the size of what the process keeps in its heap, in bytes
 */
export async function collectGarbage(output: string): Promise<number> {
  const url = [...output.matchAll(/Debugger listening on (ws:\S+)/g)].at(-1)?.[1];
  if (!url) throw new Error('the process was not started with an inspector');
  const socket = new WebSocket(url);
  try {
    await once(socket, 'open');
    await command(socket, 'HeapProfiler.collectGarbage');
    const { usedSize, backingStorageSize = 0 } = await command(socket, 'Runtime.getHeapUsage');
    return Number(usedSize) + Number(backingStorageSize);
  } finally {
    socket.terminate();
  }
}

async function command(socket: WebSocket, method: string): Promise<Record<string, unknown>> {
  socket.send(JSON.stringify({ id: 1, method }));
  for (;;) {
    const [data] = await once(socket, 'message');
    const { id, result } = JSON.parse(String(data));
    if (id === 1) return result;
  }
}
