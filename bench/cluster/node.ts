// One of several servers on a PostgreSQL, with a fake media engine. Variables of its environment are given as NAME=value.
import { readConfig } from '../../server/config/config.js';
import { createStreamServer } from '../../server/composition/stream-server.js';
import { Cleanup } from '../../test/support/cleanup.js';
import { freePort } from '../../test/support/free-port.js';
import { FakeEngine } from '../../test/support/media/fake-engine.js';
import { sdpOffer } from '../../test/support/media/offer.js';
import { askDirector, openSocket, type TestClient } from '../../test/support/stream-server.js';
import type { TokenKind } from '../../server/tokens/token-record.js';
import { handleCalls } from '../support/bench-process.js';

const cleanup = new Cleanup();
const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
const config = readConfig({
  HOST: '127.0.0.1',
  PORT: String(port),
  NODE_URL: origin,
  LOG_LEVEL: 'warn',
  RECORDINGS_DIR: 'off',
  ...Object.fromEntries(process.argv.slice(2).map((argument) => argument.split(/=(.*)/s, 2))),
});
const engine = new FakeEngine();
const server = await createStreamServer(config, { engine });
cleanup.after(() => server.close());
await server.accounts.ensureFirstAccount();
await server.listen();
let broadcaster: TestClient | undefined;

const node = {
  origin: (_argument: null): string => origin,
  async createToken(kind: TokenKind): Promise<{ id: number; token: string }> {
    const streams = [{ streamName: 'main', isRegex: false }];
    const { id, token } = await server.tokens.create({ accountId: 'main', kind }, { label: 'bench', streams });
    return { id, token };
  },
  /** @returns when, in ns of `process.hrtime`, as a string */
  async disable(id: number): Promise<string> {
    const at = String(process.hrtime.bigint());
    await server.tokens.update({ accountId: 'main', kind: 'subscribe' }, id, { isActive: false });
    return at;
  },
  /** Connects a broadcaster that sends no media yet. */
  async publish(token: string): Promise<void> {
    broadcaster = await openSocket(await askDirector({ origin }, 'publish', token));
    await broadcaster.command('publish', { name: 'main', sdp: sdpOffer({ direction: 'sendonly' }), events: [] });
  },
  /** Media flows. @returns when, as of `disable` */
  start(_argument: null): string {
    const at = String(process.hrtime.bigint());
    engine.sendFrame('main/main');
    return at;
  },
  async unpublish(_argument: null): Promise<void> {
    await broadcaster?.command('unpublish');
  },
  /** User and system together, since the start, in µs. */
  cpuMicros(_argument: null): number {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
};

export type ClusterNodeProcess = typeof node;

handleCalls(node, () => cleanup.run());
