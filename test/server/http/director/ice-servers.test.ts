import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { turnCredential } from '../../../../server/admission/ice-servers.js';
import { Cleanup } from '../../../support/cleanup.js';
import { askDirector, NOW, streamServer, type TestServer } from '../../../support/stream-server.js';

const SECRET = 'a secret that the TURN server has too';
const TURN_URLS = ['turn:127.0.0.1:3478?transport=udp', 'turn:127.0.0.1:3478?transport=tcp'];

describe('the ICE servers in a grant of the director', () => {
  const cleanup = new Cleanup();
  let app: TestServer;

  before(async () => {
    app = await streamServer(cleanup, {
      STUN_URLS: 'stun:127.0.0.1:3478',
      TURN_URLS: TURN_URLS.join(),
      TURN_SECRET: SECRET,
      TURN_TTL_S: '600',
    });
  });
  after(() => cleanup.run());

  for (const kind of ['subscribe', 'publish'] as const) {
    it(`have a credential for this session: ${kind}`, async () => {
      const { body } = await askDirector(app, kind, await app.token(kind));
      const { jti } = JSON.parse(Buffer.from(body.data.jwt.split('.')[1], 'base64url').toString());
      const expected = turnCredential(createSecretKey(SECRET, 'utf8'), jti, NOW / 1000 + 600);
      assert.deepEqual(body.data.iceServers, [
        { urls: ['stun:127.0.0.1:3478'] },
        { urls: TURN_URLS, username: expected.username, credential: expected.credential },
      ]);
    });
  }

  it('are not in a refusal, and their secret is in no response and not in the log', async () => {
    const refused = await askDirector(app, 'subscribe', 'ff'.repeat(32));
    assert.equal(refused.status, 401);
    assert.equal('iceServers' in refused.body.data, false);
    const admitted = await askDirector(app, 'subscribe', await app.token('subscribe'));
    const { credential } = admitted.body.data.iceServers[1];
    assert.equal(JSON.stringify([refused.body, admitted.body]).includes(SECRET), false);
    assert.equal(app.log.text.includes(SECRET) || app.log.text.includes(credential), false);
  });
});
