import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fetchTerms } from '../../../src/pages/broadcaster/broadcast-terms.js';
import { Cleanup } from '../../support/cleanup.js';
import { FakeRecording } from '../../support/fake-recording.js';
import { streamServer, type TestServer } from '../../support/stream-server.js';

describe('what the page of a broadcaster knows before the start, from a real server', () => {
  const cleanup = new Cleanup();
  let app: TestServer;

  beforeEach(async () => {
    app = await streamServer(cleanup, {}, { recording: new FakeRecording() });
  });
  afterEach(() => cleanup.run());

  const terms = (token: string, send?: typeof fetch) => fetchTerms(app.origin, { streamName: 'main', token }, send);

  it('is whether the broadcast is recorded, and whether viewers need a token', async () => {
    const of = async (fields: object) => await terms(await app.token('publish', fields));
    assert.deepEqual(await of({}), { accountId: 'main', isPrivate: false, isRecorded: false });
    assert.deepEqual(await of({ record: true }), { accountId: 'main', isPrivate: false, isRecorded: true });
    const isPrivate = { subscribeRequiresAuth: true };
    assert.deepEqual(await of(isPrivate), { accountId: 'main', isPrivate: true, isRecorded: false });
  });

  it('is why nobody can go live with the link, if the server refuses its token', async () => {
    const expired = await app.token('publish', { expires: 1 });
    app.clock.now += 2_000;
    assert.deepEqual(
      [await terms('unknown'), await terms(expired), await terms(await app.token('subscribe'))],
      [{ refusedAs: 'token_unknown' }, { refusedAs: 'token_expired' }, { refusedAs: 'token_wrong_kind' }],
    );
  });

  it('is nothing if the server is busy or away, or is another program', async () => {
    const token = await app.token('publish');
    const away = async () => await Promise.reject(new TypeError('no connection'));
    const other = async () => new Response('<html>', { status: 200 });
    const busy = async () => Response.json({ data: { code: 'rate_limited' } }, { status: 429 });
    const older = async () => Response.json({ status: 'success' });
    assert.deepEqual(
      [await terms(token, busy), await terms(token, away), await terms(token, other), await terms(token, older)],
      [undefined, undefined, undefined, undefined],
    );
  });
});
