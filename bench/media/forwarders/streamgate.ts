// Our built engine, in one worker or, with `workers` as the argument, in the server's default number of workers.
import { readConfig } from '../../../server/config/config.js';
import type * as embedded from '../../../server/media/embedded/embedded-engine.js';
import { handleCalls } from '../../support/bench-process.js';
import { serverAddress, type Forwarder } from './forwarder.js';

// Keep the TypeScript loader out of the workers: functions it compiles are slower than the built ones.
process.execArgv.length = 0;
const built = '../../../server/dist/server/media/embedded/embedded-engine.js';
const { createEmbeddedEngine } = (await import(built)) as typeof embedded;

const workers = process.argv.includes('workers') ? readConfig({}).mediaWorkers : 1;
const engine = await createEmbeddedEngine({ bindAddress: serverAddress, udpPort: 0, workers });
const forwarder = {
  publish: async (offer: string) => (await engine.publish('bench', offer)).answer,
  view: async (offer: string) => (await engine.view('bench', offer)).answer,
  /** Of the first worker, as it last reported them. */
  figures: () => engine.figures()[0],
} satisfies Forwarder;

export type OurForwarder = typeof forwarder;

handleCalls(forwarder, () => engine.close());
