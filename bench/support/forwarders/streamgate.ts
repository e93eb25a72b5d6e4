// Our engine as it was built, in one process or, with `workers` as argument, in as many as the server has by itself.
import { readConfig } from '../../../server/config/config.js';
import type * as embedded from '../../../server/media/embedded/embedded-engine.js';
import { answerQuestions } from '../asked-process.js';
import type { Forwarder } from './forwarder.js';

// What loads TypeScript here makes functions slower than the product's: it stays out of the engine's processes.
process.execArgv.length = 0;
const built = '../../../server/dist/server/media/embedded/embedded-engine.js';
const { createEmbeddedEngine } = (await import(built)) as typeof embedded;

const workers = process.argv.includes('workers') ? readConfig({}).mediaWorkers : 1;
const engine = await createEmbeddedEngine({ bindAddress: '127.0.0.1', udpPort: 0, workers });
const forwarder: Forwarder = {
  publish: async (offer) => (await engine.publish('bench', offer)).answer,
  view: async (offer) => (await engine.view('bench', offer)).answer,
};
answerQuestions(forwarder, () => engine.close());
