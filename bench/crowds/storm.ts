// Many viewers that join within seconds. Each makes the director's call, opens a websocket, and receives real media.
import { setTimeout as sleep } from 'node:timers/promises';
import { RtpPeer } from '../../test/support/media/rtp-peer.js';
import type { TestClient } from '../../test/support/stream-server.js';
import { handleCalls, type Handlers } from '../support/bench-process.js';
import { FirstPicture } from '../media/first-picture.js';
import { attempt, RefusedError, within } from './misses.js';
import { enter, view } from './waiting-viewer.js';

const PICTURE_WITHIN_MS = 20_000;

interface Viewer {
  readonly peer: RtpPeer;
  readonly client: TestClient;
  readonly signal: AbortSignal;
  packets: number;
}

let viewers: Viewer[] = [];

/** The result of one viewer: the time to the last packet of the first picture, or why there was none. */
export type Joined = { readonly ms: number } | { readonly refused: string } | { readonly missed: string };

async function joinOne(origin: string, streamName: string): Promise<Joined> {
  const opening = RtpPeer.open({ role: 'viewer' });
  const leaving = new AbortController();
  const watching = watch(opening, { origin, streamName, signal: leaving.signal });
  const joined = await attempt(within(PICTURE_WITHIN_MS, watching, 'the picture'));
  if (typeof joined === 'number') return { ms: joined };
  leaving.abort(joined);
  (await opening).close();
  return joined instanceof RefusedError ? { refused: joined.code } : { missed: joined.message };
}

interface WatchOptions {
  readonly origin: string;
  readonly streamName: string;
  /** Aborted when the result is no longer needed. The socket is closed, now or when it has opened. */
  readonly signal: AbortSignal;
}

/**
 * @returns the time to the first picture, in ms
 * @throws {RefusedError}
 * @throws {NoPictureError}
 */
async function watch(opening: Promise<RtpPeer>, { origin, streamName, signal }: WatchOptions): Promise<number> {
  const began = performance.now();
  const entering = enter(origin, { streamName });
  signal.addEventListener('abort', () => {
    viewers = viewers.filter((viewer) => viewer.signal !== signal);
    void entering.then((client) => client.socket.close(1000)).catch(() => {});
  });
  const [peer, client] = await Promise.all([opening, entering]);
  signal.throwIfAborted();
  const viewer = { peer, client, signal, packets: 0 };
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
  const answer = await view(client, streamName, peer.offer);
  signal.throwIfAborted();
  await peer.accept({ answer });
  return await pictured;
}

const handlers = {
  /** Has `viewers` viewers join, evenly spread over `overMs`. */
  async join(storm: { origin: string; streamName: string; viewers: number; overMs: number }): Promise<Joined[]> {
    const { origin, streamName, overMs } = storm;
    return Promise.all(
      Array.from({ length: storm.viewers }, async (_, index) => {
        await sleep((index * overMs) / storm.viewers);
        return joinOne(origin, streamName);
      }),
    );
  },
  /** @returns how many viewers receive packets within that time */
  async playing(withinMs: number): Promise<number> {
    const before = viewers.map(({ packets }) => packets);
    await sleep(withinMs);
    return viewers.filter(({ packets }, index) => packets > before[index]!).length;
  },
  async leave(_argument: null): Promise<void> {
    for (const { peer, client } of viewers) {
      peer.close();
      client.socket.close(1000);
    }
    await Promise.all(viewers.map(({ client }) => client.closed));
    viewers = [];
  },
} satisfies Handlers;

export type Storm = typeof handlers;

handleCalls(handlers);
