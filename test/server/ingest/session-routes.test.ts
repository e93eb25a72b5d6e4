import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ifMatch } from '../../../server/ingest/session-routes.js';
import { Cleanup } from '../../support/cleanup.js';
import { askIngest, locationOf, refusalOf, whip, type Ask } from '../../support/ingest-client.js';
import { mediaSessionsOf } from '../../support/media-sessions.js';
import { askDirector, streamServer, type TestServer } from '../../support/stream-server.js';

const CANDIDATE = 'a=candidate:1387637174 1 udp 2122260223 192.0.2.1 61764 typ host generation 0';

const PUBLISH = { accountId: 'main', kind: 'publish' } as const;

describe('the session of a WHIP client', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  let token: string;
  let tokenId: number;

  beforeEach(async () => {
    app = await streamServer(cleanup);
    const streams = [{ streamName: 'main', isRegex: false }];
    ({ id: tokenId, token } = await app.server.tokens.create(PUBLISH, { label: '', streams }));
  });
  afterEach(() => cleanup.run());

  /** Whether another publisher can have the name. Ends the session that it opens to find out. */
  const isFree = async (): Promise<boolean> => {
    const answer = await whip(app, { token: await app.token('publish') });
    if (answer.status === 409) return false;
    await askIngest(app, locationOf(answer), { method: 'DELETE' });
    return true;
  };
  /** Whether the stream is live: a viewer without a token is refused while it is not. */
  const isLive = async (): Promise<boolean> => (await askDirector(app, 'subscribe')).status === 200;

  /** The status, text and code of an answer. */
  const answerOf = async (path: string, method: string, ask: Ask = {}) => {
    const { status, text, headers } = await askIngest(app, path, { ...ask, method });
    return [status, text, headers.get('streamgate-code')];
  };

  const disable = () => app.server.tokens.update(PUBLISH, tokenId, { isActive: false });
  const stopAll = async () => {
    const secret = await app.server.secrets.create('main');
    const headers = { 'content-type': 'application/json' };
    assert.equal((await askIngest(app, '/api/stream/stop/all', { token: secret, headers, body: '{}' })).status, 200);
  };

  const sdpfrag = { 'content-type': 'application/trickle-ice-sdpfrag' };
  const fragment = (ufrag = 'abcd') =>
    `a=ice-ufrag:${ufrag}\r\na=ice-pwd:abcdefghijklmnopqrstuvwx\r\nm=audio 9 RTP/AVP 0\r\na=mid:0\r\n${CANDIDATE}\r\n`;
  const opened = async () => {
    const answer = await whip(app, { token });
    return { session: locationOf(answer), etag: answer.headers.get('etag')! };
  };

  it('ends with DELETE and is not found any more', async () => {
    const { session } = await opened();
    assert.deepEqual(await answerOf(session, 'DELETE'), [200, '', null]);
    assert.equal(await isFree(), true);
    for (const method of ['DELETE', 'PATCH', 'GET', 'PUT']) {
      const ask = { headers: sdpfrag, ...(method === 'PATCH' && { body: fragment() }) };
      assert.deepEqual((await answerOf(session, method, ask)).toSpliced(1, 1), [404, 'session_not_found'], method);
    }
  });

  it('accepts candidates and the end of candidates', async () => {
    const { session, etag } = await opened();
    for (const [ifMatch, body] of [
      [etag, fragment()],
      [`"other", ${etag}`, `${fragment()}a=end-of-candidates\r\n`],
      ['*', fragment()],
    ]) {
      const answer = await askIngest(app, session, {
        method: 'PATCH',
        headers: { ...sdpfrag, 'if-match': ifMatch! },
        body: body!,
      });
      assert.deepEqual([answer.status, answer.text, answer.headers.get('etag')], [204, '', null]);
    }
  });

  const bad: [what: string, ask: (etag: string) => Ask, status: number, code: string][] = [
    ['no If-Match', () => ({ headers: sdpfrag, body: fragment() }), 428, 'etag_missing'],
    ['another ETag', () => ({ headers: { ...sdpfrag, 'if-match': '"x"' }, body: fragment() }), 412, 'etag_mismatch'],
    [
      'other ICE credentials',
      () => ({ headers: { ...sdpfrag, 'if-match': '*' }, body: fragment('ysXw') }),
      422,
      'ice_restart_unsupported',
    ],
    [
      'an invalid fragment',
      (etag) => ({ headers: { ...sdpfrag, 'if-match': etag }, body: 'v=0' }),
      400,
      'invalid_sdp_fragment',
    ],
    [
      'another content type',
      (etag) => ({ headers: { 'content-type': 'application/sdp', 'if-match': etag }, body: fragment() }),
      415,
      'not_sdp',
    ],
    [
      'a body of 70 KB',
      (etag) => ({ headers: { ...sdpfrag, 'if-match': etag }, body: fragment() + `${CANDIDATE}\r\n`.repeat(900) }),
      413,
      'body_too_large',
    ],
  ];
  for (const [what, ask, status, code] of bad) {
    it(`refuses a PATCH with ${what} and stays open`, async () => {
      const { session, etag } = await opened();
      assert.deepEqual((await answerOf(session, 'PATCH', ask(etag))).toSpliced(1, 1), [status, code]);
      assert.equal(await isFree(), false);
      assert.deepEqual(await answerOf(session, 'DELETE'), [200, '', null]);
    });
  }

  it('answers GET with 204, and refuses other methods', async () => {
    const { session } = await opened();
    assert.deepEqual(await answerOf(session, 'GET'), [204, '', null]);
    for (const method of ['POST', 'PUT']) {
      const answer = await askIngest(app, session, { method });
      assert.deepEqual(refusalOf(answer).slice(0, 2), [405, 'method_not_allowed']);
      assert.equal(answer.headers.get('allow'), 'PATCH, DELETE');
    }
  });

  it('answers OPTIONS with the accepted content type and methods', async () => {
    const { session } = await opened();
    const headers = { origin: 'https://site.example', 'access-control-request-method': 'PATCH' };
    const answer = await askIngest(app, session, { method: 'OPTIONS', headers });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('accept-patch'), 'application/trickle-ice-sdpfrag');
    assert.equal(answer.headers.get('access-control-allow-methods'), 'PATCH,DELETE');
    assert.match(answer.headers.get('access-control-allow-headers')!, /if-match/);
  });

  const ends: [how: string, end: (mediaId: string) => unknown][] = [
    ['its token is disabled', () => disable()],
    ['its owner stops the stream', () => stopAll()],
    ['its transport is lost', (mediaId) => app.engine.loseSession(mediaId)],
    ['the media engine crashes', () => (app.engine.crash(), app.engine.recover())],
  ];
  for (const [how, end] of ends) {
    it(`is not found any more when ${how}`, async () => {
      const mediaIds = mediaSessionsOf(app);
      const { session } = await opened();
      app.engine.sendFrame('main/main');
      assert.equal(await isLive(), true);
      await end(mediaIds[0]!);
      assert.deepEqual((await answerOf(session, 'GET')).toSpliced(1, 1), [404, 'session_not_found']);
      assert.equal(await isLive(), false);
    });
  }

  it('has a URL that is not logged', async () => {
    const { session, etag } = await opened();
    await askIngest(app, session, { method: 'PATCH', headers: { ...sdpfrag, 'if-match': etag }, body: 'x' });
    await answerOf(session, 'DELETE');
    await answerOf(session, 'DELETE');
    assert.match(app.log.text, /session opened/);
    assert.equal(app.log.text.includes(session.split('/').at(-1)!), false);
    assert.equal(app.log.text.includes(token), false);
  });
});

describe('ifMatch', () => {
  it('matches the entity tag, alone or in a list', () => {
    assert.equal(ifMatch('"one"', 'one'), 'matches');
    assert.equal(ifMatch('"zero", "one" ,"two"', 'one'), 'matches');
  });

  it('matches an asterisk, with and without the quotes of RFC 9725', () => {
    assert.equal(ifMatch('*', 'one'), 'matches');
    assert.equal(ifMatch('"*"', 'one'), 'matches');
  });

  it('does not match another tag, a weak tag, or a tag without quotes', () => {
    for (const header of ['"two"', 'W/"one"', 'one', '', '"', '"one', '"ones"']) {
      assert.equal(ifMatch(header, 'one'), 'differs', header);
    }
  });

  it('reports a missing header', () => {
    assert.equal(ifMatch(undefined, 'one'), 'absent');
  });
});
