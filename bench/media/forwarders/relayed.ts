// Two of our built engines, as two servers have them: the publisher is at the first, all viewers are at the second.
import type * as embedded from '../../../server/media/embedded/embedded-engine.js';
import { handleCalls } from '../../support/bench-process.js';
import { serverAddress, type Forwarder } from './forwarder.js';

// Keep the TypeScript loader out of the workers, as streamgate.ts does.
process.execArgv.length = 0;
const built = '../../../server/dist/server/media/embedded/embedded-engine.js';
const { createEmbeddedEngine } = (await import(built)) as typeof embedded;

const open = () => createEmbeddedEngine({ bindAddress: serverAddress, udpPort: 0 });
const [origin, edge] = [await open(), await open()];
let relay: Promise<unknown> | undefined;
const forwarder: Forwarder = {
  publish: async (offer) => (await origin.publish('bench', offer)).answer,
  async view(offer) {
    await (relay ??= edge.receiveRelay('bench', async (sent) => (await origin.sendRelay('bench', sent)).answer));
    return (await edge.view('bench', offer)).answer;
  },
};
handleCalls(forwarder, async () => {
  await Promise.all([origin.close(), edge.close()]);
});
