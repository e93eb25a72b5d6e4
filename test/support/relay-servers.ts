import { receiverReport } from '../../server/media/embedded/rtcp/rtcp.js';
import type { Cleanup } from './cleanup.js';
import { clusterProcess } from './cluster.js';
import { RtpPeer } from './media/rtp-peer.js';
import { until } from './media/until.js';
import { RestTokens } from './rest-tokens.js';
import type { ServerProcess } from './server-process.js';
import { askDirector, openSocket, type TestClient } from './stream-server.js';
import { whenThereIsRoom } from './when-there-is-room.js';

/** What clients ask the director for. */
export const call = { streamName: 'main', streamAccountId: 'main' };
const FRAME_MS = 20;
/** A viewer that sends no reports is not counted for long. */
const REPORT_MS = 500;

export type RelayServers = Awaited<ReturnType<typeof relayServers>>;
export type RelayViewer = Awaited<ReturnType<typeof viewOn>>;

/** Three servers that relay the stream `main` to each other, by their addresses of one database. */
export async function relayServers(
  cleanup: Cleanup,
  databaseUrls: readonly [string, string, string],
  env: Record<string, string> = {},
) {
  const open = async (databaseUrl: string): Promise<ServerProcess> => {
    const server = await clusterProcess(databaseUrl, { NODE_RELAY: 'on', ...env });
    cleanup.after(() => server.stop());
    return server;
  };
  const [first, second, third] = databaseUrls;
  const all = [await open(first), await open(second), await open(third)] as const;
  const { secret } = await all[0].cli('secret', 'create', '--account', 'main');
  const rest = new RestTokens(all[0].origin, String(secret));
  const tokens = { publish: await rest.publish('main'), subscribe: await rest.subscribe('main') };
  return { all, rest, tokens };
}

/** Clients until the test ends. */
export function relayClients(cleanup: Cleanup) {
  const publish = (server: ServerProcess, token: string) => publishOn(cleanup, server, token);
  return {
    publish,
    view: (server: Pick<ServerProcess, 'origin'>, token: string) => viewOn(cleanup, server, token),
    /** The stream is on the first server, and every server knows. */
    async goLive({ all, tokens }: Pick<RelayServers, 'all' | 'tokens'>) {
      const publisher = await publish(all[0], tokens.publish);
      for (const server of all) {
        const isLive = async () => (await askDirector(server, 'subscribe', undefined, call)).status === 200;
        await until('the stream is live everywhere', isLive);
      }
      return publisher;
    },
  };
}

/** Sends frames until the test ends. */
async function publishOn(cleanup: Cleanup, server: ServerProcess, token: string) {
  const peer = await RtpPeer.open({ role: 'publisher' });
  cleanup.after(() => peer.close());
  const socket = await openSocket(await askDirector(server, 'publish', token, call));
  cleanup.after(() => socket.socket.terminate());
  const offer = { name: 'main', sdp: peer.offer, codec: 'vp8', events: ['viewercount'] };
  const { sdp } = await accepted(socket, 'publish', offer);
  await peer.accept({ answer: sdp });
  const send = () => cleanup.after(peer.sendEvery(FRAME_MS));
  const stop = peer.sendEvery(FRAME_MS);
  cleanup.after(stop);
  return { socket, peer, stop, send };
}

async function viewOn(cleanup: Cleanup, server: Pick<ServerProcess, 'origin'>, token: string) {
  const peer = await RtpPeer.open({ role: 'viewer' });
  cleanup.after(() => peer.close());
  const answer = await askDirector(server, 'subscribe', token, call);
  const socket = await openSocket(answer);
  cleanup.after(() => socket.socket.terminate());
  const { sdp } = await accepted(socket, 'view', { streamId: 'main', sdp: peer.offer });
  await peer.accept({ answer: sdp });
  cleanup.after(peer.sendEvery(REPORT_MS, () => peer.send(receiverReport(1, []))));
  const events = () => socket.frames.filter(({ type }) => type === 'event').map(({ name }) => String(name));
  return { peer, socket, events, url: String(answer.body.data.urls[0]) };
}

const accepted = (client: TestClient, command: 'publish' | 'view', offer: object): Promise<{ sdp: string }> =>
  whenThereIsRoom(async () => {
    const { type, data } = await client.command(command, offer);
    if (type !== 'response') throw new Error(`${command} was refused: ${data}`);
    return data;
  });

/** Until the viewer has received twenty more pictures. */
export async function watches({ peer }: RelayViewer): Promise<void> {
  const seen = peer.received('video');
  await until('pictures arrive', () => peer.received('video') > seen + 20);
}
