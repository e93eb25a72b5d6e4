import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { displacedViewings, displaceOldest, type DisplacedSession } from '../../../server/admission/displacement.js';
import type { Grant } from '../../../server/admission/grant.js';
import { TokenViewings } from '../../../server/admission/token-viewings.js';
import type { TokenRecord } from '../../../server/tokens/token-record.js';
import { aGrant } from '../../support/grant.js';

type Limit = Pick<TokenRecord, 'maxSessions' | 'whenFull'>;

const signedAs = (id: string, maxSessions: number) => ({
  until: 1,
  allowedOrigins: [],
  allowedIpAddresses: [],
  deniedIpAddresses: [],
  allowedCountries: [],
  deniedCountries: [],
  maxSessions,
  id,
});

describe('displaceOldest', () => {
  let sessions: EventEmitter<Record<'opened' | 'connected' | 'leaving' | 'staying' | 'ended', [DisplacedSession]>>;
  let tokens: EventEmitter<{ changed: [tokenId: number] }>;
  let limit: Limit;
  let ended: string[];
  let faults: string[];

  beforeEach(() => {
    [sessions, tokens, ended, faults] = [new EventEmitter(), new EventEmitter(), [], []];
    limit = { maxSessions: 2, whenFull: 'displace' };
    const viewings = new TokenViewings<DisplacedSession>();
    viewings.follow(sessions);
    displaceOldest({
      sessions,
      tokens: Object.assign(tokens, { findById: (id: number) => (id === 7 ? limit : undefined) }),
      viewings,
      onFault: (_error, { grant }) => faults.push(grant.sessionId),
    });
  });

  const open = (sessionId: string, overrides: Partial<Grant> = {}) => {
    const session: DisplacedSession = {
      grant: aGrant({ sessionId, ...overrides }),
      stop(code) {
        ended.push(`${sessionId}: ${code}`);
        sessions.emit('ended', session);
      },
    };
    sessions.emit('opened', session);
    sessions.emit('connected', session);
    return session;
  };

  it('ends the oldest viewing when one more begins', () => {
    for (const id of ['a', 'b', 'c', 'd']) open(id);
    assert.deepEqual(ended, ['a: displaced', 'b: displaced']);
  });

  it('ends a viewing that was told to leave and stays, if others have taken its place, and no other one', () => {
    const [first, second] = [open('a'), open('b')];
    for (const session of [first, second]) sessions.emit('leaving', session);
    open('c');
    for (const session of [first, second]) sessions.emit('staying', session);
    assert.deepEqual(ended, ['b: displaced']);
  });

  it('ends nothing for a publisher', () => {
    for (const id of ['a', 'b']) open(id);
    open('publisher', { role: 'Publish' });
    assert.deepEqual(ended, []);
  });

  it('ends nothing for a client that resumes', () => {
    open('a');
    open('b');
    open('c', { resumes: 'a' });
    assert.deepEqual(ended, []);
  });

  it('ends nothing for a token that refuses, has no limit, or does not exist', () => {
    limit = { maxSessions: 1, whenFull: 'refuse' };
    for (const id of ['a', 'b']) open(id);
    limit = { maxSessions: 0, whenFull: 'displace' };
    open('c');
    for (const id of ['d', 'e']) open(id, { tokenId: 8 });
    for (const id of ['f', 'g']) open(id, { tokenId: null });
    limit = { maxSessions: 1, whenFull: 'refuse' };
    for (const id of [7, 8]) tokens.emit('changed', id);
    assert.deepEqual([ended, faults], [[], []]);
  });

  it('ends the oldest viewings when the limit of the token falls', () => {
    limit = { maxSessions: 0, whenFull: 'displace' };
    for (const id of ['a', 'b', 'c']) open(id);
    limit = { maxSessions: 1, whenFull: 'displace' };
    tokens.emit('changed', 7);
    assert.deepEqual(ended, ['a: displaced', 'b: displaced']);
  });

  it('ends the oldest viewing of a self-signed token with a limit of its own', () => {
    limit = { maxSessions: 0, whenFull: 'displace' };
    open('a', { signed: signedAs('x', 1) });
    open('b', { signed: signedAs('y', 1) });
    open('c', { signed: signedAs('x', 1) });
    assert.deepEqual(ended, ['a: displaced']);
  });

  it('ends the other viewings if one cannot be ended', () => {
    limit = { maxSessions: 0, whenFull: 'displace' };
    const broken = { grant: aGrant({ sessionId: 'broken' }), stop: () => assert.fail('broken') };
    sessions.emit('opened', broken);
    for (const id of ['a', 'b']) open(id);
    limit = { maxSessions: 1, whenFull: 'displace' };
    tokens.emit('changed', 7);
    assert.deepEqual([faults, ended], [['broken'], ['a: displaced']]);
  });
});

describe('displacedViewings', () => {
  const viewing = fc.option(fc.record({ id: fc.constantFrom('x', 'y'), maxSessions: fc.nat(3) }), { nil: null });

  it('ends only what has to end, the newest last, and what is left fits', () => {
    fc.assert(
      fc.property(fc.array(viewing, { maxLength: 20 }), fc.nat(5), (given, most) => {
        const viewings = given.map((one) => ({ signed: one && signedAs(one.id, one.maxSessions) }));
        const displaced = new Set(displacedViewings(viewings, most));
        const kept = viewings.filter((one) => !displaced.has(one));
        if (most > 0) assert.ok(kept.length <= most);
        // Everyone who was displaced had no room behind the newer ones that were kept.
        viewings.forEach((one, index) => {
          const newer = viewings.slice(index + 1).filter((other) => !displaced.has(other));
          const ofSigned = newer.filter((other) => other.signed && other.signed.id === one.signed?.id).length;
          const ownMost = one.signed?.maxSessions ?? 0;
          const isFull = (most > 0 && newer.length >= most) || (ownMost > 0 && ofSigned >= ownMost);
          assert.equal(displaced.has(one), isFull);
        });
      }),
    );
  });
});
