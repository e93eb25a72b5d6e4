import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Cleanup } from '../../support/cleanup.js';
import {
  askDirector,
  refusedUpgrade,
  streamServer,
  type TestClient,
  type TestServer,
} from '../../support/stream-server.js';
import { mediaSessionsOf } from '../../support/media-sessions.js';
import { publishing, viewing, websocketSessions } from '../../support/websocket-sessions.js';

const RESUMABLE = { resumable: true };

describe('a publisher that was lost', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  const { openPublisher, publish, view } = websocketSessions(() => app);

  beforeEach(async () => {
    app = await streamServer(cleanup, { RESUME_WITHIN_S: '300' });
  });
  afterEach(() => cleanup.run());

  const callDirector = async (sessionKey?: string) =>
    askDirector(app, 'publish', await app.token('publish'), { streamName: 'main', sessionKey });

  /** Waits until the server noticed what the client did. */
  const until = async (isTrue: () => Promise<boolean>) => {
    while (!(await isTrue()));
  };
  const sourceIsKept = async () => Number((await callDirector()).headers.get('retry-after')) > 200;
  const sourceIsFree = async () => (await callDirector()).status === 200;

  const losses: [how: string, lose: (publisher: TestClient, mediaId: string) => void][] = [
    ['its websocket breaks', ({ socket }) => socket.terminate()],
    ['its page is left', ({ socket }) => socket.close(1001)],
    ['its client opens another websocket', ({ socket }) => socket.close(4000)],
    ['its media is lost', (_, mediaId) => app.engine.loseSession(mediaId)],
  ];
  for (const [how, lose] of losses) {
    it(`keeps its source when ${how}, and resumes without an event for viewers`, async () => {
      const ids = mediaSessionsOf(app);
      const { publisher, answer } = await publish(RESUMABLE);
      app.engine.sendFrame('main/main');
      const { viewer } = await view();
      await viewer.event('active');
      lose(publisher, ids[0]!);
      await publisher.closed;
      await until(sourceIsKept);
      assert.equal((await callDirector('another key')).status, 409);
      assert.equal((await askDirector(app, 'subscribe')).status, 200, 'the stream is live for new viewers');

      const resumed = await openPublisher({ sessionKey: answer.sessionKey });
      const { type, data } = await resumed.command('publish', { ...publishing, ...RESUMABLE });
      assert.equal(type, 'response');
      assert.equal(data.sessionKey, answer.sessionKey);
      assert.equal(app.engine.has(ids[0]!), false);
      app.engine.sendFrame('main/main');
      assert.equal(await viewer.command('fly').then(({ code }) => code), 'unknown_command');
      assert.deepEqual(
        viewer.events().filter((name) => name !== 'viewercount'),
        ['active'],
      );
    });
  }

  it('keeps its source when the media engine restarts', async () => {
    const { publisher } = await publish(RESUMABLE);
    app.engine.sendFrame('main/main');
    app.engine.crash();
    assert.equal((await publisher.event('stopped')).data.code, 'media_engine_restarted');
    await until(sourceIsKept);
  });

  it('keeps its source when it resumes before the media engine is running again', async () => {
    const { publisher, answer } = await publish(RESUMABLE);
    app.engine.sendFrame('main/main');
    app.engine.crash();
    await publisher.closed;
    const resumed = await openPublisher({ sessionKey: answer.sessionKey });
    const again = async () => resumed.command('publish', { ...publishing, ...RESUMABLE });
    assert.equal((await again()).code, 'engine_unavailable');
    await until(sourceIsKept);
    app.engine.recover();
    assert.equal((await again()).type, 'response');
    assert.equal((await callDirector()).headers.get('retry-after'), '5', 'the publisher is connected again');
  });

  it('can resume before the server noticed the loss, with another token and without an event for viewers', async () => {
    const { publisher, answer } = await publish(RESUMABLE);
    app.engine.sendFrame('main/main');
    const { viewer } = await view();
    const resumed = await openPublisher({ sessionKey: answer.sessionKey });
    assert.equal((await resumed.command('publish', { ...publishing, ...RESUMABLE })).type, 'response');
    assert.equal((await publisher.event('stopped')).data.code, 'replaced');
    app.engine.sendFrame('main/main');
    assert.equal((await viewer.command('fly')).code, 'unknown_command');
    assert.deepEqual(
      viewer.events().filter((name) => name !== 'viewercount'),
      ['active'],
    );
  });

  it('causes a Retry-After that is the rest of its lease', async () => {
    const { publisher } = await publish(RESUMABLE);
    publisher.socket.terminate();
    await until(sourceIsKept);
    app.clock.now += 290_500;
    assert.equal((await callDirector()).headers.get('retry-after'), '10');
  });

  const endings: [how: string, leave: (publisher: TestClient) => unknown][] = [
    ['it sends unpublish', (publisher) => publisher.command('unpublish')],
    ['it closes its websocket', ({ socket }) => socket.close(1000)],
    ['it closes its websocket without a code, as existing clients do', ({ socket }) => socket.close()],
  ];
  for (const [how, leave] of endings) {
    it(`releases its source at once when ${how}`, async () => {
      const { publisher } = await publish(RESUMABLE);
      app.engine.sendFrame('main/main');
      const { viewer } = await view();
      await leave(publisher);
      await viewer.event('inactive');
      await until(sourceIsFree);
    });
  }

  it('releases its source at once when it did not ask to be resumable', async () => {
    const { publisher } = await publish();
    app.engine.sendFrame('main/main');
    const { viewer } = await view();
    publisher.socket.terminate();
    await viewer.event('inactive');
    await until(sourceIsFree);
  });

  it('loses its source when the owner stops the stream', async () => {
    const { publisher } = await publish(RESUMABLE);
    app.engine.sendFrame('main/main');
    const { viewer } = await view();
    publisher.socket.terminate();
    await until(sourceIsKept);
    const secret = await app.server.secrets.create('main');
    const stopped = await fetch(`${app.origin}/api/stream/stop`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ streamId: 'main/main' }),
    });
    assert.equal((await stopped.json()).data.stoppingLevel, 'Stream');
    await viewer.event('inactive');
    assert.equal(await sourceIsFree(), true);
  });

  it('loses its source when its token is disabled', async () => {
    const scope = { accountId: 'main', kind: 'publish' } as const;
    const streams = [{ streamName: 'main', isRegex: false }];
    const { id, token } = await app.server.tokens.create(scope, { label: '', streams });
    const { publisher } = await publish(RESUMABLE, {}, token);
    app.engine.sendFrame('main/main');
    const { viewer } = await view();
    publisher.socket.terminate();
    await until(sourceIsKept);
    await app.server.tokens.update(scope, id, { isActive: false });
    await viewer.event('inactive');
    assert.equal(await sourceIsFree(), true);
  });
});

describe('the lease of a source', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  it('expires, and viewers receive inactive then', async () => {
    const app = await streamServer(cleanup, { RESUME_WITHIN_S: '1' });
    const { publish, view } = websocketSessions(() => app);
    const { publisher } = await publish(RESUMABLE);
    app.engine.sendFrame('main/main');
    const { viewer } = await view();
    publisher.socket.terminate();
    await viewer.event('inactive');
    assert.equal((await askDirector(app, 'publish', await app.token('publish'))).status, 200);
  });
});

describe('a client with a resume token', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  const { publish, view, resume } = websocketSessions(() => app);

  beforeEach(async () => {
    app = await streamServer(cleanup);
  });
  afterEach(() => cleanup.run());

  const refusal = async (role: 'pub' | 'sub', token: string) => {
    const url = `ws://127.0.0.1:${app.port}/ws/v2/${role}/${'0'.repeat(32)}`;
    const { status, body } = await refusedUpgrade(`${url}?token=${token}`);
    assert.equal(status, 401);
    return body.data.code;
  };

  it('views again without the director, any number of times', async () => {
    let { resumeToken } = (await view()).answer;
    for (let times = 0; times < 3; times++) {
      const resumed = await resume('sub', resumeToken);
      const { type, data } = await resumed.command('view', viewing);
      assert.equal(type, 'response');
      assert.notEqual(data.resumeToken, resumeToken);
      resumeToken = data.resumeToken;
    }
  });

  it('counts once although its first session is still open', async () => {
    await publish();
    app.engine.sendFrame('main/main');
    const { viewer, answer } = await view();
    const { viewer: other } = await view();
    await other.frame(({ name, data }) => name === 'viewercount' && data.viewercount === 2);
    const resumed = await resume('sub', answer.resumeToken);
    await resumed.command('view', viewing);
    assert.equal((await viewer.event('stopped')).data.code, 'replaced');
    const { viewer: last } = await view();
    await last.frame(({ name, data }) => name === 'viewercount' && data.viewercount === 3);
    assert.equal(
      last.frames.some(({ name, data }) => name === 'viewercount' && data.viewercount > 3),
      false,
    );
  });

  it('publishes again without the director', async () => {
    const { publisher, answer } = await publish(RESUMABLE);
    publisher.socket.terminate();
    const resumed = await resume('pub', answer.resumeToken);
    const { type, data } = await resumed.command('publish', { ...publishing, ...RESUMABLE });
    assert.equal(type, 'response');
    assert.equal(data.sessionKey, answer.sessionKey);
  });

  it('can resume after a restart of the server', async () => {
    const { answer } = await view();
    await app.server.close();
    app = await streamServer(cleanup, { DATA_DIR: app.dataDir });
    const resumed = await resume('sub', answer.resumeToken);
    assert.equal((await resumed.command('view', viewing)).type, 'response');
  });

  it('can use each resume token once', async () => {
    const { answer } = await view();
    await resume('sub', answer.resumeToken);
    assert.equal(await refusal('sub', answer.resumeToken), 'grant_spent');
  });

  it('can resume within four hours', async () => {
    const { answer } = await view();
    app.clock.now += 4 * 3_600_000;
    assert.equal(await refusal('sub', answer.resumeToken), 'grant_expired');
  });

  it('cannot publish with the resume token of a viewer', async () => {
    const { answer } = await view();
    assert.equal(await refusal('pub', answer.resumeToken), 'grant_invalid');
    assert.equal((await (await resume('sub', answer.resumeToken)).command('view', viewing)).type, 'response');
  });

  it('is decided about again by the current record of its token', async () => {
    const scope = { accountId: 'main', kind: 'subscribe' } as const;
    const streams = [{ streamName: 'main', isRegex: false }];
    const { id, token } = await app.server.tokens.create(scope, { label: '', streams });
    const { answer } = await view({}, token);
    await app.server.tokens.update(scope, id, { allowedOrigins: ['example.com'] });
    const resumed = await resume('sub', answer.resumeToken);
    assert.equal((await resumed.event('stopped')).data.code, 'origin_not_allowed');
  });
});
