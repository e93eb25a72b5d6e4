import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SignJWT } from 'jose';
import type { CompiledToken } from '../../../server/tokens/compiled-token.js';
import { parentIdOf, readSelfSigned } from '../../../server/tokens/self-signed-token.js';
import { TokenDirectory } from '../../../server/tokens/token-directory.js';
import type { TokenRecord } from '../../../server/tokens/token-record.js';
import { signSubscribeToken, type SignedTokenClaims } from '../../../src/management/sign-subscribe-token.js';
import { aTokenRecord } from '../../support/token.js';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const SECONDS = NOW / 1_000;
const KEY = 'ef'.repeat(32);
const parent = (overrides: Partial<TokenRecord> = {}): TokenRecord =>
  aTokenRecord({ id: 7, token: KEY, streams: [{ streamName: 'room-.*', isRegex: true }], ...overrides });

function reading(jwt: string, record: TokenRecord | undefined = parent(), now = NOW) {
  const directory = new TokenDirectory();
  if (record) directory.put(record);
  return readSelfSigned(jwt, (id) => directory.findById(id), now);
}

function tokenOf(jwt: string, record?: TokenRecord): CompiledToken {
  const check = reading(jwt, record);
  return check.ok ? check.token : assert.fail(check.fault);
}

const faultOf = (...given: Parameters<typeof reading>): string | undefined => {
  const check = reading(...given);
  return check.ok ? undefined : check.fault;
};

const sign = async (claims: Partial<SignedTokenClaims> = {}) =>
  await signSubscribeToken({ id: 7, token: KEY }, { streamName: 'room-1', expires: 60, ...claims }, { now: () => NOW });

/** Signed without the library, so that any part can be invalid. */
function signed(streaming: object, { header = {}, key = KEY, ...claims }: Record<string, unknown> = {}): string {
  const parts = [
    { alg: 'HS256', typ: 'JWT', ...(header as object) },
    {
      exp: SECONDS + 60,
      ...claims,
      streaming: { tokenId: 7, tokenType: 'Subscribe', streamName: 'room-1', ...streaming },
    },
  ];
  const unsigned = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${unsigned}.${createHmac('sha256', String(key)).update(unsigned).digest('base64url')}`;
}

describe('a self-signed subscribe token', () => {
  it('has at most 8,192 characters, because the grant repeats its lists in a URL', async () => {
    const sized = (count: number) =>
      signed({ allowedOrigins: Array.from({ length: count }, (_, index) => `page-${index}.example`) });
    assert.ok(sized(200).length < 8_192);
    assert.equal(faultOf(sized(200)), undefined);
    assert.ok(sized(400).length > 8_192);
    assert.equal(faultOf(sized(400)), 'unreadable');
  });

  it('is its parent restricted to one stream', async () => {
    const { id, kind, accountId, permitsStream, streams } = tokenOf(await sign());
    assert.deepEqual([id, kind, accountId], [7, 'subscribe', 'acme']);
    assert.deepEqual(['room-1', 'room-2', 'main'].map(permitsStream), [true, false, false]);
    assert.deepEqual(streams, [{ streamName: 'room-1', isRegex: false }]);
  });

  it('permits no stream that its parent refuses', async () =>
    assert.equal(tokenOf(await sign({ streamName: 'hall' })).permitsStream('hall'), false));

  it('treats its stream as a name, never as a pattern', async () =>
    assert.equal(tokenOf(await sign({ streamName: 'room-.*' })).permitsStream('room-1'), false));

  it('permits only pages that both permit', async () => {
    const jwt = await sign({ allowedOrigins: ['*.example.com', 'b.example'] });
    const { permitsOrigin } = tokenOf(jwt, parent({ allowedOrigins: ['https://a.example.com', 'c.example'] }));
    const origins = ['https://a.example.com', 'https://b.example', 'https://c.example', undefined];
    assert.deepEqual(origins.map(permitsOrigin), [true, false, false, false]);
  });

  it('permits only addresses that both permit', async () => {
    const jwt = await sign({ allowedIpAddresses: ['192.0.2.0/24'] });
    const { permitsAddress } = tokenOf(jwt, parent({ allowedIpAddresses: ['192.0.2.1', '198.51.100.1'] }));
    assert.deepEqual(['192.0.2.1', '192.0.2.2', '198.51.100.1', ''].map(permitsAddress), [true, false, false, false]);
  });

  it('denies the addresses that it or its parent denies', async () => {
    const jwt = await sign({ deniedIpAddresses: ['192.0.2.0/24'] });
    const token = tokenOf(jwt, parent({ deniedIpAddresses: ['198.51.100.1'] }));
    const addresses = ['192.0.2.1', '198.51.100.1', '198.51.100.2'];
    assert.deepEqual(addresses.map(token.deniesAddress), [true, true, false]);
    assert.deepEqual(token.deniedIpAddresses, ['198.51.100.1', '192.0.2.0/24']);
  });

  it('has the lists of its parent if it has none', async () => {
    const token = tokenOf(await sign(), parent({ allowedOrigins: ['a.example'], allowedIpAddresses: ['192.0.2.1'] }));
    assert.deepEqual([token.permitsOrigin('https://b.example'), token.permitsAddress('192.0.2.2')], [false, false]);
    assert.deepEqual([token.allowedOrigins, token.allowedIpAddresses], [['a.example'], ['192.0.2.1']]);
  });

  it('expires at the earlier of both expiries', async () => {
    assert.equal(tokenOf(await sign()).expiresOn, NOW + 60_000);
    assert.equal(tokenOf(await sign(), parent({ expiresOn: NOW + 1_000 })).expiresOn, NOW + 1_000);
    assert.equal(tokenOf(await sign(), parent({ expiresOn: NOW + 90_000 })).expiresOn, NOW + 60_000);
  });

  it('follows changes of its parent', async () => {
    const token = tokenOf(await sign(), parent({ isActive: false, bindIpsOnUsage: 3 }));
    assert.deepEqual([token.isActive, token.bindIpsOnUsage], [false, 3]);
  });

  it('is invalid after its parent was refreshed or deleted', async () => {
    assert.equal(faultOf(await sign(), parent({ token: 'ab'.repeat(32) })), 'signature_wrong');
    assert.equal(reading(await sign(), aTokenRecord({ id: 8, token: KEY })).ok, false);
  });

  it('is invalid if a publish token signed it', async () =>
    assert.equal(faultOf(await sign(), parent({ kind: 'publish' })), 'parent_unknown'));

  it('is invalid before its nbf time', async () => {
    const jwt = await sign({ notBefore: 10 });
    assert.equal(faultOf(jwt), 'not_yet_valid');
    assert.equal(faultOf(jwt, parent(), NOW + 10_000), undefined);
  });

  for (const algorithm of ['HS256', 'HS384', 'HS512'] as const) {
    it(`accepts ${algorithm} signatures of other libraries`, async () => {
      const streaming = {
        tokenId: 7,
        tokenType: 'Subscribe',
        streamName: 'room-ü',
        customViewerData: 'x',
        tracking: null,
      };
      const theirs = await new SignJWT({ streaming })
        .setProtectedHeader({ alg: algorithm })
        .setIssuedAt(SECONDS)
        .setExpirationTime(SECONDS + 60)
        .sign(new TextEncoder().encode(KEY));
      const ours = await signSubscribeToken(
        { id: 7, token: KEY },
        { streamName: 'room-ü', expires: 60 },
        { algorithm, now: () => NOW },
      );
      for (const jwt of [theirs, ours]) assert.equal(tokenOf(jwt).permitsStream('room-ü'), true);
    });
  }

  for (const [what, jwt] of [
    ['another key', signed({}, { key: 'ef'.repeat(31) })],
    [
      'alg none',
      `${signed({}, { header: { alg: 'none' } })
        .split('.')
        .slice(0, 2)
        .join('.')}.`,
    ],
    ['alg none with a signature', signed({}, { header: { alg: 'none' } })],
    ['an asymmetric alg', signed({}, { header: { alg: 'RS256' } })],
    ['an alg in lower case', signed({}, { header: { alg: 'hs256' } })],
    ['another alg than it is signed with', signed({}, { header: { alg: 'HS512' } })],
    ['a critical extension', signed({}, { header: { crit: ['exp'] } })],
    ['no exp', signed({}, { exp: undefined })],
    ['an exp that is text', signed({}, { exp: String(SECONDS + 60) })],
    ['an exp beyond all dates', signed({}, { exp: 1e300 })],
    ['an exp in milliseconds', signed({}, { exp: NOW + 60_000 })],
    ['an nbf that is text', signed({}, { nbf: '0' })],
    ['the type of a publish token', signed({ tokenType: 'Publish' })],
    ['no stream', signed({ streamName: undefined })],
    ['an empty stream', signed({ streamName: '' })],
    ['a list of streams', signed({ streamName: ['room-1'] })],
    ['a parent by text', signed({ tokenId: '7' })],
    ['a parent between two', signed({ tokenId: 7.5 })],
    ['another parent', signed({ tokenId: 8 })],
    ['a page that cannot be read', signed({ allowedOrigins: ['*'] })],
    ['pages that are no list', signed({ allowedOrigins: 'example.com' })],
    ['an address that cannot be read', signed({ allowedIpAddresses: ['127.1'] })],
    ['a denied address that cannot be read', signed({ deniedIpAddresses: ['127.1'] })],
    ['a restriction that is misspelt', signed({ deniedIps: ['203.0.113.7'] })],
    ['a restriction that only its parent can have', signed({ bindIpsOnUsage: 1 })],
    ['a padded signature', `${signed({})}=`],
    ['claims that are not JSON', `${signed({}).split('.')[0]}.e30x.AAAA`],
  ] as const) {
    it(`is invalid with ${what}`, () => assert.equal(reading(jwt).ok, false));
  }

  it('treats null as an empty list', () =>
    assert.equal(tokenOf(signed({ allowedOrigins: null, allowedIpAddresses: [] })).permitsOrigin(undefined), true));

  it('is invalid if a single character is changed', async () => {
    const jwt = await sign();
    fc.assert(
      fc.property(fc.nat(jwt.length - 1), fc.constantFrom('A', 'b', '_', '.'), (at, character) => {
        fc.pre(jwt[at] !== character);
        assert.equal(reading(jwt.slice(0, at) + character + jwt.slice(at + 1)).ok, false);
      }),
      { numRuns: 500 },
    );
  });
});

describe('parentIdOf', () => {
  it('returns the parent that a self-signed token names, known or not', async () => {
    assert.equal(parentIdOf(await sign()), 7);
    assert.equal(parentIdOf(signed({ tokenId: 8 })), 8);
    assert.equal(parentIdOf(signed({ deniedIps: ['203.0.113.7'] })), 7);
    for (const value of [KEY, 'other', 'a.b.c']) assert.equal(parentIdOf(value), undefined);
  });
});
