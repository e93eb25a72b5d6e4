// The whole server with a fake media engine, which only emits that media flows.
import { readConfig } from '../../../server/config/config.js';
import { FakeEngine } from '../../../test/support/media/fake-engine.js';
import { createStreamServer } from '../../../server/composition/stream-server.js';
import { Cleanup } from '../../../test/support/cleanup.js';
import { dataFolder } from '../../../test/support/data-folder.js';
import { sdpOffer } from '../../../test/support/media/offer.js';
import { askDirector, openSocket, type TestClient } from '../../../test/support/stream-server.js';
import { handleCalls } from '../../support/bench-process.js';
import { LoopDelay, type FanOut } from './fan-out.js';

const cleanup = new Cleanup();
/** Further variables of the environment, as `NAME=value`. */
const more = Object.fromEntries(process.argv.slice(2).map((argument) => argument.split('=')));
const config = readConfig({
  HOST: '127.0.0.1',
  PORT: '0',
  DATA_DIR: await dataFolder(cleanup),
  LOG_LEVEL: 'warn',
  ...more,
});
const engine = new FakeEngine();
const server = await createStreamServer(config, { engine });
cleanup.after(() => server.close());
await server.accounts.ensureFirstAccount();
const { port } = await server.listen();
const origin = `http://127.0.0.1:${port}`;
const [publishToken, subscribeToken] = await Promise.all(
  (['publish', 'subscribe'] as const).map(async (kind) => {
    const streams = [{ streamName: 'main', isRegex: false }];
    return (await server.tokens.create({ accountId: 'main', kind }, { label: 'bench', streams })).token;
  }),
);
const loopDelay = new LoopDelay();
let broadcaster: TestClient | undefined;

const fanOut = {
  endpoint: () => ({ url: origin, token: subscribeToken! }),
  /** Ends the broadcast of the round before, and connects a broadcaster that sends no media yet. */
  async prepare(_argument: null): Promise<void> {
    await broadcaster?.command('unpublish');
    broadcaster = await openSocket(await askDirector({ origin }, 'publish', publishToken));
    await broadcaster.command('publish', { name: 'main', sdp: sdpOffer({ direction: 'sendonly' }), events: [] });
  },
  async start(): Promise<string> {
    const at = await loopDelay.begin();
    engine.emit('live', 'main/main', null, ['video', 'audio']);
    return at;
  },
  longestBlock: () => loopDelay.longestMs,
} satisfies FanOut;

export type StreamgateFanOut = typeof fanOut;

handleCalls(fanOut, () => cleanup.run());
