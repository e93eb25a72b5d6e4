// The simplest fan-out: a loop over the sockets of `ws` that serializes the event for each.
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { handleCalls } from '../../support/bench-process.js';
import { LoopDelay, type FanOut } from './fan-out.js';

const sockets = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
await new Promise((resolve) => sockets.once('listening', resolve));
const loopDelay = new LoopDelay();
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
  endpoint: () => ({ url: `ws://127.0.0.1:${(sockets.address() as AddressInfo).port}/`, token: '' }),
  async start(): Promise<string> {
    const at = await loopDelay.begin();
    for (const socket of sockets.clients) socket.send(JSON.stringify(event));
    return at;
  },
  longestBlock: () => loopDelay.longestMs,
} satisfies FanOut;

export type PlainFanOut = typeof fanOut;

handleCalls(fanOut);
