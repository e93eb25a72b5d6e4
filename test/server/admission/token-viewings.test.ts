import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { TokenViewings, type CountedSession } from '../../../server/admission/token-viewings.js';
import type { Grant } from '../../../server/admission/grant.js';
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
  let sessions: EventEmitter<{ opened: [CountedSession]; ended: [CountedSession] }>;
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
