import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { DatabaseUnavailableError } from '../../../server/errors.js';
import { SessionRecorder } from '../../../server/composition/session-recorder.js';
import type { StoredSession } from '../../../server/oversight/session-record.js';
import { Cleanup } from '../../support/cleanup.js';
import { streamServer } from '../../support/stream-server.js';
import { websocketSessions } from '../../support/websocket-sessions.js';
import { Sessions } from '../../../server/sessions/sessions.js';
import { FakeEngine } from '../../support/media/fake-engine.js';
import { StreamRegistry } from '../../../server/streams/stream-registry.js';

const GRANT = {
  role: 'Subscribe',
  accountId: 'acme',
  streamName: 'main',
  tokenId: null,
  tokenFingerprint: null,
  signed: null,
  origin: 'a\0b',
  address: '2001:db8::1',
  resumes: null,
} as const;

describe('SessionRecorder', () => {
  let saved: Map<string, StoredSession>;
  let fault: Error | undefined;
  let dropped: number;
  let recorder: SessionRecorder;
  let sessions: Sessions;
  beforeEach(() => {
    saved = new Map();
    fault = undefined;
    dropped = 0;
    recorder = new SessionRecorder({
      store: {
        save: async (batch) => {
          if (fault) throw fault;
          for (const session of batch) saved.set(session.id, session);
        },
        list: async () => [...saved.values()],
        find: async (_accountId, _streamName, id) => saved.get(id),
        endLost: async () => {},
        prune: async () => 0,
      },
      now: () => 1_000,
      onDropped: (count) => (dropped += count),
    });
    const engine = new FakeEngine();
    const log = pino({ level: 'silent' });
    const streams = new StreamRegistry(engine, { resumeWithinMs: 0, now: () => 1_000 });
    const admission = { recheck: () => ({ allowed: true }) as const };
    sessions = new Sessions({ engine, streams, admission, refusals: { sourceInUse() {} }, log });
    recorder.follow(sessions, engine);
  });
  afterEach(() => recorder.close());

  const open = (sessionId: string) => sessions.open({ ...GRANT, sessionId }, { send() {}, stop() {} });

  it('stores the network of an IPv6 address, and text that every database accepts', async () => {
    open('a');
    await recorder.flush();
    const { address, origin } = saved.get('a')!;
    assert.deepEqual([address, origin], ['2001:db8::/64', 'a\uFFFDb']);
  });

  it('keeps the sessions while the database is away, and stores them afterwards', async () => {
    fault = new DatabaseUnavailableError();
    open('a').end();
    await recorder.flush();
    await assert.rejects(recorder.list('acme', { streamName: 'main', limit: 1 }), DatabaseUnavailableError);
    assert.equal(saved.size, 0);
    fault = undefined;
    await recorder.flush();
    assert.deepEqual([saved.get('a')?.reason, dropped], ['left', 0]);
  });

  it('writes the ends of the sessions when the server stops, and when it starts again they are there', async () => {
    const cleanup = new Cleanup();
    const app = await streamServer(cleanup);
    await websocketSessions(() => app).publish();
    await app.server.close();
    const again = await streamServer(cleanup, { DATA_DIR: app.dataDir });
    const secret = await again.server.secrets.create('main');
    const response = await fetch(`${again.origin}/api/streams/main/sessions`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    const { data } = JSON.parse(await response.text());
    assert.equal(data[0].reason, 'server_stopping');
    await cleanup.run();
  });
});
