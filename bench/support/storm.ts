// Viewers that come in a storm, each the whole way: the director's call, the websocket, ICE, DTLS and the media.
import { setTimeout as sleep } from 'node:timers/promises';
import { RtpPeer } from '../../test/support/media/rtp-peer.js';
import { askDirector, openSocket, type TestClient } from '../../test/support/stream-server.js';
import { answerQuestions, type Acts } from './asked-process.js';
import { FirstPicture } from './first-picture.js';

const PICTURE_WITHIN_MS = 20_000;

interface Viewer {
  readonly peer: RtpPeer;
  readonly client: TestClient;
  packets: number;
}

let viewers: Viewer[] = [];

/** @returns how long it took to the last packet of the first picture, in ms; -1 when none came */
async function join(origin: string, streamName: string): Promise<number> {
  const began = performance.now();
  const [peer, client] = await Promise.all([
    RtpPeer.open({ role: 'viewer' }),
    askDirector({ origin }, 'subscribe', undefined, { streamName, streamAccountId: 'main' }).then(openSocket),
  ]);
  const viewer = { peer, client, packets: 0 };
  viewers.push(viewer);
  const picture = new FirstPicture();
  const pictured = new Promise<number>((resolve) => {
    const giveUp = setTimeout(() => resolve(-1), PICTURE_WITHIN_MS);
    peer.onRtp = (packet) => {
      viewer.packets++;
      if (!picture.completes(packet)) return;
      resolve(performance.now() - began);
      clearTimeout(giveUp);
      peer.onRtp = () => viewer.packets++;
    };
  });
  const { data } = await client.command('view', { streamId: streamName, sdp: peer.offer });
  await peer.accept({ answer: data.sdp });
  return pictured;
}

const acts = {
  /** So many come, evenly, in that time. @returns how long each took; see `join` */
  async come(storm: { origin: string; streamName: string; viewers: number; overMs: number }): Promise<number[]> {
    const { origin, streamName, overMs } = storm;
    return Promise.all(
      Array.from({ length: storm.viewers }, async (_, index) => {
        await sleep((index * overMs) / storm.viewers);
        return join(origin, streamName);
      }),
    );
  },
  /** To how many packets come, within that time. */
  async playing(withinMs: number): Promise<number> {
    const before = viewers.map(({ packets }) => packets);
    await sleep(withinMs);
    return viewers.filter(({ packets }, index) => packets > before[index]!).length;
  },
  async leave(_question: null): Promise<void> {
    for (const { peer, client } of viewers) {
      peer.close();
      client.socket.close(1000);
    }
    await Promise.all(viewers.map(({ client }) => client.closed));
    viewers = [];
  },
} satisfies Acts;

export type Storm = typeof acts;

answerQuestions(acts);
