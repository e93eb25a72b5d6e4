import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { beforeEach, describe, it } from 'node:test';
import {
  AccessRequestFactory,
  type AccessAttempt,
  type AccessRequestFactoryOptions,
} from '../../../server/admission/access-request-factory.js';
import type { MediaEngineEvents } from '../../../server/media/engine/media-engine.js';
import { streamIdOf } from '../../../server/streams/stream-id.js';
import { StreamRegistry } from '../../../server/streams/stream-registry.js';
import { NOTHING_ELSEWHERE } from '../../../server/streams/streams-elsewhere.js';
import type { CompiledToken, SignedRestrictions } from '../../../server/tokens/compiled-token.js';
import { aGrant } from '../../support/grant.js';
import { aPublisher, claimRequest } from '../../support/member.js';
import { aCompiledToken } from '../../support/token.js';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const STREAM = streamIdOf('acme', 'main');

describe('AccessRequestFactory', () => {
  let tokens: CompiledToken[];
  let engine: EventEmitter<MediaEngineEvents>;
  let streams: StreamRegistry;
  /** What is asked of the database, in order. The test resolves each by itself. */
  let refreshes: { of: string; done: () => void }[];
  /** Nothing in memory is stale. */
  let allCurrent: boolean;
  /** What was looked up besides tokens and streams. */
  let lookups: unknown[];
  let factory: AccessRequestFactory;

  const refresh = (of: string) =>
    allCurrent ? undefined : new Promise<void>((resolve) => refreshes.push({ of, done: resolve }));

  beforeEach(() => {
    tokens = [aCompiledToken({ id: 1, kind: 'publish', token: 'publish' }), aCompiledToken({ id: 7, token: 'watch' })];
    refreshes = [];
    allCurrent = true;
    lookups = [];
    engine = new EventEmitter();
    streams = new StreamRegistry(engine, {
      elsewhere: { ...NOTHING_ELSEWHERE, refreshIfStale: (stream) => refresh(stream) },
    });
    factory = new AccessRequestFactory(sources());
  });

  const sources = (): AccessRequestFactoryOptions => ({
    credentials: {
      findByValue: (value) => {
        assert.equal(typeof value, 'string', 'who presents no token is not looked for');
        return tokens.find(({ token }) => token === value);
      },
      findById: (id) => tokens.find((token) => token.id === id),
      protects: (accountId, streamName) =>
        [accountId, streamName].join() === 'acme,main' &&
        tokens.some(({ subscribeRequiresAuth }) => subscribeRequiresAuth),
      refreshIfStale: (value, from) => refresh(`${value} from ${from}`),
      refreshTokenIfStale: (id) => refresh(`token ${id}`),
    },
    streams,
    viewings: {
      ahead: (token, grant) => {
        lookups.push(['viewings', token.id, grant?.sessionId]);
        return { ofToken: 3, ofSigned: 2 };
      },
    },
    countries: {
      countryOf: (address) => {
        lookups.push(['country', address]);
        return 'CH';
      },
    },
    accounts: {
      roomFor: (accountId, replaces) => {
        lookups.push(['room', accountId, ...replaces]);
        return { maxSessions: 5, sessions: 4 };
      },
    },
    now: () => NOW,
  });
  const attempt = (overrides: Partial<AccessAttempt> = {}): AccessAttempt => ({
    token: undefined,
    accountId: 'acme',
    streamName: 'main',
    origin: 'https://example.com',
    address: '192.0.2.1',
    ...overrides,
  });
  const viewed = (overrides: Partial<AccessAttempt> = {}) => factory.ofAttempt('subscribe', attempt(overrides)).request;
  const publish = (publisher = aPublisher(), sourceId: string | null = null) => {
    streams.claim(STREAM, publisher, claimRequest({ sourceId, resumable: true }));
    engine.emit('live', STREAM, sourceId, ['video']);
    return publisher;
  };
  const requireToken = (...ids: number[]) => {
    tokens = tokens.map((token) => (ids.includes(token.id) ? { ...token, subscribeRequiresAuth: true } : token));
  };
  const change = (overrides: Partial<CompiledToken>) => {
    tokens[1] = { ...tokens[1]!, ...overrides };
  };
  const signed = (overrides: Partial<SignedRestrictions> = {}): SignedRestrictions => ({
    until: NOW + 1,
    allowedOrigins: [],
    allowedIpAddresses: [],
    deniedIpAddresses: [],
    allowedCountries: [],
    deniedCountries: [],
    maxSessions: 0,
    id: 'jti',
    ...overrides,
  });

  describe('refreshes from the database', () => {
    /** Answers one question after the other. @returns them, and whether the refresh waited for all answers */
    const questionsOf = async (begin: () => Promise<unknown> | undefined) => {
      allCurrent = false;
      let isDone = false;
      const refreshed = begin()!.then(() => (isDone = true));
      const asked: string[] = [];
      for (let question = refreshes.shift(); question; question = refreshes.shift()) {
        assert.equal(isDone, false);
        asked.push(question.of);
        question.done();
        await new Promise(setImmediate);
      }
      await refreshed;
      return asked;
    };

    it('the presented token, and then the stream', async () => {
      const asked = await questionsOf(() => factory.refreshForAttempt(attempt({ token: 'watch' })));
      assert.deepEqual(asked, ['watch from 192.0.2.1', STREAM]);
    });

    it('the stream of the account of the token, if the caller names none and the token becomes known', async () => {
      const [publishing, watching] = tokens as [CompiledToken, CompiledToken];
      tokens = [publishing];
      const asked = questionsOf(() => factory.refreshForAttempt(attempt({ token: 'watch', accountId: undefined })));
      tokens = [publishing, watching];
      assert.deepEqual(await asked, ['watch from 192.0.2.1', STREAM]);
    });

    it('no stream if neither the caller nor the token names an account', async () => {
      const unknown = attempt({ token: 'unknown', accountId: undefined });
      assert.deepEqual(await questionsOf(() => factory.refreshForAttempt(unknown)), ['unknown from 192.0.2.1']);
    });

    it('the stream of a caller without a token', async () => {
      assert.deepEqual(await questionsOf(() => factory.refreshForAttempt(attempt())), [STREAM]);
    });

    it('the tokens of all publishers, for a caller without a token', async () => {
      publish();
      publish(aPublisher({ tokenId: 2 }), 'cam');
      assert.deepEqual(await questionsOf(() => factory.refreshForAttempt(attempt())), ['token 1', 'token 2']);
    });

    it('the token of the publisher who was recorded, and of none if it is deleted', async () => {
      publish();
      const guest = aGrant({ tokenId: null });
      const ofRecording = (tokenId: number | null) => factory.refreshForGrant({ ...guest, recordedWith: tokenId });
      assert.deepEqual(await questionsOf(() => ofRecording(9)), ['token 9']);
      assert.equal(ofRecording(null), undefined);
    });

    it('the token of a grant, or for one without a token those of the publishers', async () => {
      publish();
      assert.deepEqual(await questionsOf(() => factory.refreshForGrant(aGrant())), ['token 7']);
      assert.deepEqual(await questionsOf(() => factory.refreshForGrant(aGrant({ tokenId: null }))), ['token 1']);
    });

    it('nothing, without a wait, if all is current', () => {
      publish();
      assert.equal(factory.refreshForAttempt(attempt({ token: 'watch' })), undefined);
      assert.equal(factory.refreshForAttempt(attempt()), undefined);
      assert.equal(factory.refreshForGrant(aGrant()), undefined);
      assert.equal(factory.refreshForGrant(aGrant({ tokenId: null })), undefined);
    });
  });

  describe('of an attempt', () => {
    it('says all that the rules read', () => {
      assert.deepEqual(viewed({ token: 'watch', via: 'rtmp' }), {
        kind: 'subscribe',
        via: 'rtmp',
        now: NOW,
        accountId: 'acme',
        streamName: 'main',
        presented: true,
        token: tokens[1],
        origin: 'https://example.com',
        address: '192.0.2.1',
        country: undefined,
        viewingsAhead: { ofToken: 0, ofSigned: 0 },
        account: { maxSessions: 5, sessions: 4 },
        stream: { live: false, taken: false, requiresToken: false },
      });
    });

    it('takes the account from the token if the caller names none, and knows none of an unknown token', () => {
      assert.equal(viewed({ token: 'watch', accountId: undefined }).accountId, 'acme');
      const unknown = { token: 'unknown', accountId: undefined };
      assert.equal(viewed(unknown).accountId, '');
      const { request, source } = factory.ofAttempt('publish', attempt(unknown));
      assert.deepEqual([request.stream.taken, source], [false, undefined]);
    });

    it('reads a token of another account as an unknown one', () => {
      const { presented, token } = viewed({ token: 'watch', accountId: 'other' });
      assert.deepEqual([presented, token], [true, undefined]);
    });

    it('says to publishers alone that the stream has a publisher, and which session they resume', () => {
      const { id } = publish(aPublisher({ sessionKey: 'k' }));
      assert.equal(viewed({ token: 'watch' }).stream.taken, false);
      const published = (sessionKey?: string) =>
        factory.ofAttempt('publish', attempt({ token: 'publish', sessionKey })).request.stream.taken;
      assert.deepEqual([published(), published('k')], [true, false]);
      assert.deepEqual(lookups, [
        ['room', 'acme', null],
        ['room', 'acme', null],
        ['room', 'acme', id],
      ]);
    });

    it('shows a stream that requires a token as not live to those who present none', () => {
      publish();
      assert.deepEqual(viewed().stream, { live: true, taken: false, requiresToken: false });
      requireToken(1);
      assert.deepEqual(viewed().stream, { live: false, taken: false, requiresToken: true });
      assert.deepEqual(viewed({ token: 'watch' }).stream, { live: true, taken: false, requiresToken: true });
      assert.deepEqual(factory.shownToGuests('acme', 'main'), { live: false, requiresToken: true });
    });

    it('requires a token if that of any publisher does', () => {
      tokens.push(aCompiledToken({ id: 2, kind: 'publish', token: 'second' }));
      publish();
      publish(aPublisher({ tokenId: 2 }), 'cam');
      assert.deepEqual(factory.shownToGuests('acme', 'main'), { live: true, requiresToken: false });
      requireToken(2);
      assert.equal(viewed().stream.requiresToken, true);
    });

    it('of a recording, is live, needs no room of the account, and requires a token as its publisher did', () => {
      const recorded = (recordedWith: number | null) => viewed({ recordedWith });
      assert.deepEqual(recorded(1).stream, { live: true, taken: false, requiresToken: false });
      assert.deepEqual(recorded(1).account, { maxSessions: null, sessions: 0 });
      assert.equal(recorded(null).stream.requiresToken, true);
      requireToken(1);
      assert.deepEqual(recorded(1).stream, { live: true, taken: false, requiresToken: true });
      assert.deepEqual(lookups, []);
    });

    it('has no limit of the account where accounts have none', () => {
      const { accounts: _, ...others } = sources();
      const { request } = new AccessRequestFactory(others).ofAttempt('subscribe', attempt());
      assert.deepEqual(request.account, { maxSessions: null, sessions: 0 });
    });

    const limits: [what: string, token: Partial<CompiledToken>][] = [
      ['the token', { maxSessions: 1 }],
      ['its self-signed token', { signed: signed({ maxSessions: 1 }) }],
    ];
    for (const [what, token] of limits) {
      it(`counts the viewings if ${what} limits them`, () => {
        change(token);
        assert.deepEqual(viewed({ token: 'watch' }).viewingsAhead, { ofToken: 3, ofSigned: 2 });
      });
    }

    const lists: [what: string, token: Partial<CompiledToken>][] = [
      ['allows some countries', { allowedCountries: ['CH'] }],
      ['denies some countries', { deniedCountries: ['CH'] }],
    ];
    for (const [what, token] of lists) {
      it(`looks for the country if the token ${what}`, () => {
        change(token);
        assert.equal(viewed({ token: 'watch' }).country, 'CH');
        assert.deepEqual(lookups[0], ['country', '192.0.2.1']);
      });
    }

    it('counts no viewings and looks for no country if the token restricts neither', () => {
      change({ signed: signed() });
      assert.equal(viewed({ token: 'watch' }).country, undefined);
      assert.deepEqual(lookups, [['room', 'acme', null]]);
    });
  });

  describe('of a grant', () => {
    it('says all that the rules read, of a stream that is live and not taken', () => {
      const grant = aGrant({ tokenFingerprint: tokens[1]!.fingerprint, via: 'rtmp' });
      assert.deepEqual(factory.ofGrant(grant), {
        kind: 'subscribe',
        via: 'rtmp',
        now: NOW,
        accountId: 'acme',
        streamName: 'main',
        presented: true,
        token: tokens[1],
        origin: 'https://example.com',
        address: '192.0.2.1',
        country: undefined,
        viewingsAhead: { ofToken: 0, ofSigned: 0 },
        account: { maxSessions: null, sessions: 0 },
        stream: { live: true, taken: false, requiresToken: false },
      });
      assert.deepEqual(lookups, []);
    });

    it('counts the viewings before that of its session', () => {
      change({ maxSessions: 1 });
      const grant = aGrant({ tokenFingerprint: tokens[1]!.fingerprint });
      assert.deepEqual(factory.ofGrant(grant).viewingsAhead, { ofToken: 3, ofSigned: 2 });
      assert.deepEqual(lookups, [['viewings', 7, grant.sessionId]]);
    });

    it('needs room of the account when it opens a session, beside those that it replaces', () => {
      const grant = aGrant({ sessionId: 'a', resumes: 'b' });
      assert.deepEqual(factory.ofGrant(grant, true).account, { maxSessions: 5, sessions: 4 });
      assert.deepEqual(lookups, [['room', 'acme', 'a', 'b']]);
      assert.equal(factory.ofGrant({ ...grant, recordedWith: 1 }, true).account.maxSessions, null);
    });

    it('without a token finds none, and requires one as the publishers of its stream, or of its recording, do', () => {
      publish();
      const guest = aGrant({ tokenId: null, tokenFingerprint: null });
      const { presented, token, stream } = factory.ofGrant(guest);
      assert.deepEqual([presented, token, stream.requiresToken], [false, undefined, false]);
      const ofRecording = (recordedWith: number | null) => factory.ofGrant({ ...guest, recordedWith }).stream;
      assert.deepEqual([ofRecording(1).requiresToken, ofRecording(null).requiresToken], [false, true]);
      requireToken(1);
      assert.equal(factory.ofGrant(guest).stream.requiresToken, true);
    });
  });
});
