import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { RuleRefusalCode } from '../../../src/wire/director/refusal-code.js';
import { Enforcement, type EnforcedSession, type EnforcementOptions } from '../../../server/admission/enforcement.js';
import type { Grant } from '../../../server/admission/grant.js';
import type { ViewingsBegun } from '../../../server/admission/token-viewings.js';
import { aGrant } from '../../support/grant.js';

const aSignedToken = {
  until: Infinity,
  allowedOrigins: [],
  allowedIpAddresses: [],
  deniedIpAddresses: [],
  allowedCountries: [],
  deniedCountries: [],
};

/** The expiries of tokens. Emits `changed` as the token directory does. */
class Tokens extends EventEmitter<{ changed: [tokenId: number] }> {
  readonly expiries = new Map<number, number>();
  readonly deleted = new Set<number>();
  maxSessions = 0;

  findById(tokenId: number) {
    if (this.deleted.has(tokenId)) return undefined;
    return { expiresOn: this.expiries.get(tokenId) ?? null, maxSessions: this.maxSessions };
  }
}

describe('Enforcement', () => {
  let sessions: EventEmitter<Record<'opened' | 'staying' | 'ended', [EnforcedSession]>>;
  let tokens: Tokens;
  let streams: EventEmitter<{ 'publishers-changed': [streamId: string] }>;
  let enforcement: Enforcement;
  /** Tokens that the rules refuse now, and why. */
  let refused: Map<number | null, RuleRefusalCode>;
  /** The sessions that were decided again. */
  let decided: string[];
  /** The sessions that could not be ended. */
  let faults: string[];
  let viewingsElsewhere: (begun: ViewingsBegun) => void;
  /** The viewings of each token, on all servers. */
  let viewings: number;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 });
    [refused, decided, faults, viewings] = [new Map(), [], [], 0];
    [sessions, tokens, streams] = [new EventEmitter(), new Tokens(), new EventEmitter()];
    enforcement = new Enforcement({
      ...parts(),
      onViewingElsewhere: (listener) => (viewingsElsewhere = listener),
      viewings: {
        ahead: ({ id, signed }) => ({ ofToken: id === 1 && signed === null ? viewings : 0, ofSigned: 0 }),
      },
    });
  });

  const parts = (): EnforcementOptions => ({
    sessions,
    tokens,
    streams,
    admission: {
      recheck: ({ tokenId, sessionId, signed }) => {
        decided.push(sessionId);
        const reason = refused.get(tokenId);
        const tokenEnds = tokenId === null ? undefined : tokens.expiries.get(tokenId);
        const isExpired = Math.min(tokenEnds ?? Infinity, signed?.until ?? Infinity) <= Date.now();
        if (isExpired) return { allowed: false, reason: 'token_expired' };
        return reason ? { allowed: false, reason } : { allowed: true };
      },
    },
    now: Date.now,
    onFault: (_error, { grant }) => faults.push(grant.sessionId),
  });

  afterEach(() => {
    enforcement.close();
    mock.timers.reset();
  });

  const changeToken = (id: number) => tokens.emit('changed', id);

  const session = (overrides: Partial<Grant> = {}) => {
    const refusals: RuleRefusalCode[] = [];
    const opened: EnforcedSession & { refusals: RuleRefusalCode[] } = {
      grant: aGrant(overrides),
      refusals,
      refuse(reason) {
        refusals.push(reason);
        sessions.emit('ended', opened);
      },
    };
    sessions.emit('opened', opened);
    return opened;
  };

  it('decides again about the viewers of a token when one begins on another server, if they are too many', () => {
    session({ tokenId: 1, sessionId: 'viewer' });
    session({ tokenId: 1, sessionId: 'publisher', role: 'Publish' });
    session({ tokenId: 2, sessionId: 'of another token' });
    const begin = () => viewingsElsewhere({ tokenId: 1, takesPlace: true, signedIds: new Set() });
    viewings = 2;
    begin();
    tokens.maxSessions = 2;
    begin();
    assert.deepEqual(decided, []);
    viewings = 3;
    begin();
    assert.deepEqual(decided, ['viewer']);
  });

  it('decides again about the viewers of a token with a limit if nobody counts them, and of none that is deleted', () => {
    enforcement.close();
    sessions.removeAllListeners();
    const uncounted = new Enforcement({ ...parts(), onViewingElsewhere: (listener) => (viewingsElsewhere = listener) });
    session({ tokenId: 1, sessionId: 'viewer' });
    tokens.maxSessions = 1;
    const begin = () => viewingsElsewhere({ tokenId: 1, takesPlace: true, signedIds: new Set() });
    begin();
    tokens.deleted.add(1);
    begin();
    uncounted.close();
    assert.deepEqual(decided, ['viewer']);
  });

  it('decides again about a session that stays, because another one may have its place', () => {
    const viewer = session({ tokenId: 1, sessionId: 'stays' });
    session({ tokenId: 1 });
    sessions.emit('staying', viewer);
    assert.deepEqual(decided, ['stays']);
  });

  it('decides nothing more after it was closed', () => {
    tokens.expiries.set(1, 1_000);
    session({ tokenId: 1 });
    enforcement.close();
    mock.timers.tick(1_000);
    assert.deepEqual(decided, []);
  });

  it('decides again about the viewers of the self-signed tokens that begin on another server, and no others', () => {
    const signed = (id: string, maxSessions: number) => ({ ...aSignedToken, id, maxSessions });
    session({ tokenId: 1, sessionId: 'same', signed: signed('anna', 1) });
    session({ tokenId: 1, sessionId: 'another', signed: signed('bert', 1) });
    session({ tokenId: 1, sessionId: 'without a limit', signed: signed('cleo', 0) });
    viewingsElsewhere({ tokenId: 1, takesPlace: true, signedIds: new Set(['anna', 'cleo']) });
    assert.deepEqual(decided, ['same']);
  });

  it('ends the sessions of a changed token that is refused now, with the reason, and no others', () => {
    const [viewer, other] = [session({ tokenId: 1 }), session({ tokenId: 2 })];
    refused.set(1, 'token_disabled');
    changeToken(1);
    assert.deepEqual([viewer.refusals, other.refusals], [['token_disabled'], []]);
  });

  it('decides again only about the sessions of the changed token', () => {
    session({ tokenId: 1, sessionId: 'one' });
    session({ tokenId: null, sessionId: 'guest' });
    session({ tokenId: 2, sessionId: 'two' });
    changeToken(1);
    assert.deepEqual(decided, ['one']);
  });

  it('keeps a session that the changed token still permits', () => {
    const viewer = session({ tokenId: 1 });
    changeToken(1);
    assert.deepEqual(viewer.refusals, []);
  });

  it('ignores sessions that have ended, and no others', () => {
    const gone = [
      session({ tokenId: 1, sessionId: 'one' }),
      session({ tokenId: null, sessionId: 'guest' }),
      session({ tokenId: 2, sessionId: 'signed', signed: { ...aSignedToken, until: 1_000, maxSessions: 0, id: '' } }),
    ];
    session({ tokenId: 1, sessionId: 'stays' });
    session({ tokenId: null, sessionId: 'guest stays' });
    for (const each of gone) sessions.emit('ended', each);
    changeToken(1);
    streams.emit('publishers-changed', 'acme/main');
    mock.timers.tick(1_000);
    assert.deepEqual(decided, ['stays', 'guest stays']);
  });

  it('ends the sessions of a token that was deleted', () => {
    const viewer = session({ tokenId: 1 });
    tokens.deleted.add(1);
    refused.set(1, 'token_unknown');
    changeToken(1);
    assert.deepEqual([viewer.refusals, faults], [['token_unknown'], []]);
  });

  it('ends a session at the instant when its token expires, and not before', () => {
    tokens.expiries.set(1, 60_000);
    const viewer = session({ tokenId: 1 });
    mock.timers.tick(59_999);
    assert.deepEqual(viewer.refusals, []);
    mock.timers.tick(1);
    assert.deepEqual(viewer.refusals, ['token_expired']);
  });

  it('ends each session at the expiry of its own token, in any order of opening', () => {
    for (const [id, at] of [
      [1, 30_000],
      [2, 10_000],
      [3, 20_000],
    ] as const) {
      tokens.expiries.set(id, at);
    }
    const viewers = [1, 2, 3].map((tokenId) => session({ tokenId, sessionId: `of ${tokenId}` }));
    session({ tokenId: 4, sessionId: 'of a token that never expires' });
    const ended = () => viewers.map(({ refusals }) => refusals.length);
    mock.timers.tick(10_000);
    assert.deepEqual(ended(), [0, 1, 0]);
    mock.timers.tick(10_000);
    assert.deepEqual(ended(), [0, 1, 1]);
    mock.timers.tick(10_000);
    assert.deepEqual(ended(), [1, 1, 1]);
    assert.deepEqual(decided, ['of 2', 'of 3', 'of 1']);
  });

  it('ends each session of a self-signed token at its own expiry, and keeps the sessions of the parent', () => {
    const signed = (until: number) =>
      session({ tokenId: 1, signed: { ...aSignedToken, until, maxSessions: 0, id: '' }, sessionId: `until ${until}` });
    const [early, late, parent] = [signed(5_000), signed(6_000), session({ tokenId: 1 })];
    mock.timers.tick(4_999);
    assert.deepEqual(early.refusals, []);
    mock.timers.tick(1);
    assert.deepEqual([early.refusals, late.refusals], [['token_expired'], []]);
    mock.timers.tick(1_000);
    assert.deepEqual([late.refusals, parent.refusals], [['token_expired'], []]);
    assert.deepEqual(decided, ['until 5000', 'until 6000']);
  });

  it('follows an expiry that is moved forward or back', () => {
    tokens.expiries.set(1, 60_000);
    const viewer = session({ tokenId: 1 });
    tokens.expiries.set(1, 90_000);
    changeToken(1);
    mock.timers.tick(60_000);
    assert.deepEqual(viewer.refusals, []);

    tokens.expiries.set(1, 70_000);
    changeToken(1);
    mock.timers.tick(10_000);
    assert.deepEqual(viewer.refusals, ['token_expired']);
  });

  it('waits for an expiry beyond the longest time of a timer', () => {
    const year = 365 * 86_400_000;
    tokens.expiries.set(1, year);
    const viewer = session({ tokenId: 1 });
    for (let day = 0; day < 364; day += 1) mock.timers.tick(86_400_000);
    assert.deepEqual(viewer.refusals, []);
    mock.timers.tick(86_400_000);
    assert.deepEqual(viewer.refusals, ['token_expired']);
  });

  it('ends the guests of a stream when the token of its publisher requires a token', () => {
    session({ role: 'Publish', tokenId: 1 });
    const [here, there] = [session({ tokenId: null }), session({ tokenId: null, streamName: 'other' })];
    refused.set(null, 'token_missing');
    changeToken(1);
    assert.deepEqual([here.refusals, there.refusals], [['token_missing'], []]);
  });

  it('decides again about the guests of a stream, and nobody else, when its publishers change', () => {
    session({ tokenId: 1, sessionId: 'with a token' });
    const guest = session({ tokenId: null, sessionId: 'guest' });
    session({ tokenId: null, streamName: 'other', sessionId: 'guest of another stream' });
    refused.set(null, 'token_missing');
    streams.emit('publishers-changed', 'acme/main');
    assert.deepEqual(decided, ['guest']);
    assert.deepEqual(guest.refusals, ['token_missing']);
  });

  it('ends the other sessions when one cannot be ended', () => {
    const broken: EnforcedSession = {
      grant: aGrant({ tokenId: 1, sessionId: 'broken' }),
      refuse: () => assert.fail('the session cannot be ended'),
    };
    sessions.emit('opened', broken);
    const viewer = session({ tokenId: 1 });
    refused.set(1, 'token_disabled');
    changeToken(1);
    assert.deepEqual([viewer.refusals, faults], [['token_disabled'], ['broken']]);
  });
});
