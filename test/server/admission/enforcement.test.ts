import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { RuleRefusalCode } from '../../../src/wire/director/refusal-code.js';
import { Enforcement, type EnforcedSession } from '../../../server/admission/enforcement.js';
import type { Grant } from '../../../server/admission/grant.js';
import { aGrant } from '../../support/grant.js';

describe('Enforcement', () => {
  let enforcement: Enforcement;
  /** Tokens that are refused now, and why; those that run out, and when. */
  let refused: Map<number | null, RuleRefusalCode>;
  let expiries: Map<number, number>;
  /** Which sessions were decided again. */
  let decided: string[];
  /** Sessions that could not be ended. */
  let faults: string[];

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 });
    [refused, expiries, decided, faults] = [new Map(), new Map(), [], []];
    enforcement = new Enforcement({
      admission: {
        recheck: ({ tokenId, sessionId, signed }) => {
          decided.push(sessionId);
          const reason = refused.get(tokenId);
          const tokenEnds = tokenId === null ? undefined : expiries.get(tokenId);
          const isExpired = Math.min(tokenEnds ?? Infinity, signed?.until ?? Infinity) <= Date.now();
          if (isExpired) return { allowed: false, reason: 'token_expired' };
          return reason ? { allowed: false, reason } : { allowed: true };
        },
      },
      tokens: { findById: (tokenId) => ({ expiresOn: expiries.get(tokenId) ?? null }) },
      now: Date.now,
      onFault: (_error, { grant }) => faults.push(grant.sessionId),
    });
  });

  afterEach(() => {
    enforcement.close();
    mock.timers.reset();
  });

  const session = (overrides: Partial<Grant> = {}) => {
    const told: RuleRefusalCode[] = [];
    const made: EnforcedSession & { told: RuleRefusalCode[] } = {
      grant: aGrant(overrides),
      told,
      refuse(reason) {
        told.push(reason);
        enforcement.end(made);
      },
    };
    assert.equal(enforcement.begin(made).allowed, true);
    decided = [];
    return made;
  };

  it('ends the sessions of a token that refuses them now, with the reason, and no others', () => {
    const [his, other] = [session({ tokenId: 1 }), session({ tokenId: 2 })];
    refused.set(1, 'token_disabled');
    enforcement.tokenChanged(1);
    assert.deepEqual([his.told, other.told], [['token_disabled'], []]);
  });

  it('looks only at the sessions that the token admitted', () => {
    session({ tokenId: 1, sessionId: 'one' });
    session({ tokenId: 2, sessionId: 'two' });
    enforcement.tokenChanged(1);
    assert.deepEqual(decided, ['one']);
  });

  it('leaves those in peace whom the change does not concern', () => {
    const viewer = session({ tokenId: 1 });
    enforcement.tokenChanged(1);
    assert.deepEqual(viewer.told, []);
  });

  it('forgets sessions that ended', () => {
    const viewer = session({ tokenId: 1 });
    enforcement.end(viewer);
    refused.set(1, 'token_unknown');
    enforcement.tokenChanged(1);
    assert.deepEqual(viewer.told, []);
  });

  it('does not begin what its token refuses already', () => {
    refused.set(1, 'token_disabled');
    const late: EnforcedSession = { grant: aGrant({ tokenId: 1 }), refuse: () => assert.fail('it never began') };
    assert.deepEqual(enforcement.begin(late), { allowed: false, reason: 'token_disabled' });
    enforcement.tokenChanged(1);
  });

  it('ends sessions at the instant their token runs out, and not before', () => {
    expiries.set(1, 60_000);
    const viewer = session({ tokenId: 1 });
    mock.timers.tick(59_999);
    assert.deepEqual(viewer.told, []);
    mock.timers.tick(1);
    assert.deepEqual(viewer.told, ['token_expired']);
  });

  it('wakes for each expiry in its turn, whatever order they came in', () => {
    for (const [id, at] of [
      [1, 30_000],
      [2, 10_000],
      [3, 20_000],
    ] as const) {
      expiries.set(id, at);
    }
    const viewers = [1, 2, 3].map((tokenId) => session({ tokenId }));
    const ended = () => viewers.map(({ told }) => told.length);
    mock.timers.tick(10_000);
    assert.deepEqual(ended(), [0, 1, 0]);
    mock.timers.tick(10_000);
    assert.deepEqual(ended(), [0, 1, 1]);
    mock.timers.tick(10_000);
    assert.deepEqual(ended(), [1, 1, 1]);
  });

  it('ends a session of a self-signed token when that ends, and leaves those of its parent', () => {
    const [signed, parent] = [
      session({ tokenId: 1, signed: { until: 5_000, allowedOrigins: [], allowedIpAddresses: [] } }),
      session({ tokenId: 1 }),
    ];
    mock.timers.tick(4_999);
    assert.deepEqual(signed.told, []);
    mock.timers.tick(1);
    assert.deepEqual([signed.told, parent.told], [['token_expired'], []]);
  });

  it('follows an expiry that is brought forward or put off', () => {
    expiries.set(1, 60_000);
    const viewer = session({ tokenId: 1 });
    expiries.set(1, 90_000);
    enforcement.tokenChanged(1);
    mock.timers.tick(60_000);
    assert.deepEqual(viewer.told, []);

    expiries.set(1, 70_000);
    enforcement.tokenChanged(1);
    mock.timers.tick(10_000);
    assert.deepEqual(viewer.told, ['token_expired']);
  });

  it('waits for an expiry that is further away than a timer reaches', () => {
    const year = 365 * 86_400_000;
    expiries.set(1, year);
    const viewer = session({ tokenId: 1 });
    for (let day = 0; day < 364; day += 1) mock.timers.tick(86_400_000);
    assert.deepEqual(viewer.told, []);
    mock.timers.tick(86_400_000);
    assert.deepEqual(viewer.told, ['token_expired']);
  });

  it('ends viewers without a token once the publisher asks for one, on its stream only', () => {
    session({ role: 'Publish', tokenId: 1 });
    const [here, there] = [session({ tokenId: null }), session({ tokenId: null, streamName: 'other' })];
    refused.set(null, 'token_missing');
    enforcement.tokenChanged(1);
    assert.deepEqual([here.told, there.told], [['token_missing'], []]);
  });

  it('decides again for viewers without a token, and for nobody else, when a stream has other publishers', () => {
    session({ tokenId: 1, sessionId: 'with a token' });
    const guest = session({ tokenId: null, sessionId: 'guest' });
    session({ tokenId: null, streamName: 'other', sessionId: 'guest of another stream' });
    refused.set(null, 'token_missing');
    enforcement.streamChanged('acme/main');
    assert.deepEqual(decided, ['guest']);
    assert.deepEqual(guest.told, ['token_missing']);
  });

  it('ends the others when one session cannot be ended', () => {
    const broken: EnforcedSession = {
      grant: aGrant({ tokenId: 1, sessionId: 'broken' }),
      refuse: () => assert.fail('it cannot be ended'),
    };
    enforcement.begin(broken);
    const viewer = session({ tokenId: 1 });
    refused.set(1, 'token_disabled');
    enforcement.tokenChanged(1);
    assert.deepEqual([viewer.told, faults], [['token_disabled'], ['broken']]);
  });
});
