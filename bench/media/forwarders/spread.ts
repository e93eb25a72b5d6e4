// Our built engine. The argument says where the viewers are: all in `one` worker, `half` of them in each of two workers,
// or all in the second worker, `apart` from the publisher.
import type * as embedded from '../../../server/media/embedded/embedded-engine.js';
import type { PlacementPolicy } from '../../../server/media/embedded/worker/placement.js';
import { handleCalls } from '../../support/bench-process.js';
import { serverAddress, type Forwarder } from './forwarder.js';

// Keep the TypeScript loader out of the workers, as streamgate.ts does.
process.execArgv.length = 0;
const built = '../../../server/dist/server/media/embedded/embedded-engine.js';
const { createEmbeddedEngine } = (await import(built)) as typeof embedded;

const where = process.argv.at(-1);
let turn = 0;
const placement: PlacementPolicy = ({ role }) => [role === 'publisher' ? 0 : where === 'half' ? turn++ % 2 : 1];
const workers = where === 'one' ? {} : { workers: 2, placement };
const engine = await createEmbeddedEngine({ bindAddress: serverAddress, udpPort: 0, ...workers });
const forwarder: Forwarder = {
  publish: async (offer) => (await engine.publish('bench', offer)).answer,
  view: async (offer) => (await engine.view('bench', offer)).answer,
};
handleCalls(forwarder, () => engine.close());
