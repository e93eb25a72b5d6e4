import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { Cleanup } from '../../support/cleanup.js';
import { until } from '../../support/media/until.js';
import { streamServer, type TestClient, type TestServer } from '../../support/stream-server.js';
import { websocketSessions } from '../../support/websocket-sessions.js';

interface EndEntry {
  readonly msg: string;
  readonly session: string;
  readonly code: string;
  readonly reason: string;
}

describe('the log entry for the end of a session', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  const endEntriesOf = ({ log }: TestServer): EndEntry[] =>
    log.text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === 'session ended');

  const endings: [
    code: string,
    reason: RegExp,
    end: (app: TestServer, viewer: TestClient, token: string) => unknown,
  ][] = [
    ['left', /client ended/, (_, viewer) => viewer.command('unview')],
    ['lost', /connection .* broke/, (_, { socket }) => socket.terminate()],
    ['media_engine_restarted', /restarted/, ({ engine }) => engine.crash()],
    ['server_stopping', /stopping/, ({ server }) => server.close()],
    [
      'token_disabled',
      /disabled|switched off/,
      async ({ server }, _, token) => {
        const scope = { accountId: 'main', kind: 'subscribe' } as const;
        const { tokens } = await server.tokens.list(scope, {
          page: 1,
          itemsOnPage: 10,
          sortBy: 'Name',
          isDescending: false,
        });
        const id = tokens.find((record) => record.token === token)!.id;
        await server.tokens.update(scope, id, { isActive: false });
      },
    ],
  ];
  for (const [code, reason, end] of endings) {
    it(`has the code ${code} and a sentence`, async () => {
      const app = await streamServer(cleanup);
      const token = await app.token('subscribe');
      const { viewer } = await websocketSessions(() => app).view({}, token);
      await end(app, viewer, token);
      await until('the session ended', () => endEntriesOf(app).length > 0);
      const [line] = endEntriesOf(app);
      assert.equal(line!.code, code);
      assert.match(line!.reason, reason);
    });
  }
});
