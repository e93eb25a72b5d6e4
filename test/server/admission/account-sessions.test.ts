import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { beforeEach, describe, it } from 'node:test';
import { AccountSessions } from '../../../server/admission/account-sessions.js';

interface Session {
  readonly grant: { readonly sessionId: string; readonly accountId: string };
}

describe('AccountSessions', () => {
  let sessions: EventEmitter<Record<'opened' | 'leaving' | 'staying' | 'ended', [Session]>>;
  let counts: AccountSessions;
  let max: number | null;

  beforeEach(() => {
    sessions = new EventEmitter();
    max = 5;
    counts = new AccountSessions({
      maxOf: (accountId) => (accountId === 'acme' ? max : null),
      elsewhere: (accountId) => (accountId === 'acme' ? 2 : 0),
    });
    counts.follow(sessions);
  });

  const open = (sessionId: string, accountId = 'acme') => {
    const session = { grant: { sessionId, accountId } };
    sessions.emit('opened', session);
    return session;
  };

  it('counts the open sessions of each account, here and on all servers', () => {
    const first = open('a');
    open('b');
    open('c', 'other');
    assert.deepEqual([counts.here('acme'), counts.total('acme'), counts.here('other')], [2, 4, 1]);
    sessions.emit('ended', first);
    assert.deepEqual([counts.here('acme'), counts.total('acme'), counts.here('nobody')], [1, 3, 0]);
  });

  it('does not count a session that leaves for another server, and counts it again if it stays', () => {
    const session = open('a');
    sessions.emit('leaving', session);
    assert.equal(counts.here('acme'), 0);
    sessions.emit('staying', session);
    assert.equal(counts.here('acme'), 1);
    sessions.emit('leaving', session);
    sessions.emit('ended', session);
    assert.equal(counts.here('acme'), 0);
  });

  it('tells of each change, once', () => {
    const changed: string[] = [];
    counts.on('changed', (accountId) => changed.push(`${accountId} ${counts.here(accountId)}`));
    const session = open('a');
    sessions.emit('leaving', session);
    sessions.emit('ended', session);
    assert.deepEqual(changed, ['acme 1', 'acme 0']);
  });

  it('has no limit for an account without one', () => {
    open('a');
    max = null;
    assert.deepEqual(counts.roomFor('acme', []), { maxSessions: null, sessions: 0 });
  });

  it('does not count the sessions that a new one replaces, of the same account, each once', () => {
    open('a');
    open('b');
    open('c', 'other');
    assert.deepEqual(counts.roomFor('acme', [null]), { maxSessions: 5, sessions: 4 });
    assert.deepEqual(counts.roomFor('acme', ['a', 'a', 'c', 'unknown', null]), { maxSessions: 5, sessions: 3 });
  });
});
