import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import {
  TokenViewings,
  type CountedSession,
  type ViewingElsewhere,
  type ViewingsElsewhere,
} from '../../../server/admission/token-viewings.js';
import type { Grant } from '../../../server/admission/grant.js';
import { followFaults } from '../../../server/faults/fault.js';
import { aGrant } from '../../support/grant.js';

const token = { id: 7, signed: null };
const signedAs = (id: string, maxSessions = 2) => ({
  until: 1,
  allowedOrigins: [],
  allowedIpAddresses: [],
  deniedIpAddresses: [],
  allowedCountries: [],
  deniedCountries: [],
  maxSessions,
  id,
});

describe('TokenViewings', () => {
  let sessions: EventEmitter<Record<'opened' | 'connected' | 'ended', [CountedSession]>>;
  let viewings: TokenViewings;

  beforeEach(() => {
    sessions = new EventEmitter();
    viewings = new TokenViewings();
    viewings.follow(sessions);
  });

  const open = (sessionId: string, overrides: Partial<Grant> = {}) => {
    const session = { grant: aGrant({ sessionId, ...overrides }) };
    sessions.emit('opened', session);
    return session;
  };
  const ofToken = (grant?: Grant) => viewings.ahead(token, grant).ofToken;

  it('counts the viewers of a token, and nobody else', () => {
    open('a');
    open('b');
    open('other token', { tokenId: 8 });
    open('guest', { tokenId: null });
    open('publisher', { role: 'Publish' });
    assert.equal(ofToken(), 2);
    assert.deepEqual(
      viewings.all.map(({ tokenId }) => tokenId),
      [7, 7, 8],
    );
  });

  it('counts those ahead of an open session', () => {
    const [first, second] = [open('a'), open('b')];
    assert.deepEqual([ofToken(first.grant), ofToken(second.grant)], [0, 1]);
  });

  it('counts a session and the one that resumes it once, in the place of the first', () => {
    const first = open('a');
    const second = open('b');
    const resumed = open('c', { resumes: 'a' });
    assert.deepEqual([ofToken(), ofToken(resumed.grant), ofToken(second.grant)], [2, 0, 1]);
    sessions.emit('ended', first);
    assert.deepEqual([ofToken(), ofToken(resumed.grant), ofToken(second.grant)], [2, 0, 1]);
    sessions.emit('ended', resumed);
    assert.deepEqual([ofToken(), ofToken(second.grant)], [1, 0]);
  });

  it('counts a client that resumes a session after its end as the last', () => {
    sessions.emit('ended', open('a'));
    open('b');
    assert.equal(ofToken(open('c', { resumes: 'a' }).grant), 1);
  });

  it('tells once that a viewing has its media', () => {
    const told: number[] = [];
    viewings.on('connected', ({ tokenId }) => told.push(tokenId));
    const faults: unknown[] = [];
    const unfollow = followFaults(({ error }) => faults.push(error));
    for (const session of [open('a'), open('b', { resumes: 'a' }), open('guest', { tokenId: null })]) {
      sessions.emit('connected', session);
    }
    unfollow();
    assert.deepEqual([told, faults], [[7], []]);
  });

  it('gives each viewing two networks at a time, and none to a session that is not open', () => {
    open('a');
    const take = (session: string, network: string) => viewings.takeNetwork(session, network);
    assert.deepEqual([take('a', 'one'), take('a', 'two'), take('a', 'three')], [true, true, true]);
    assert.deepEqual([take('a', 'one'), take('b', 'one')], [false, undefined]);
  });

  it('counts self-signed tokens for their parent, and by their own id', () => {
    open('a', { signed: signedAs('x') });
    open('b', { signed: signedAs('y') });
    open('c', { signed: signedAs('x') });
    assert.deepEqual(viewings.ahead({ id: 7, signed: signedAs('x') }), { ofToken: 3, ofSigned: 2 });
    assert.deepEqual(viewings.ahead({ id: 8, signed: signedAs('x') }), { ofToken: 0, ofSigned: 0 });
  });

  it('does not count the viewings of a self-signed token without a limit by their own id', () => {
    open('a', { signed: signedAs('', 0) });
    assert.deepEqual(viewings.ahead({ id: 7, signed: signedAs('', 0) }), { ofToken: 1, ofSigned: 0 });
  });

  it('agrees with a list of the open viewings, whatever opens and ends in whichever order', () => {
    const step = fc.record({ ends: fc.boolean(), which: fc.nat(), resumes: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        sessions = new EventEmitter();
        viewings = new TokenViewings();
        viewings.follow(sessions);
        const openViewings: CountedSession[][] = [];
        steps.forEach(({ ends, which, resumes }, index) => {
          const place = openViewings.length === 0 ? -1 : which % openViewings.length;
          const viewing = openViewings[place];
          if (ends && viewing) {
            sessions.emit('ended', viewing.shift()!);
            if (viewing.length === 0) openViewings.splice(place, 1);
          } else if (resumes && viewing) {
            viewing.push(open(`s${index}`, { resumes: viewing[0]!.grant.sessionId }));
          } else openViewings.push([open(`s${index}`)]);
          assert.equal(ofToken(), openViewings.length);
          openViewings.forEach((each, order) => {
            for (const { grant } of each) assert.equal(ofToken(grant), order);
          });
        });
      }),
    );
  });
});

describe('TokenViewings, beside other servers', () => {
  let sessions: EventEmitter<Record<'opened' | 'leaving' | 'staying' | 'ended', [CountedSession]>>;
  let elsewhere: ViewingElsewhere[];
  let viewings: TokenViewings;
  let now: number;

  beforeEach(() => {
    [sessions, elsewhere, now] = [new EventEmitter(), [], 1_000];
    const of = (tokenId: number) => elsewhere.filter((viewing) => viewing.tokenId === tokenId);
    const count: ViewingsElsewhere['count'] = (tokenId, { signedId, before = Infinity } = {}) =>
      of(tokenId).filter(({ signed, since }) => (signedId ?? signed?.id) === signed?.id && since < before).length;
    viewings = new TokenViewings({ elsewhere: { of, count }, now: () => now });
    viewings.follow(sessions);
  });

  const open = (sessionId: string, at: number, overrides: Partial<Grant> = {}) => {
    now = at;
    const session = { grant: aGrant({ sessionId, ...overrides }) };
    sessions.emit('opened', session);
    return session;
  };
  const viewingAt = (since: number, overrides: Partial<ViewingElsewhere> = {}) =>
    void elsewhere.push({ accountId: 'acme', tokenId: 7, signed: null, since, ...overrides });

  it('counts those of all servers for a new caller', () => {
    open('a', 1_000);
    viewingAt(2_000);
    viewingAt(2_000, { tokenId: 8 });
    assert.equal(viewings.ahead(token).ofToken, 2);
  });

  it('counts for an open session those that began before it, on whichever server', () => {
    const session = open('a', 2_000);
    viewingAt(1_000);
    viewingAt(3_000);
    assert.equal(viewings.ahead(token, session.grant).ofToken, 1);
  });

  it('counts the viewings of a self-signed token apart', () => {
    viewingAt(1_000, { signed: { id: 'one', maxSessions: 2 } });
    viewingAt(1_000, { signed: { id: 'two', maxSessions: 2 } });
    viewingAt(1_000, { signed: { id: '', maxSessions: 0 } });
    assert.deepEqual(viewings.ahead({ id: 7, signed: signedAs('one') }), { ofToken: 3, ofSigned: 1 });
    assert.deepEqual(viewings.ahead({ id: 7, signed: signedAs('', 0) }), { ofToken: 3, ofSigned: 0 });
  });

  it('lists those of all servers in the order in which they began', () => {
    open('a', 2_000);
    viewingAt(1_000);
    viewingAt(3_000);
    assert.deepEqual(
      viewings.of(7).map((viewing) => viewing.sessions.size),
      [0, 1, 0],
    );
    assert.deepEqual([viewings.countOf('acme', 7), viewings.countOf('other', 7)], [3, 0]);
  });

  it('does not count a session that was told to watch on another server', () => {
    const session = open('a', 1_000);
    sessions.emit('leaving', session);
    assert.equal(viewings.ahead(token).ofToken, 0);
    // The same client watches there already.
    viewingAt(2_000);
    assert.equal(viewings.ahead(token, session.grant).ofToken, 0);
    sessions.emit('ended', session);
    assert.deepEqual(viewings.all, []);
    assert.equal(viewings.ahead(token, session.grant).ofToken, 1);
  });

  it('counts a session that stays as the last, and tells when', () => {
    const told: string[] = [];
    viewings.on('began', ({ since }) => told.push(`began at ${since}`));
    viewings.on('ended', ({ since }) => told.push(`ended, of ${since}`));
    const session = open('a', 1_000);
    sessions.emit('leaving', session);
    viewingAt(2_000);
    now = 3_000;
    sessions.emit('staying', session);
    assert.deepEqual([viewings.ahead(token).ofToken, viewings.ahead(token, session.grant).ofToken], [2, 1]);
    assert.deepEqual(told, ['began at 1000', 'ended, of 1000', 'began at 3000']);
  });
});
