// Our engine, as the server starts it.
import { createEmbeddedEngine } from '../../../server/media/embedded/embedded-engine.js';
import { answerQuestions } from '../asked-process.js';
import type { Forwarder } from './forwarder.js';

const engine = await createEmbeddedEngine({ bindAddress: '127.0.0.1', udpPort: 0 });
const forwarder: Forwarder = {
  publish: async (offer) => (await engine.publish('bench', offer)).answer,
  view: async (offer) => (await engine.view('bench', offer)).answer,
};
answerQuestions(forwarder, () => engine.close());
