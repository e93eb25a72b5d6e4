import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { AccessRequest } from '../../../server/rules/access-request.js';
import { decide, explain, publishingRules, rtmpPublishingRules, viewingRules } from '../../../server/rules/decide.js';
import { aCompiledToken } from '../../support/token.js';

const SECRET = 'cd'.repeat(32);

function viewing(overrides: Partial<AccessRequest> = {}): AccessRequest {
  return {
    kind: 'subscribe',
    now: Date.parse('2030-01-01T00:00:00Z'),
    accountId: 'acme',
    streamName: 'main',
    presented: true,
    origin: 'https://example.com',
    address: '192.0.2.1',
    token: aCompiledToken({ token: SECRET }),
    country: undefined,
    viewingsAhead: { ofToken: 0, ofSigned: 0 },
    account: { maxSessions: null, sessions: 0 },
    stream: { live: true, taken: true, requiresToken: true },
    ...overrides,
  };
}

describe('explain', () => {
  it('returns the verdict of every rule in order, past the first refusal', () => {
    const token = aCompiledToken({ isActive: false, permitsAddress: () => false });
    assert.deepEqual(
      explain(viewingRules, viewing({ token })).map(({ rule, verdict }) => [
        rule,
        verdict.allowed ? 'allowed' : verdict.reason,
      ]),
      [
        ['token-present-if-required', 'allowed'],
        ['token-known', 'allowed'],
        ['token-of-kind', 'allowed'],
        ['token-active', 'token_disabled'],
        ['token-not-expired', 'allowed'],
        ['stream-name-permitted', 'allowed'],
        ['origin-allowed', 'allowed'],
        ['address-not-denied', 'allowed'],
        ['address-allowed', 'address_not_allowed'],
        ['country-allowed', 'allowed'],
        ['address-bound', 'allowed'],
        ['session-free', 'allowed'],
        ['account-not-full', 'allowed'],
        ['stream-live-or-token', 'allowed'],
      ],
    );
  });

  it('shows the facts of each rule', () => {
    const token = aCompiledToken({
      expiresOn: Date.parse('2029-12-31T23:59:59Z'),
      allowedOrigins: ['example.com'],
      deniedIpAddresses: ['192.0.2.66'],
      bindIpsOnUsage: 2,
      boundIps: [{ address: '192.0.2.9', boundOn: 0 }],
    });
    assert.deepEqual(
      Object.fromEntries(explain(viewingRules, viewing({ token })).map(({ rule, looked_at }) => [rule, looked_at])),
      {
        'token-present-if-required': { presented: true, required: true },
        'token-known': { presented: true, tokenId: 1 },
        'token-of-kind': { kind: 'subscribe', needed: 'subscribe' },
        'token-active': { isActive: true },
        'token-not-expired': { expiresOn: '2029-12-31T23:59:59.000Z', now: '2030-01-01T00:00:00.000Z' },
        'stream-name-permitted': {
          streamName: 'main',
          streams: { first: [{ streamName: 'main', isRegex: false }], total: 1 },
        },
        'origin-allowed': { origin: 'https://example.com', allowedOrigins: { first: ['example.com'], total: 1 } },
        'address-not-denied': { address: '192.0.2.1', deniedIpAddresses: { first: ['192.0.2.66'], total: 1 } },
        'address-allowed': { address: '192.0.2.1', allowedIpAddresses: { first: [], total: 0 } },
        'country-allowed': {
          country: null,
          allowedCountries: { first: [], total: 0 },
          deniedCountries: { first: [], total: 0 },
        },
        'address-bound': { address: '192.0.2.1', bindIpsOnUsage: 2, boundIps: { first: ['192.0.2.9'], total: 1 } },
        'session-free': { maxSessions: 0, whenFull: 'refuse', sessions: 0 },
        'account-not-full': { maxSessions: null, sessions: 0 },
        'stream-live-or-token': { live: true, tokenId: 1 },
      },
    );
  });

  it('shows the beginning of a long list and its length', () => {
    const allowedOrigins = Array.from({ length: 1_000 }, (_, index) => `${index}.example`);
    const token = aCompiledToken({ allowedOrigins });
    const found = explain(viewingRules, viewing({ token })).find(({ rule }) => rule === 'origin-allowed');
    assert.deepEqual(found?.looked_at.allowedOrigins, { first: allowedOrigins.slice(0, 20), total: 1_000 });
  });

  it('reveals nothing of the token of another account', () => {
    const token = aCompiledToken({ accountId: 'other' });
    const found = explain(viewingRules, viewing({ token })).find(({ rule }) => rule === 'token-known');
    assert.deepEqual(found?.looked_at, { presented: true, tokenId: null });
  });

  for (const [name, rules] of Object.entries({ viewingRules, publishingRules, rtmpPublishingRules })) {
    it(`never shows the value of a token, and works without one (${name})`, () => {
      for (const token of [viewing().token, undefined]) {
        const text = JSON.stringify(explain(rules, viewing({ token, origin: undefined, address: '' })));
        assert.ok(!text.includes(SECRET));
      }
    });

    it(`names each rule after its file (${name})`, () => {
      for (const { name } of rules) {
        assert.ok(existsSync(new URL(`../../../server/rules/${name}.ts`, import.meta.url)), name);
      }
    });
  }

  it('says which rules are about a token that the request does not have, or that is unknown', () => {
    const unused = (request: AccessRequest) =>
      explain(viewingRules, request)
        .filter(({ applies }) => !applies)
        .map(({ rule }) => rule);
    const ofKnownTokens = [
      'token-of-kind',
      'token-active',
      'token-not-expired',
      'stream-name-permitted',
      'origin-allowed',
      'address-not-denied',
      'address-allowed',
      'country-allowed',
      'address-bound',
      'session-free',
    ];
    assert.deepEqual(unused(viewing()), []);
    assert.deepEqual(unused(viewing({ token: undefined })), ofKnownTokens);
    assert.deepEqual(unused(viewing({ token: undefined, presented: false })), ['token-known', ...ofKnownTokens]);
  });

  it('contains the refusal that decide returns', () => {
    const request = viewing({ token: aCompiledToken({ kind: 'publish', streams: [] }) });
    const first = explain(viewingRules, request).find(({ verdict }) => !verdict.allowed);
    assert.deepEqual(first?.verdict, decide(viewingRules, request));
  });
});
