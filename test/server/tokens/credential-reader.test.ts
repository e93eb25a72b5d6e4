import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CredentialReader } from '../../../server/tokens/credential-reader.js';
import { TokenDirectory } from '../../../server/tokens/token-directory.js';
import type { TokenRecord } from '../../../server/tokens/token-record.js';
import { signSubscribeToken } from '../../../src/management/sign-subscribe-token.js';
import { aTokenRecord } from '../../support/token.js';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const KEY = 'ef'.repeat(32);
const parent = (overrides: Partial<TokenRecord> = {}): TokenRecord =>
  aTokenRecord({ id: 7, token: KEY, streams: [{ streamName: 'room-.*', isRegex: true }], ...overrides });
const sign = async (id = 7, key = KEY) =>
  await signSubscribeToken({ id, token: key }, { streamName: 'room-1', expires: 60 }, { now: () => NOW });

describe('CredentialReader', () => {
  const directory = new TokenDirectory();
  directory.put(parent());
  const credentials = new CredentialReader({ directory, now: () => NOW });

  it('finds a token by its value', () => assert.equal(credentials.findByValue(KEY)?.permitsStream('room-9'), true));

  it('finds the restricted parent by a self-signed token', async () =>
    assert.equal(credentials.findByValue(await sign())?.permitsStream('room-9'), false));

  it('finds an expired self-signed token: the rules check the expiry', async () => {
    const later = new CredentialReader({ directory, now: () => NOW + 3_600_000 });
    assert.equal(later.findByValue(await sign())?.expiresOn, NOW + 60_000);
  });

  it('verifies a self-signed token again after its parent changed', async () => {
    const changing = new TokenDirectory();
    const reader = new CredentialReader({ directory: changing, now: () => NOW });
    const jwt = await sign();
    changing.put(parent());
    assert.equal(reader.findByValue(jwt)?.isActive, true);
    changing.put({ ...parent(), isActive: false, revision: 2 });
    assert.equal(reader.findByValue(jwt)?.isActive, false);
    changing.put({ ...parent(), token: 'cd'.repeat(32), revision: 3 });
    assert.equal(reader.findByValue(jwt), undefined);
    changing.remove(7);
    assert.equal(reader.findByValue(jwt), undefined);
  });

  it('finds nothing for any other text', async () => {
    const jwt = await sign();
    for (const value of ['', '.', '..', 'a.b.c', KEY.slice(1), `${KEY}.`, `${jwt}.${jwt}`, ` ${jwt}`, `${jwt}\n`]) {
      assert.equal(credentials.findByValue(value), undefined);
    }
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (value) => assert.equal(credentials.findByValue(value), undefined)),
    );
  });

  it('refreshes the token that decides about a credential', async () => {
    const refreshed: string[] = [];
    const reader = new CredentialReader({
      directory,
      now: () => NOW,
      follower: {
        refreshIfStale: (value) => void refreshed.push(`value ${value}`),
        refreshTokenIfStale: (id) => void refreshed.push(`token ${id}`),
        refreshParentOf: (_signed, id) => void refreshed.push(`parent ${id}`),
      },
    });
    for (const value of ['unknown', await sign(), await sign(8), await sign(7, 'wrong key'), 'a.b.c']) {
      reader.refreshIfStale(value);
    }
    reader.refreshTokenIfStale(9);
    assert.deepEqual(refreshed, ['value unknown', 'token 7', 'parent 8', 'parent 7', 'token 9']);
  });
});
