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

describe('a broadcaster who was lost', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  const { openPublisher, publish, view } = websocketSessions(() => app);

  beforeEach(async () => {
    app = await streamServer(cleanup, { RESUME_WITHIN_S: '300' });
  });
  afterEach(() => cleanup.run());

  const askToPublish = async (sessionKey?: string) =>
    askDirector(app, 'publish', await app.token('publish'), { streamName: 'main', sessionKey });

  /** Until the server has heard of what happened at the client's end. */
  const until = async (isTrue: () => Promise<boolean>) => {
    while (!(await isTrue()));
  };
  const nameIsKept = async () => Number((await askToPublish()).headers.get('retry-after')) > 200;
  const nameIsFree = async () => (await askToPublish()).status === 200;

  const losses: [how: string, lose: (publisher: TestClient, mediaId: string) => void][] = [
    ['his socket breaks', ({ socket }) => socket.terminate()],
    ['his page goes away', ({ socket }) => socket.close(1001)],
    ['his client is about to open another', ({ socket }) => socket.close(4000)],
    ['his media is lost', (_, mediaId) => app.engine.loseSession(mediaId)],
  ];
  for (const [how, lose] of losses) {
    it(`keeps his name when ${how}, and goes on without viewers noticing`, async () => {
      const ids = mediaSessionsOf(app);
      const { publisher, answer } = await publish(RESUMABLE);
      app.engine.sendFrame('main/main');
      const { viewer } = await view();
      await viewer.event('active');
      lose(publisher, ids[0]!);
      await publisher.closed;
      await until(nameIsKept);
      assert.equal((await askToPublish('another key')).status, 409);
      assert.equal((await askDirector(app, 'subscribe')).status, 200, 'the stream is live for who comes now');

      const back = await openPublisher({ sessionKey: answer.sessionKey });
      const { type, data } = await back.command('publish', { ...publishing, ...RESUMABLE });
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

  it('keeps his name when the media engine restarts', async () => {
    const { publisher } = await publish(RESUMABLE);
    app.engine.sendFrame('main/main');
    app.engine.crash();
    assert.equal((await publisher.event('stopped')).data.code, 'media_engine_restarted');
    await until(nameIsKept);
  });

  it('keeps it, too, when he comes back before the media engine does', async () => {
    const { publisher, answer } = await publish(RESUMABLE);
    app.engine.sendFrame('main/main');
    app.engine.crash();
    await publisher.closed;
    const back = await openPublisher({ sessionKey: answer.sessionKey });
    const again = async () => back.command('publish', { ...publishing, ...RESUMABLE });
    assert.equal((await again()).code, 'engine_unavailable');
    await until(nameIsKept);
    app.engine.recover();
    assert.equal((await again()).type, 'response');
    assert.equal((await askToPublish()).headers.get('retry-after'), '5', 'he is there again');
  });

  it('may come back before anybody noticed that he was gone', async () => {
    const { publisher, answer } = await publish(RESUMABLE);
    const back = await openPublisher({ sessionKey: answer.sessionKey });
    assert.equal((await back.command('publish', publishing)).type, 'response');
    assert.equal((await publisher.event('stopped')).data.code, 'replaced');
  });

  it('is told how long to wait for, by how much of the time is left', async () => {
    const { publisher } = await publish(RESUMABLE);
    publisher.socket.terminate();
    await until(nameIsKept);
    app.clock.now += 290_500;
    assert.equal((await askToPublish()).headers.get('retry-after'), '10');
  });

  const partings: [how: string, leave: (publisher: TestClient) => unknown][] = [
    ['he says unpublish', (publisher) => publisher.command('unpublish')],
    ['he closes his socket', ({ socket }) => socket.close(1000)],
    ['he closes his socket as existing clients do', ({ socket }) => socket.close()],
  ];
  for (const [how, leave] of partings) {
    it(`leaves his name free at once when ${how}`, async () => {
      const { publisher } = await publish(RESUMABLE);
      app.engine.sendFrame('main/main');
      const { viewer } = await view();
      await leave(publisher);
      await viewer.event('inactive');
      await until(nameIsFree);
    });
  }

  it('leaves it free at once when he never said that he would come back', async () => {
    const { publisher } = await publish();
    app.engine.sendFrame('main/main');
    const { viewer } = await view();
    publisher.socket.terminate();
    await viewer.event('inactive');
    await until(nameIsFree);
  });

  it('loses his name when the owner stops the stream', async () => {
    const { publisher } = await publish(RESUMABLE);
    app.engine.sendFrame('main/main');
    const { viewer } = await view();
    publisher.socket.terminate();
    await until(nameIsKept);
    const secret = await app.server.secrets.create('main');
    const stopped = await fetch(`${app.origin}/api/stream/stop`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ streamId: 'main/main' }),
    });
    assert.equal((await stopped.json()).data.stoppingLevel, 'Stream');
    await viewer.event('inactive');
    assert.equal(await nameIsFree(), true);
  });

  it('loses his name when his token is disabled', async () => {
    const scope = { accountId: 'main', kind: 'publish' } as const;
    const streams = [{ streamName: 'main', isRegex: false }];
    const { id, token } = await app.server.tokens.create(scope, { label: '', streams });
    const { publisher } = await publish(RESUMABLE, {}, token);
    app.engine.sendFrame('main/main');
    const { viewer } = await view();
    publisher.socket.terminate();
    await until(nameIsKept);
    await app.server.tokens.update(scope, id, { isActive: false });
    await viewer.event('inactive');
    assert.equal(await nameIsFree(), true);
  });
});

describe('a name that is kept', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  it('is free when the time is over, and viewers are told then', async () => {
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

describe('a client whose websocket was lost', () => {
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

  it('watches again without the director, any number of times', async () => {
    let { resumeToken } = (await view()).answer;
    for (let times = 0; times < 3; times++) {
      const back = await resume('sub', resumeToken);
      const { type, data } = await back.command('view', viewing);
      assert.equal(type, 'response');
      assert.notEqual(data.resumeToken, resumeToken);
      resumeToken = data.resumeToken;
    }
  });

  it('counts once, though its first session goes on', async () => {
    await publish();
    app.engine.sendFrame('main/main');
    const { viewer, answer } = await view();
    const { viewer: other } = await view();
    await other.frame(({ name, data }) => name === 'viewercount' && data.viewercount === 2);
    const back = await resume('sub', answer.resumeToken);
    await back.command('view', viewing);
    assert.equal((await viewer.event('stopped')).data.code, 'replaced');
    const { viewer: last } = await view();
    await last.frame(({ name, data }) => name === 'viewercount' && data.viewercount === 3);
    assert.equal(
      last.frames.some(({ name, data }) => name === 'viewercount' && data.viewercount > 3),
      false,
    );
  });

  it('broadcasts again without the director', async () => {
    const { publisher, answer } = await publish(RESUMABLE);
    publisher.socket.terminate();
    const back = await resume('pub', answer.resumeToken);
    const { type, data } = await back.command('publish', { ...publishing, ...RESUMABLE });
    assert.equal(type, 'response');
    assert.equal(data.sessionKey, answer.sessionKey);
  });

  it('does so even after the server began anew', async () => {
    const { answer } = await view();
    await app.server.close();
    app = await streamServer(cleanup, { DATA_DIR: app.dataDir });
    const back = await resume('sub', answer.resumeToken);
    assert.equal((await back.command('view', viewing)).type, 'response');
  });

  it('does so once with each of its tokens', async () => {
    const { answer } = await view();
    await resume('sub', answer.resumeToken);
    assert.equal(await refusal('sub', answer.resumeToken), 'grant_spent');
  });

  it('does so for four hours', async () => {
    const { answer } = await view();
    app.clock.now += 4 * 3_600_000;
    assert.equal(await refusal('sub', answer.resumeToken), 'grant_expired');
  });

  it('does not become a broadcaster by it', async () => {
    const { answer } = await view();
    assert.equal(await refusal('pub', answer.resumeToken), 'grant_invalid');
    assert.equal((await (await resume('sub', answer.resumeToken)).command('view', viewing)).type, 'response');
  });

  it('is decided again by what its token says now', async () => {
    const scope = { accountId: 'main', kind: 'subscribe' } as const;
    const streams = [{ streamName: 'main', isRegex: false }];
    const { id, token } = await app.server.tokens.create(scope, { label: '', streams });
    const { answer } = await view({}, token);
    await app.server.tokens.update(scope, id, { allowedOrigins: ['example.com'] });
    const back = await resume('sub', answer.resumeToken);
    assert.equal((await back.event('stopped')).data.code, 'origin_not_allowed');
  });
});
