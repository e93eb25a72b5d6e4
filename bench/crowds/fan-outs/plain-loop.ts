// The shortest way to tell everybody: a loop over the sockets of `ws`, and an event written down for each.
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { handleCalls } from '../../support/bench-process.js';
import { LoopWatch, type FanOut } from './fan-out.js';

const sockets = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
await new Promise((resolve) => sockets.once('listening', resolve));
const watch = new LoopWatch();
const event = {
  type: 'event',
  name: 'active',
  data: {
    streamId: 'main/main',
    sourceId: null,
    tracks: [
      { trackId: '0', media: 'video' },
      { trackId: '1', media: 'audio' },
    ],
  },
};

const fanOut = {
  place: () => ({ url: `ws://127.0.0.1:${(sockets.address() as AddressInfo).port}/`, token: '' }),
  async start(): Promise<string> {
    const at = await watch.begin();
    for (const socket of sockets.clients) socket.send(JSON.stringify(event));
    return at;
  },
  longestBlock: () => watch.longestMs,
} satisfies FanOut;

export type PlainFanOut = typeof fanOut;

handleCalls(fanOut);
