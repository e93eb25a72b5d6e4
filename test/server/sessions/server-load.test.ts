import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, it, mock } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../../server/errors.js';
import { averageLateness, ServerLoad } from '../../../server/sessions/server-load.js';
import { Cleanup } from '../../support/cleanup.js';
import { sdpOffer } from '../../support/media/offer.js';
import { askDirector, streamServer } from '../../support/stream-server.js';

describe('the load of the server process', () => {
  let now: number;
  let load: ServerLoad;
  beforeEach(() => {
    now = 0;
    mock.timers.enable({ apis: ['setInterval'] });
    load = new ServerLoad(() => now);
  });
  afterEach(() => {
    load.close();
    mock.timers.reset();
  });

  /** The next sample comes so many milliseconds late. */
  const sample = (lateMs: number, times = 1) => {
    for (let turn = 0; turn < times; turn += 1) {
      now += 100 + lateMs;
      mock.timers.tick(100);
    }
  };
  const isRefused = () => {
    try {
      load.requireRoom(() => '203.0.113.1');
      return false;
    } catch (error) {
      assert.ok(error instanceof ApiError);
      assert.deepEqual([error.status, error.code, error.headers], [503, 'busy', { 'retry-after': '10' }]);
      return true;
    }
  };

  it('refuses nobody while the event loop is in time, nor after one stall of three seconds', () => {
    sample(20, 100);
    assert.equal(isRefused(), false);
    sample(3_000);
    assert.equal(isRefused(), false);
  });

  it('refuses new sessions while the event loop is late on and on, and admits them when it is over', () => {
    sample(1_500, 20);
    assert.equal(isRefused(), true);
    sample(0, 100);
    assert.equal(isRefused(), false);
  });

  it('is never averaged to more than the latest sample, nor below zero', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 60_000 }), { minLength: 1 }), (elapsed) => {
        const average = elapsed.reduce(averageLateness, 0);
        assert.ok(average >= 0 && average <= Math.max(...elapsed));
      }),
    );
  });
});

describe('a server that has too much to do', () => {
  const cleanup = new Cleanup();
  after(() => cleanup.run());

  it('answers the director, WHIP and WHEP with 503 and Retry-After before it decides, and manages on', async (test) => {
    const app = await streamServer(cleanup);
    const token = await app.token('publish');
    test.mock.method(ServerLoad.prototype, 'requireRoom', () => {
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
    const authorization = `Bearer ${await app.server.secrets.create('main')}`;
    assert.equal((await fetch(`${app.origin}/api/live`, { headers: { authorization } })).status, 200);
  });
});
