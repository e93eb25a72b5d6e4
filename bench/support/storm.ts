// Viewers that come in a storm, each the whole way: the director's call, the websocket, ICE, DTLS and the media.
import { setTimeout as sleep } from 'node:timers/promises';
import { RtpPeer } from '../../test/support/media/rtp-peer.js';
import type { TestClient } from '../../test/support/stream-server.js';
import { answerQuestions, type Acts } from './asked-process.js';
import { FirstPicture } from './first-picture.js';
import { attempt, RefusedError, within } from './misses.js';
import { enter, view } from './waiting-viewer.js';

const PICTURE_WITHIN_MS = 20_000;

interface Viewer {
  readonly peer: RtpPeer;
  readonly client: TestClient;
  packets: number;
}

let viewers: Viewer[] = [];

/** How a viewer fared: how long it took to the last packet of the first picture, or why there was none. */
export type Joined = { readonly ms: number } | { readonly refused: string } | { readonly missed: string };

async function join(origin: string, streamName: string): Promise<Joined> {
  const opening = RtpPeer.open({ role: 'viewer' });
  const joined = await attempt(within(PICTURE_WITHIN_MS, watch(opening, origin, streamName), 'the picture'));
  if (typeof joined === 'number') return { ms: joined };
  const peer = await opening;
  if (!viewers.some((viewer) => viewer.peer === peer)) peer.close();
  return joined instanceof RefusedError ? { refused: joined.code } : { missed: joined.message };
}

/**
 * @returns how long it took, in ms
 * @throws {RefusedError}
 * @throws {NoPictureError}
 */
async function watch(opening: Promise<RtpPeer>, origin: string, streamName: string): Promise<number> {
  const began = performance.now();
  const [peer, client] = await Promise.all([opening, enter(origin, { streamName })]);
  const viewer = { peer, client, packets: 0 };
  viewers.push(viewer);
  const picture = new FirstPicture();
  const pictured = new Promise<number>((resolve) => {
    peer.onRtp = (packet) => {
      viewer.packets++;
      if (!picture.completes(packet)) return;
      resolve(performance.now() - began);
      peer.onRtp = () => viewer.packets++;
    };
  });
  await peer.accept({ answer: await view(client, streamName, peer.offer) });
  return await pictured;
}

const acts = {
  /** So many come, evenly, in that time. */
  async come(storm: { origin: string; streamName: string; viewers: number; overMs: number }): Promise<Joined[]> {
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
