import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { signSubscribeToken } from '../../../src/management/sign-subscribe-token.js';
import { GrantLedger } from '../../../server/admission/grant-ledger.js';
import { GrantSigner } from '../../../server/admission/grant-signer.js';
import { ResumeTokens } from '../../../server/admission/resume-tokens.js';
import { GrantRedemption } from '../../../server/sessions/grant-redemption.js';
import type { PendingSessions } from '../../../server/sessions/pending-sessions.js';
import { SessionOutbox } from '../../../server/sessions/session-events.js';
import type { TokenFields } from '../../../server/tokens/token-service.js';
import { Cleanup } from '../../support/cleanup.js';
import { aGrant } from '../../support/grant.js';
import { until } from '../../support/media/until.js';
import { OpenedSessions } from '../../support/opened-sessions.js';
import { streamServer, TestClient, type TestServer } from '../../support/stream-server.js';
import { viewing } from '../../support/websocket-sessions.js';

interface From {
  readonly address?: string;
  readonly origin?: string;
}

type Restrictions = Partial<
  Pick<TokenFields, 'allowedOrigins' | 'allowedIpAddresses' | 'deniedIpAddresses' | 'bindIpsOnUsage'>
>;

/** The headers of a trusted proxy: the address of the client, and the origin of its page. */
const headersOf = ({ address = '192.0.2.1', origin }: From) => ({
  'x-forwarded-for': address,
  ...(origin !== undefined && { origin }),
});

describe('GrantRedemption', () => {
  const key = createSecretKey(Buffer.alloc(32, 7));
  const NOW = Date.parse('2030-01-01T00:00:00Z');
  const grants = new GrantSigner(key);
  const resumeTokens = new ResumeTokens(key);
  const HERE = 'https://here.example';

  /** Of a server with this origin, where these sessions wait for their websocket. */
  const redemption = (node?: string, waiting: Pick<PendingSessions, 'take'> = { take: () => undefined }) => {
    const own = { resumeTokens: new ResumeTokens(key), ledger: new GrantLedger(), node };
    const redeemed = new GrantRedemption({ grants, pending: waiting, ...own });
    return (token: string, at = NOW) => redeemed.redeem(token, 'Subscribe', at);
  };

  it('opens one session with a grant', () => {
    const redeem = redemption();
    const token = grants.sign(aGrant(), NOW);
    assert.deepEqual(redeem(token), { ok: true, grant: aGrant(), pending: undefined });
    assert.deepEqual(redeem(token), { ok: false, code: 'grant_spent' });
  });

  it('opens one session with a resume token', () => {
    const redeem = redemption();
    const token = resumeTokens.issue(aGrant({ sessionId: 'lost' }), NOW);
    const redeemed = redeem(token);
    assert.deepEqual([redeemed.ok && redeemed.grant.resumes, redeemed.ok && redeemed.pending], ['lost', undefined]);
    assert.deepEqual(redeem(token), { ok: false, code: 'grant_spent' });
  });

  it('refuses what is for the other role, what expired, and any other text', () => {
    const redeem = redemption();
    assert.deepEqual(redeem(grants.sign(aGrant({ role: 'Publish' }), NOW)), { ok: false, code: 'grant_invalid' });
    const old = grants.sign(aGrant(), NOW - 60_000);
    assert.deepEqual(redeem(old), { ok: false, code: 'grant_expired' });
    assert.deepEqual(redeem('text'), { ok: false, code: 'grant_invalid' });
  });

  it('refuses what is for another server, without spending it', () => {
    const [redeem, redeemHere] = [redemption(), redemption(HERE)];
    const elsewhere = { ok: false, code: 'wrong_node' };
    const grant = grants.sign(aGrant({ node: HERE }), NOW);
    assert.deepEqual([redeem(grant), redemption('https://there.example')(grant)], [elsewhere, elsewhere]);
    assert.equal(redeemHere(grant).ok, true);
    assert.deepEqual(redeem(resumeTokens.issue(aGrant({ sessionId: 'lost', node: HERE }), NOW)), elsewhere);
    assert.equal(redeemHere(grants.sign(aGrant({ sessionId: 'for every server' }), NOW)).ok, true);
  });

  it('continues the session that the director’s call began, whose grant is spent', () => {
    const { session } = new OpenedSessions().viewer();
    const pending = { session, outbox: new SessionOutbox() };
    const redeem = redemption(undefined, { take: (id) => (id === aGrant().sessionId ? pending : undefined) });
    const token = grants.sign(aGrant(), NOW);
    for (let times = 0; times < 2; times += 1) {
      const redeemed = redeem(token);
      assert.equal(redeemed.ok && redeemed.pending, pending);
    }
  });
});

describe('redeeming a grant', () => {
  const cleanup = new Cleanup();
  let app: TestServer;

  beforeEach(async () => {
    app = await streamServer(cleanup, { TRUSTED_PROXIES: '127.0.0.1' });
  });
  afterEach(() => cleanup.run());

  const create = async (fields: Restrictions = {}) => {
    const streams = [{ streamName: 'main', isRegex: false }];
    return app.server.tokens.create({ accountId: 'main', kind: 'subscribe' }, { label: '', streams, ...fields });
  };
  const ask = async (token: string, from: From = {}, body: object = {}) => {
    const response = await fetch(`${app.origin}/api/director/subscribe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headersOf(from) },
      body: JSON.stringify({ streamName: 'main', streamAccountId: 'main', ...body }),
    });
    return (await response.json()) as { data: { urls: string[]; jwt: string; code?: string } };
  };
  const connect = async (jwt: string, from: From = {}) => {
    const url = `ws://127.0.0.1:${app.port}/ws/v2/sub/${'0'.repeat(32)}?token=${jwt}`;
    const client = new TestClient(new WebSocket(url, { headers: headersOf(from) }));
    await once(client.socket, 'open');
    return client;
  };
  /** Opens a websocket first and sends the grant on it, as our own client does. */
  const openFirst = async (jwt: string, from: From = {}) => {
    const client = new TestClient(new WebSocket(`ws://127.0.0.1:${app.port}/ws/v2/sub`, { headers: headersOf(from) }));
    await once(client.socket, 'open');
    const attached = client.command('attach', { grant: jwt });
    // A refused client receives no answer to its command: it receives a notice and the websocket is closed.
    attached.catch(() => {});
    return { client, attached };
  };
  const grantOf = async (token: string, from?: From) => (await ask(token, from)).data.jwt;
  const watch = async (token: string, from?: From) => {
    const viewer = await connect(await grantOf(token, from), from);
    const { data } = await viewer.command('view', viewing);
    return { viewer, resumeToken: data.resumeToken as string };
  };
  /** `admitted`, or the code that the client receives. */
  const outcomeOf = async (client: TestClient): Promise<string> => {
    const frame = await Promise.race([client.command('view', viewing), client.event('stopped')]);
    return frame.type === 'response' ? 'admitted' : (frame.data.code ?? frame.code);
  };

  it('works from another address than the call came from, because a phone changes networks', async () => {
    const { token } = await create();
    const viewer = await connect(await grantOf(token), { address: '198.51.100.9' });
    assert.equal(await outcomeOf(viewer), 'admitted');
  });

  const contexts: [what: string, fields: Restrictions, permitted: From, other: From, code: string][] = [
    [
      'an address',
      { allowedIpAddresses: ['192.0.2.0/24'] },
      { address: '192.0.2.1' },
      { address: '198.51.100.9' },
      'address_not_allowed',
    ],
    [
      'a range of addresses',
      { deniedIpAddresses: ['2001:db8:1:2::/64'] },
      { address: '2001:db8:1:3::4' },
      { address: '2001:db8:1:2::4' },
      'address_denied',
    ],
    [
      'a page',
      { allowedOrigins: ['a.example'] },
      { origin: 'https://a.example' },
      { origin: 'https://b.example' },
      'origin_not_allowed',
    ],
  ];
  for (const [what, fields, permitted, other, code] of contexts) {
    it(`is refused from ${what} that its token does not permit`, async () => {
      const { token } = await create(fields);
      assert.equal(await outcomeOf(await connect(await grantOf(token, permitted), other)), code);
      assert.equal(await outcomeOf(await connect(await grantOf(token, permitted), permitted)), 'admitted');
    });

    it(`is refused from ${what} that its token does not permit, on a websocket that was opened before`, async () => {
      const { token } = await create(fields);
      const { client } = await openFirst(await grantOf(token, permitted), other);
      assert.equal((await client.event('stopped')).data.code, code);
    });

    it(`ends the pending session when it comes from ${what} that its token does not permit`, async () => {
      const { token } = await create(fields);
      const { data } = await ask(token, permitted, { view: { sdp: viewing.sdp } });
      const { client } = await openFirst(data.jwt, other);
      assert.equal((await client.event('stopped')).data.code, code);
      assert.equal((await app.engine.stats('main/main')).viewers, 0);
    });

    it(`is refused from ${what} that a self-signed token does not permit, with a resume token as well`, async () => {
      const { id, token } = await create();
      const now = () => app.clock.now;
      const signed = await signSubscribeToken({ id, token }, { streamName: 'main', expires: 60, ...fields }, { now });
      const { resumeToken } = await watch(signed, permitted);
      assert.equal(await outcomeOf(await connect(resumeToken, other)), code);
      const again = await watch(signed, permitted);
      assert.equal(await outcomeOf(await connect(again.resumeToken, permitted)), 'admitted');
    });
  }

  it('binds the address to the token, with a resume token as well', async () => {
    const { token } = await create({ bindIpsOnUsage: 2 });
    const { resumeToken } = await watch(token, { address: '192.0.2.1' });
    const second = await connect(resumeToken, { address: '192.0.2.2' });
    const { data } = await second.command('view', viewing);
    assert.equal(await outcomeOf(await connect(data.resumeToken, { address: '192.0.2.3' })), 'address_not_bound');
    assert.equal((await ask(token, { address: '192.0.2.3' })).data.code, 'address_not_bound');
    assert.equal((await ask(token, { address: '192.0.2.2' })).data.code, undefined);
  });

  it('gives the session its new address, which decides after a change of the allowed addresses', async () => {
    const { id, token } = await create();
    const scope = { accountId: 'main', kind: 'subscribe' } as const;
    const { data } = await ask(token, { address: '192.0.2.1' }, { view: { sdp: viewing.sdp } });
    const { client, attached } = await openFirst(data.jwt, { address: '198.51.100.9' });
    assert.equal((await attached).type, 'response');
    await app.server.tokens.update(scope, id, { allowedIpAddresses: ['198.51.100.9'] });
    assert.equal((await client.command('fly')).code, 'unknown_command');
    await app.server.tokens.update(scope, id, { allowedIpAddresses: ['192.0.2.1'] });
    assert.equal((await client.event('stopped')).data.code, 'address_not_allowed');
  });

  it('opens one websocket, even if two bring the grant at once', async () => {
    const { token } = await create();
    const { data } = await ask(token, {}, { view: { sdp: viewing.sdp } });
    const [one, other] = [await openFirst(data.jwt), await openFirst(data.jwt)];
    const codes = [(await one.attached).code, (await other.attached).code];
    assert.deepEqual(codes, [undefined, 'grant_spent']);
  });

  describe('by a client that leaves before the decision', () => {
    /** Delays every binding until `go` is called. */
    const delayBinding = () => {
      const { tokens } = app.server;
      const bind = tokens.bindAddress.bind(tokens);
      const asked = Promise.withResolvers<void>();
      const go = Promise.withResolvers<void>();
      tokens.bindAddress = async (...call) => {
        asked.resolve();
        await go.promise;
        return bind(...call);
      };
      return { asked: asked.promise, go: go.resolve };
    };
    const sessionsEnded = () => app.log.text.split('"session ended"').length - 1;

    it('leaves no session behind on a websocket that was opened before', async () => {
      const { token } = await create({ bindIpsOnUsage: 2 });
      const { data } = await ask(token, {}, { view: { sdp: viewing.sdp } });
      const binding = delayBinding();
      const { client } = await openFirst(data.jwt, { address: '198.51.100.9' });
      await binding.asked;
      client.socket.terminate();
      await client.closed;
      binding.go();
      await until('the session ended', () => sessionsEnded() === 1);
      assert.equal((await app.engine.stats('main/main')).viewers, 0);
    });

    it('leaves no session behind on a websocket whose upgrade was not answered', async () => {
      const { token } = await create({ bindIpsOnUsage: 2 });
      const { data } = await ask(token, {}, { view: { sdp: viewing.sdp } });
      const binding = delayBinding();
      const url = `ws://127.0.0.1:${app.port}/ws/v2/sub/${'0'.repeat(32)}?token=${data.jwt}`;
      const socket = new WebSocket(url, { headers: headersOf({ address: '198.51.100.9' }) });
      socket.on('error', () => {});
      await binding.asked;
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.terminate();
      await closed;
      // The server reads the end of the first connection before this request.
      await fetch(`${app.origin}/healthz`);
      binding.go();
      await until('the session ended', () => sessionsEnded() === 1);
      assert.equal((await app.engine.stats('main/main')).viewers, 0);
    });
  });
});
