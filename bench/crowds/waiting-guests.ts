// Viewers without a token who wait, in a process of their own. They do on the wire what those of the package do, and cost
// less: ten thousand of those would learn of the start later than the server tells them.
import { WebSocket } from 'ws';
import { handleCalls, type Handlers } from '../support/bench-process.js';

/** Browsers open few at a time. */
const AT_ONCE = 50;
/** As `watchSilence` asks. */
const ASK_EVERY_MS = 32_000;

const sockets = new Set<WebSocket>();
/** When each was told that the stream is live, in milliseconds since 1970. */
const told: number[] = [];
let lost = 0;

function wait(url: string, data: object): void {
  const socket = new WebSocket(url);
  sockets.add(socket);
  const send = (transId: number, name: string, data?: object) =>
    socket.send(JSON.stringify({ type: 'cmd', transId, name, data }));
  let asking: NodeJS.Timeout | undefined;
  let isTold = false;
  socket.on('open', () => {
    send(0, 'await', data);
    asking = setInterval(() => send(1, 'ping'), ASK_EVERY_MS);
  });
  socket.on('message', (frame) => {
    if (!String(frame).includes('"live":true')) return;
    isTold = true;
    told.push(Date.now());
    socket.close();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    clearInterval(asking);
    sockets.delete(socket);
    if (!isTold) lost += 1;
  });
}

const handlers = {
  async arrive({ origin, stream, guests }: { origin: string; stream: string; guests: number }): Promise<void> {
    const [streamAccountId, streamName] = stream.split('/');
    for (let arrived = 0; arrived < guests; arrived += AT_ONCE) {
      for (let next = 0; next < Math.min(AT_ONCE, guests - arrived); next += 1)
        wait(`${origin.replace(/^http/, 'ws')}/ws/v2/sub`, { streamName, streamAccountId });
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  },

  result(): { told: readonly number[]; lost: number } {
    return { told, lost };
  },
} satisfies Handlers;

export type WaitingGuestsProcess = typeof handlers;

handleCalls(handlers, () => sockets.forEach((socket) => socket.terminate()));
