import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { ApiError } from '../../../server/errors.js';
import { ServerLoad, type CostlyCall } from '../../../server/sessions/server-load.js';
import { Cleanup } from '../../support/cleanup.js';
import { askIngest, locationOf, whep, whip } from '../../support/ingest-client.js';
import { sdpOffer } from '../../support/media/offer.js';
import { askDirector, streamServer } from '../../support/stream-server.js';

const BUSY = [503, 'busy', { 'retry-after': '10' }];

const callFrom = (address: string, more: Partial<CostlyCall> = {}): CostlyCall => ({
  bytes: 0,
  address: () => address,
  isGone: () => false,
  ...more,
});

const refusal = (error: unknown) => {
  assert.ok(error instanceof ApiError);
  return [error.status, error.code, error.headers];
};

/** The event loop looks after its sockets once, and does what was due then. */
const loopTurn = async () => {
  for (let round = 0; round < 2; round += 1) await new Promise(setImmediate);
};

/** A load whose work takes as long as the test says. */
class Late {
  now = 0;
  readonly load = new ServerLoad(() => this.now);
  readonly begun: string[] = [];

  /** @param ms the work takes this long, after the promises that it waits for */
  async work(name: string, address: string, ms: number, more?: Partial<CostlyCall>): Promise<void> {
    await this.load.turn(callFrom(address, more));
    await Promise.resolve();
    this.begun.push(name);
    this.now += ms;
  }
}

describe('the load of the server process', () => {
  it('is shared among networks, a piece of work after the other', async () => {
    const late = new Late();
    await late.work('first', '203.0.113.1', 6);
    const work = ['a', 'b', 'c'].map((name) => late.work(name, `198.51.100.${name.charCodeAt(0)}`, 6));
    work.push(late.work('other', '192.0.2.1', 6));
    await Promise.all(work);
    assert.deepEqual(late.begun, ['first', 'a', 'other', 'b', 'c']);
  });

  it('lets the loop look after its sockets between pieces of work that take long', async () => {
    const late = new Late();
    await late.work('first', '203.0.113.1', 6);
    const work = ['a', 'b', 'c'].map((name) => late.work(name, '198.51.100.1', 6));
    await new Promise(setImmediate);
    assert.deepEqual(late.begun, ['first', 'a']);
    await Promise.all([...work, late.work('other', '192.0.2.1', 6)]);
    assert.deepEqual(late.begun, ['first', 'a', 'b', 'other', 'c']);
  });

  it('does short work in one turn of the loop', async () => {
    const late = new Late();
    await late.work('first', '203.0.113.1', 6);
    const work = ['a', 'b', 'c', 'd'].map((name) => late.work(name, '198.51.100.1', 1));
    await loopTurn();
    assert.deepEqual(late.begun, ['first', 'a', 'b', 'c', 'd']);
    await Promise.all(work);
  });

  it('measures a call by what was sent', async () => {
    const late = new Late();
    await late.work('first', '203.0.113.1', 6);
    await Promise.all([
      late.work('large', '198.51.100.1', 6, { bytes: 10_000 }),
      late.work('small', '192.0.2.1', 6, { bytes: 100 }),
    ]);
    assert.deepEqual(late.begun, ['first', 'small', 'large']);
  });

  it('refuses who has waited for more than five seconds', async () => {
    const late = new Late();
    await late.work('first', '203.0.113.1', 6);
    const work = late.work('a', '198.51.100.1', 1);
    late.now += 5_001;
    await assert.rejects(work, (error) => (assert.deepEqual(refusal(error), BUSY), true));
  });

  it('does nothing for a caller who has gone meanwhile', async () => {
    const late = new Late();
    await late.work('first', '203.0.113.1', 6);
    const gone = late.work('gone', '198.51.100.1', 6, { isGone: () => true });
    await assert.rejects(gone, ApiError);
    await late.work('other', '192.0.2.1', 6);
    assert.deepEqual(late.begun, ['first', 'other']);
  });
});

describe('a server that has too much to do', () => {
  const cleanup = new Cleanup();
  after(() => cleanup.run());

  it('answers the director, WHIP, WHEP and pages with 503 and Retry-After before it decides, and manages on', async (test) => {
    const app = await streamServer(cleanup);
    const token = await app.token('publish');
    const authorization = `Bearer ${await app.server.secrets.create('main')}`;
    const asked: string[] = [];
    test.mock.method(ServerLoad.prototype, 'isInTime', () => false);
    test.mock.method(ServerLoad.prototype, 'turn', async ({ address, bytes }: CostlyCall) => {
      asked.push(`${address()} ${bytes > 0}`);
      throw new ApiError(503, 'busy', 'too much', { headers: { 'retry-after': '10' } });
    });
    for (const call of ['publish', 'subscribe'] as const) {
      const { status, headers, body } = await askDirector(app, call, token);
      assert.deepEqual([status, headers.get('retry-after'), body.data.code], [503, '10', 'busy']);
    }
    for (const path of ['whip/main', 'whep/main/main']) {
      const response = await fetch(`${app.origin}/api/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/sdp' },
        body: sdpOffer({ direction: 'sendonly' }),
      });
      const { status, headers } = response;
      assert.deepEqual([status, headers.get('retry-after'), headers.get('streamgate-code')], [503, '10', 'busy']);
    }
    for (const page of ['viewer?streamId=main/main', 'broadcaster?streamName=main', 'scheduled/abc']) {
      const { status, headers } = await fetch(`${app.origin}/${page}`);
      assert.deepEqual([status, headers.get('retry-after')], [503, '10']);
    }
    assert.deepEqual(asked, [...Array<string>(4).fill('127.0.0.1 true'), ...Array<string>(3).fill('127.0.0.1 false')]);
    assert.equal((await fetch(`${app.origin}/api/live`, { headers: { authorization } })).status, 200);
  });

  it('answers changes of sessions, recordings and pictures in the same way', async (test) => {
    const app = await streamServer(cleanup);
    const session = locationOf(await whip(app, { token: await app.token('publish') }));
    app.engine.sendFrame('main/main');
    const viewing = locationOf(await whep(app, { token: await app.token('subscribe') }));
    test.mock.method(ServerLoad.prototype, 'isInTime', () => false);
    test.mock.method(ServerLoad.prototype, 'turn', async () => {
      throw new ApiError(503, 'busy', 'too much', { headers: { 'retry-after': '10' } });
    });
    const json = { 'content-type': 'application/json' };
    const fragment = { 'content-type': 'application/trickle-ice-sdpfrag', 'if-match': '*' };
    for (const [method, path, headers] of [
      ['PATCH', session, fragment],
      ['PATCH', viewing, fragment],
      ['POST', `${viewing}/events`, json],
      ['POST', `${viewing}/layer`, json],
      ['POST', '/api/hls/main/main', json],
      ['GET', '/api/hls/main/main', {}],
      ['GET', `/api/rewind/${'r'.repeat(22)}/a.b.c/playlist.m3u8`, {}],
      ['GET', '/api/still/main/main', {}],
    ] as const) {
      const body = method === 'GET' ? {} : { body: '[]' };
      const answer = await askIngest(app, path, { method, headers, ...body });
      assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '10'], `${method} ${path}`);
    }
    assert.equal((await askIngest(app, session, { method: 'DELETE' })).status, 200);
  });
});
