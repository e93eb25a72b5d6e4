import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { beforeEach, describe, it } from 'node:test';
import type { AccessAttempt, CredentialSource } from '../../../server/admission/access-request-factory.js';
import { Admission, type AdmissionResult } from '../../../server/admission/admission.js';
import type { Grant } from '../../../server/admission/grant.js';
import { TokenViewings, type CountedSession } from '../../../server/admission/token-viewings.js';
import type { AccountRoom } from '../../../server/rules/access-request.js';
import type { MediaEngineEvents } from '../../../server/media/engine/media-engine.js';
import type { CompiledToken } from '../../../server/tokens/compiled-token.js';
import { StreamRegistry } from '../../../server/streams/stream-registry.js';
import { aPublisher, claimRequest } from '../../support/member.js';
import { aCompiledToken } from '../../support/token.js';
import { streamIdOf } from '../../../server/streams/stream-id.js';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const SIGNED = {
  until: NOW + 1,
  allowedOrigins: ['example.com'],
  allowedIpAddresses: ['192.0.2.0/24'],
  deniedIpAddresses: ['192.0.2.200'],
  allowedCountries: ['CH'],
  deniedCountries: [],
  maxSessions: 0,
  id: '',
};

describe('Admission', () => {
  let tokens: CompiledToken[];
  let engine: EventEmitter<MediaEngineEvents>;
  let streams: StreamRegistry;
  let admission: Admission;
  let credentials: CredentialSource;
  let viewings: TokenViewings;
  let room: AccountRoom;
  let sessions: EventEmitter<{ opened: [CountedSession]; ended: [CountedSession] }>;
  let refused: string[];
  let admitted: string[];
  /** The requested bindings, and the answer of the store. */
  let boundAddresses: { id: number; address: string }[];
  let binding: 'bound' | 'already_bound' | 'full';

  beforeEach(() => {
    tokens = [
      aCompiledToken({ id: 1, kind: 'publish', token: 'publish-main' }),
      aCompiledToken({ id: 2, kind: 'subscribe', token: 'watch-main' }),
    ];
    engine = new EventEmitter();
    streams = new StreamRegistry(engine);
    credentials = {
      findByValue: (value: string) => tokens.find(({ token }) => token === value),
      findById: (id: number) => tokens.find((token) => token.id === id),
      protects: (accountId: string, streamName: string) =>
        tokens.some(
          (token) =>
            token.kind === 'publish' &&
            token.accountId === accountId &&
            token.subscribeRequiresAuth &&
            token.permitsStream(streamName),
        ),
    };
    viewings = new TokenViewings();
    sessions = new EventEmitter();
    viewings.follow(sessions);
    boundAddresses = [];
    binding = 'bound';
    refused = [];
    admitted = [];
    room = { maxSessions: null, sessions: 0 };
    admission = new Admission({
      credentials,
      bindings: {
        bindAddress: async (id: number, address: string) => {
          boundAddresses.push({ id, address });
          return binding;
        },
      },
      streams,
      viewings,
      countries: { countryOf: (address) => (address.startsWith('192.0.2.') ? 'CH' : undefined) },
      accounts: { roomFor: () => room },
      now: () => NOW,
      onAdmitted: (kind) => admitted.push(kind),
      refusals: { refused: ({ streamName }, reason) => refused.push(`${streamName}: ${reason}`) },
    });
  });

  const attempt = (overrides: Partial<AccessAttempt> = {}): AccessAttempt => ({
    token: undefined,
    accountId: 'acme',
    streamName: 'main',
    origin: 'https://example.com',
    address: '192.0.2.1',
    ...overrides,
  });

  const goLive = (publisher = aPublisher({ tokenId: 1 })) => {
    streams.claim(streamIdOf('acme', 'main'), publisher, claimRequest());
    engine.emit('live', 'acme/main', null, ['video']);
    return publisher;
  };

  const reasonOf = (outcome: AdmissionResult) => (outcome.admitted ? 'admitted' : outcome.reason);
  const viewing = async (overrides: Partial<AccessAttempt> = {}) =>
    reasonOf(await admission.admit('subscribe', attempt(overrides)));
  const publishing = async (overrides: Partial<AccessAttempt> = {}) =>
    reasonOf(await admission.admit('publish', attempt(overrides)));

  it('admits a viewer with a token to a stream that has not begun, and names the token in the grant', async () => {
    const outcome = await admission.admit('subscribe', attempt({ token: 'watch-main', accountId: undefined }));
    assert.equal(outcome.admitted, true);
    assert.deepEqual(
      { ...outcome.grant, sessionId: '' },
      {
        role: 'Subscribe',
        accountId: 'acme',
        streamName: 'main',
        sessionId: '',
        tokenId: 2,
        resumes: null,
        tokenFingerprint: 'watch-main',
        signed: null,
        origin: 'https://example.com',
        address: '192.0.2.1',
      },
    );
    assert.match(outcome.grant.sessionId, /^[0-9a-f]{32}$/);
  });

  it('admits a viewer without a token to a live stream', async () => {
    goLive();
    assert.equal(await viewing(), 'admitted');
  });

  it('refuses a viewer without a token for a stream that is not live', async () => {
    assert.equal(await viewing(), 'stream_not_live');
  });

  it('does not count a stream as live before its publisher sends media', async () => {
    streams.claim(streamIdOf('acme', 'main'), aPublisher({ tokenId: 1 }), claimRequest());
    assert.equal(await viewing(), 'stream_not_live');
  });

  it('requires a token from viewers if the token of the live publisher does', async () => {
    goLive();
    tokens[0] = aCompiledToken({ id: 1, kind: 'publish', subscribeRequiresAuth: true });
    assert.equal(await viewing(), 'token_missing');
    assert.equal(await viewing({ token: 'watch-main' }), 'admitted');
  });

  it('shows a stream to no viewer without a token if the token of the live publisher was deleted', async () => {
    goLive();
    tokens.shift();
    assert.equal(await viewing(), 'stream_not_live');
  });

  it('refuses a token for another account', async () => {
    assert.equal(await viewing({ token: 'watch-main', accountId: 'other' }), 'token_unknown');
  });

  it('treats an unreadable token as unknown', async () => {
    goLive();
    assert.equal(await viewing({ token: '' }), 'token_unknown');
  });

  it('refuses a second publisher while the first publishes', async () => {
    goLive();
    assert.equal(await publishing({ token: 'publish-main' }), 'stream_in_use');
  });

  it('admits a publisher again with the key of the session that they lost', async () => {
    const publisher = goLive(aPublisher({ tokenId: 1, sessionKey: 'k' }));
    const outcome = await admission.admit('publish', attempt({ token: 'publish-main', sessionKey: 'k' }));
    assert.equal(outcome.admitted && outcome.grant.resumes, publisher.id);
  });

  it('refuses a publisher with another session key', async () => {
    goLive(aPublisher({ tokenId: 1, sessionKey: 'k' }));
    assert.equal(await publishing({ token: 'publish-main', sessionKey: 'other' }), 'stream_in_use');
  });

  it('records every refusal, and no admission', async () => {
    await viewing({ token: 'watch-main' });
    await viewing();
    await publishing({ token: 'publish-main', streamName: 'another' });
    assert.deepEqual(refused, ['main: stream_not_live', 'another: stream_not_permitted']);
  });

  it('reports every admission, with a token, none or a grant, and no refusal', async () => {
    await viewing();
    await viewing({ token: 'watch-main' });
    const outcome = await admission.admit('publish', attempt({ token: 'publish-main' }));
    assert.ok(outcome.admitted);
    await admission.readmit(outcome.grant, outcome.grant);
    goLive();
    await viewing();
    assert.deepEqual(admitted, ['subscribe', 'publish', 'publish', 'subscribe']);
  });

  it('waits for the refresh of a stale token', async () => {
    credentials.refreshIfStale = async () => {
      await new Promise(setImmediate);
      tokens[1] = { ...tokens[1]!, isActive: false };
    };
    assert.equal(await viewing({ token: 'watch-main' }), 'token_disabled');
  });

  it('names the restrictions of a self-signed token in the grant', async () => {
    tokens[1] = { ...tokens[1]!, signed: SIGNED };
    const outcome = await admission.admit('subscribe', attempt({ token: 'watch-main' }));
    assert.equal(outcome.admitted && outcome.grant.signed, SIGNED);
  });

  it('names RTMP in the grant of an encoder that uses it', async () => {
    const outcome = await admission.admit('publish', attempt({ token: 'publish-main', via: 'rtmp' }));
    assert.equal(outcome.admitted && outcome.grant.via, 'rtmp');
  });

  it('refuses a session for which the account has no room, when it is asked for and when it begins', async () => {
    const outcome = await admission.admit('subscribe', attempt({ token: 'watch-main' }));
    assert.ok(outcome.admitted);
    room = { maxSessions: 1, sessions: 1 };
    assert.equal(await viewing({ token: 'watch-main' }), 'account_full');
    const again = await admission.readmit(outcome.grant, outcome.grant);
    assert.equal(again.admitted || again.reason, 'account_full');
    assert.deepEqual(admission.recheck(outcome.grant), { allowed: true }, 'those that are open stay');
  });

  it('shows what the rules would read, and what guests may know, and decides nothing', () => {
    const request = admission.requestFor('subscribe', attempt({ streamName: 'another' }));
    assert.deepEqual([request.kind, request.streamName, request.stream.live], ['subscribe', 'another', false]);
    assert.deepEqual(admission.shownToGuests('acme', 'main'), { live: false, requiresToken: false });
    assert.deepEqual([refused, admitted], [[], []]);
  });

  it('requires a token from every publisher', async () => {
    assert.equal(await publishing(), 'token_missing');
  });

  describe('with a token that binds addresses', () => {
    const give = (overrides: Partial<CompiledToken>) => {
      tokens[1] = aCompiledToken({ id: 2, kind: 'subscribe', token: 'watch-main', bindIpsOnUsage: 2, ...overrides });
    };

    it('binds an address that is not bound', async () => {
      give({});
      assert.equal(await viewing({ token: 'watch-main' }), 'admitted');
      assert.deepEqual(boundAddresses, [{ id: 2, address: '192.0.2.1' }]);
    });

    it('binds none if the token binds none, and none of an encoder with RTMP', async () => {
      give({ bindIpsOnUsage: 0 });
      assert.equal(await viewing({ token: 'watch-main' }), 'admitted');
      tokens[0] = { ...tokens[0]!, bindIpsOnUsage: 2 };
      assert.equal(await publishing({ token: 'publish-main', via: 'rtmp' }), 'admitted');
      assert.deepEqual(boundAddresses, []);
      assert.equal(await publishing({ token: 'publish-main' }), 'admitted');
      assert.deepEqual(boundAddresses, [{ id: 1, address: '192.0.2.1' }]);
    });

    it('does not call the store for a bound address', async () => {
      give({ boundIps: [{ address: '192.0.2.1', boundOn: 0 }], isBoundTo: () => true });
      assert.equal(await viewing({ token: 'watch-main' }), 'admitted');
      assert.deepEqual(boundAddresses, []);
    });

    it('refuses the second of two clients that use the last binding', async () => {
      give({});
      binding = 'full';
      assert.equal(await viewing({ token: 'watch-main' }), 'address_not_bound');
    });

    it('binds no address for a refused client', async () => {
      give({});
      assert.equal(await viewing({ token: 'watch-main', streamName: 'another' }), 'stream_not_permitted');
      assert.deepEqual(boundAddresses, []);
    });
  });

  describe('with a token that limits its sessions', () => {
    const grantOf = async () => {
      const outcome = await admission.admit('subscribe', attempt({ token: 'watch-main' }));
      return outcome.admitted ? outcome.grant : assert.fail(outcome.reason);
    };
    const open = async () => {
      const grant = await grantOf();
      sessions.emit('opened', { grant });
      return grant;
    };
    const limit = (overrides: Partial<CompiledToken>) => {
      tokens[1] = { ...tokens[1]!, ...overrides };
    };

    it('refuses one more viewer, and admits one again when a viewer has left', async () => {
      limit({ maxSessions: 2 });
      const grant = await open();
      await open();
      assert.equal(await viewing({ token: 'watch-main' }), 'token_full');
      assert.deepEqual(refused, ['main: token_full']);
      sessions.emit('ended', { grant });
      assert.equal(await viewing({ token: 'watch-main' }), 'admitted');
    });

    it('says of a grant whether its token, as it is now, limits them', async () => {
      const grant = await grantOf();
      assert.equal(admission.limitsSessions(grant), false);
      limit({ maxSessions: 1 });
      assert.equal(admission.limitsSessions(grant), true);
      assert.equal(admission.limitsSessions({ ...grant, tokenId: null }), false);
    });

    it('refuses the second of two callers who were admitted together when their sessions open', async () => {
      limit({ maxSessions: 1 });
      const [first, second] = [await grantOf(), await grantOf()];
      assert.deepEqual(admission.recheck(first), { allowed: true });
      sessions.emit('opened', { grant: first });
      assert.deepEqual(admission.recheck(second), { allowed: false, reason: 'token_full' });
    });

    it('admits the client that resumes its own session', async () => {
      limit({ maxSessions: 1 });
      const grant = await open();
      const resuming = { ...grant, sessionId: 'b'.repeat(32), resumes: grant.sessionId };
      assert.equal((await admission.readmit(resuming, grant)).admitted, true);
    });

    it('keeps the viewers who came first when the limit falls', async () => {
      const grants = [await open(), await open(), await open()];
      limit({ maxSessions: 2 });
      assert.deepEqual(
        grants.map((grant) => admission.recheck(grant).allowed),
        [true, true, false],
      );
    });

    it('admits every viewer if it displaces the oldest', async () => {
      limit({ maxSessions: 1, whenFull: 'displace' });
      await open();
      assert.equal(await viewing({ token: 'watch-main' }), 'admitted');
    });
  });

  describe('deciding again', () => {
    const grantOf = async (token: string, kind: 'publish' | 'subscribe' = 'subscribe') => {
      const outcome = await admission.admit(kind, attempt({ token }));
      assert.equal(outcome.admitted, true);
      return outcome.grant;
    };
    const change = (overrides: Partial<CompiledToken>) => {
      tokens[1] = { ...tokens[1]!, ...overrides };
    };

    it('allows a session that no change concerns, whether the stream is live or not', async () => {
      assert.deepEqual(admission.recheck(await grantOf('watch-main')), { allowed: true });
    });

    it('does not refuse a publisher because the name is in use by the same session', async () => {
      const grant = await grantOf('publish-main', 'publish');
      goLive();
      assert.deepEqual(admission.recheck(grant), { allowed: true });
    });

    const changes: [what: string, overrides: Partial<CompiledToken>, reason: string][] = [
      ['is switched off', { isActive: false }, 'token_disabled'],
      ['ran out', { expiresOn: NOW }, 'token_expired'],
      ['names the stream no more', { permitsStream: () => false }, 'stream_not_permitted'],
      ['allows other origins', { permitsOrigin: () => false }, 'origin_not_allowed'],
      ['allows other addresses', { permitsAddress: () => false }, 'address_not_allowed'],
      ['has another value', { fingerprint: 'another' }, 'token_unknown'],
    ];
    for (const [what, overrides, reason] of changes) {
      it(`refuses after the token ${what}`, async () => {
        const grant = await grantOf('watch-main');
        change(overrides);
        assert.deepEqual(admission.recheck(grant), { allowed: false, reason });
      });
    }

    it('records a refusal, and nothing of a session that may stay', async () => {
      const grant = await grantOf('watch-main');
      admission.recheck(grant);
      assert.deepEqual(refused, []);
      change({ isActive: false });
      admission.recheck(grant);
      assert.deepEqual(refused, ['main: token_disabled']);
    });

    it('refuses after the token was deleted', async () => {
      const grant = await grantOf('watch-main');
      tokens.pop();
      assert.deepEqual(admission.recheck(grant), { allowed: false, reason: 'token_unknown' });
    });

    describe('for a self-signed token', () => {
      const decided = async (overrides: Partial<typeof SIGNED> = {}, place: Partial<Grant> = {}) =>
        admission.recheck({ ...(await grantOf('watch-main')), signed: { ...SIGNED, ...overrides }, ...place });

      it('allows what both the token and its parent permit', async () => {
        assert.deepEqual(await decided(), { allowed: true });
      });

      const narrower: [what: string, decide: () => Promise<unknown>, reason: string][] = [
        ['after its own end', () => decided({ until: NOW }), 'token_expired'],
        ['on a page that it does not allow', () => decided({}, { origin: 'https://b.example' }), 'origin_not_allowed'],
        ['at an address that it denies', () => decided({}, { address: '192.0.2.200' }), 'address_denied'],
        ['at an address that it does not allow', () => decided({}, { address: '198.51.100.1' }), 'address_not_allowed'],
      ];
      for (const [what, decide, reason] of narrower) {
        it(`refuses ${what}, whatever the parent permits`, async () => {
          assert.deepEqual(await decide(), { allowed: false, reason });
        });
      }

      it('refuses what the parent no longer permits', async () => {
        const grant = { ...(await grantOf('watch-main')), signed: SIGNED };
        change({ permitsOrigin: () => false });
        assert.deepEqual(admission.recheck(grant), { allowed: false, reason: 'origin_not_allowed' });
      });
    });

    it('refuses viewers without a token after the token of the publisher requires one', async () => {
      goLive();
      const outcome = await admission.admit('subscribe', attempt());
      assert.equal(outcome.admitted, true);
      tokens[0] = { ...tokens[0]!, subscribeRequiresAuth: true };
      assert.deepEqual(admission.recheck(outcome.grant), { allowed: false, reason: 'token_missing' });
    });
  });

  describe('a grant that is redeemed or resumed', () => {
    const HERE = { origin: 'https://example.com', address: '192.0.2.1' };
    const ELSEWHERE = { origin: 'https://other.example', address: '198.51.100.9' };
    const grantOf = async (token?: string) => {
      const outcome = await admission.admit('subscribe', attempt({ token }));
      assert.ok(outcome.admitted);
      boundAddresses = [];
      return outcome.grant;
    };
    const change = (overrides: Partial<CompiledToken>) => {
      tokens[1] = { ...tokens[1]!, ...overrides };
    };
    const reasonAt = async (grant: Grant, place = HERE) => {
      const outcome = await admission.readmit(grant, place);
      return outcome.admitted ? 'admitted' : outcome.reason;
    };

    it('is decided by the present origin and address of its bearer, which later decisions use', async () => {
      const grant = await grantOf('watch-main');
      assert.deepEqual(await admission.readmit(grant, ELSEWHERE), {
        admitted: true,
        grant: { ...grant, ...ELSEWHERE },
      });
      change({ permitsAddress: (address) => address === HERE.address });
      assert.equal(await reasonAt(grant), 'admitted');
      assert.equal(await reasonAt(grant, ELSEWHERE), 'address_not_allowed');
    });

    it('admits a guest again, and binds no address of theirs', async () => {
      goLive();
      assert.equal(await reasonAt(await grantOf()), 'admitted');
      assert.deepEqual(boundAddresses, []);
    });

    it('is decided by the present state of its token', async () => {
      const grant = await grantOf('watch-main');
      change({ isActive: false });
      assert.equal(await reasonAt(grant), 'token_disabled');
      assert.deepEqual(refused, ['main: token_disabled']);
    });

    it('binds an address that is not bound, and is refused if the token binds no more', async () => {
      change({ bindIpsOnUsage: 2 });
      const grant = await grantOf('watch-main');
      assert.equal(await reasonAt(grant, ELSEWHERE), 'admitted');
      assert.deepEqual(boundAddresses, [{ id: 2, address: ELSEWHERE.address }]);
      binding = 'full';
      assert.equal(await reasonAt(grant, ELSEWHERE), 'address_not_bound');
    });

    it('refreshes its token if it may be stale, or the tokens of the publishers if it has none', async () => {
      goLive();
      const [grant, guest] = [await grantOf('watch-main'), await grantOf()];
      const refreshed: number[] = [];
      credentials.refreshTokenIfStale = async (id: number) => {
        refreshed.push(id);
        await new Promise(setImmediate);
        change({ isActive: false });
        tokens[0] = { ...tokens[0]!, subscribeRequiresAuth: true };
      };
      assert.equal(await reasonAt(grant), 'token_disabled');
      assert.equal(await reasonAt(guest), 'token_missing');
      assert.deepEqual(refreshed, [2, 1]);
      assert.equal(await viewing(), 'token_missing');
      assert.deepEqual(refreshed, [2, 1, 1], 'an attempt without a token refreshes them, too');
    });
  });
});
