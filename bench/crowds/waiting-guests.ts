// Viewers without a token who wait, in a process of their own. They do on the wire what those of the package do, and cost
// less: ten thousand of those would learn of the start later than the server tells them. When they are told, all ask the
// director; those of a sample then watch.
import { Agent, request } from 'node:http';
import { WebSocket } from 'ws';
import { RtpPeer } from '../../test/support/media/rtp-peer.js';
import { askDirector, openSocket } from '../../test/support/stream-server.js';
import { handleCalls, type Handlers } from '../support/bench-process.js';

/** How often some of them arrive. */
const ARRIVE_EVERY_MS = 25;
/** As `watchSilence` asks. */
const ASK_EVERY_MS = 32_000;

export interface Arrival {
  readonly origin: string;
  readonly streamName: string;
  readonly guests: number;
  /** Browsers open few at a time. */
  readonly atOnce: number;
  /** They watch when they are told. */
  readonly isSample: boolean;
}

const sockets = new Set<WebSocket>();
const peers = new Set<RtpPeer>();
const agent = new Agent({ keepAlive: true, maxSockets: 200 });
/** When each was told that the stream is live, in milliseconds since 1970. */
const told: number[] = [];
/** When the first packet of media reached those of the sample. */
const played: number[] = [];
const refused: string[] = [];
let lost = 0;

function wait(arrival: Arrival): void {
  const { origin, streamName } = arrival;
  const socket = new WebSocket(`${origin.replace(/^http/, 'ws')}/ws/v2/sub`);
  sockets.add(socket);
  const send = (transId: number, name: string, data?: object) =>
    socket.send(JSON.stringify({ type: 'cmd', transId, name, data }));
  let asking: NodeJS.Timeout | undefined;
  let isTold = false;
  socket.on('open', () => {
    send(0, 'await', { streamName, streamAccountId: 'main' });
    asking = setInterval(() => send(1, 'ping'), ASK_EVERY_MS);
  });
  socket.on('message', (frame) => {
    if (!String(frame).includes('"live":true')) return;
    isTold = true;
    told.push(Date.now());
    socket.close();
    const asks = arrival.isSample ? watch(arrival) : ask(arrival);
    asks.catch((error: unknown) => refused.push(String(error)));
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    clearInterval(asking);
    sockets.delete(socket);
    if (!isTold) lost += 1;
  });
}

/** As the client of the package: the offer goes with the director's call, and the websocket follows. */
async function watch({ origin, streamName }: Arrival): Promise<void> {
  const peer = await RtpPeer.open({ role: 'viewer' });
  peers.add(peer);
  peer.onRtp = () => {
    played.push(Date.now());
    peer.onRtp = () => {};
  };
  const view = { streamId: streamName, sdp: peer.offer, events: ['active', 'inactive', 'viewercount'] };
  const answer = await askDirector({ origin }, 'subscribe', undefined, { streamName, streamAccountId: 'main', view });
  if (answer.status !== 200) throw new Error(`refused: ${answer.body.data.code}`);
  const attached = openSocket(answer).then((client) => {
    sockets.add(client.socket);
    return client.command('attach', {});
  });
  await peer.accept({ answer: answer.body.data.view.sdp });
  await attached;
}

/** Nobody can hold ten thousand peers beside the server: these ask, and are answered without media. */
async function ask({ origin, streamName }: Arrival): Promise<void> {
  const body = JSON.stringify({ streamName, streamAccountId: 'main' });
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const call = request(`${origin}/api/director/subscribe`, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    });
    call.on('error', reject);
    call.end(body);
  });
  if (status !== 200) throw new Error(`refused: status ${status}`);
}

const handlers = {
  async arrive(arrival: Arrival): Promise<void> {
    const { guests, atOnce } = arrival;
    for (let arrived = 0; arrived < guests; arrived += atOnce) {
      for (let next = 0; next < Math.min(atOnce, guests - arrived); next += 1) wait(arrival);
      await new Promise((resolve) => setTimeout(resolve, ARRIVE_EVERY_MS));
    }
  },

  result(): { told: readonly number[]; played: readonly number[]; refused: readonly string[]; lost: number } {
    return { told, played, refused, lost };
  },
} satisfies Handlers;

export type WaitingGuestsProcess = typeof handlers;

handleCalls(handlers, () => {
  for (const socket of sockets) socket.terminate();
  for (const peer of peers) peer.close();
  agent.destroy();
});
