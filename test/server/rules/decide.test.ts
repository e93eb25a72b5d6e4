import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assert as hold, boolean, constant, constantFrom, oneof, option, property, record } from 'fast-check';
import type { AccessRequest } from '../../../server/rules/access-request.js';
import { decide, publishingRules, rtmpPublishingRules, viewingRules } from '../../../server/rules/decide.js';
import { TokenDirectory } from '../../../server/tokens/token-directory.js';
import type { TokenRecord } from '../../../server/tokens/token-record.js';
import { ruleRefusalCode, type RuleRefusalCode } from '../../../src/wire/director/refusal-code.js';
import { aCompiledToken, aTokenRecord } from '../../support/token.js';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const ALLOWED = { allowed: true };
const denied = (reason: RuleRefusalCode) => ({ allowed: false, reason });

type Overrides = Partial<Omit<AccessRequest, 'stream'>> & { stream?: Partial<AccessRequest['stream']> };

/** A viewer with a valid token asks for a live stream. */
function viewing({ stream, ...overrides }: Overrides = {}): AccessRequest {
  return {
    kind: 'subscribe',
    now: NOW,
    accountId: 'acme',
    streamName: 'main',
    presented: true,
    origin: 'https://example.com',
    address: '192.0.2.1',
    token: aCompiledToken(),
    country: undefined,
    viewingsAhead: { ofToken: 0, ofSigned: 0 },
    account: { maxSessions: null, sessions: 0 },
    stream: { live: true, taken: true, requiresToken: true, ...stream },
    ...overrides,
  };
}

/** A publisher with a valid token asks for a free name. */
function publishing({ stream, ...overrides }: Overrides = {}): AccessRequest {
  return viewing({
    kind: 'publish',
    token: aCompiledToken({ kind: 'publish' }),
    stream: { live: false, taken: false, requiresToken: false, ...stream },
    ...overrides,
  });
}

const view = (overrides?: Overrides) => decide(viewingRules, viewing(overrides));
const publish = (overrides?: Overrides) => decide(publishingRules, publishing(overrides));
const onlyFrom = (page: string) => aCompiledToken({ permitsOrigin: (origin) => origin === page });
const onlyAt = (place: string) => aCompiledToken({ permitsAddress: (address) => address === place });
const boundTo = (bindIpsOnUsage: number, ...addresses: string[]) =>
  aCompiledToken({ bindIpsOnUsage, boundIps: addresses.map((address) => ({ address, boundOn: 0 })) });
const nothing = { presented: false, token: undefined } as const;

describe('viewing rules', () => {
  it('allow a viewer with a valid token', () => assert.deepEqual(view(), ALLOWED));

  it('allow a viewer with a valid token to wait for a stream', () =>
    assert.deepEqual(view({ stream: { live: false } }), ALLOWED));

  it('allow everybody to watch a live stream that requires no token', () =>
    assert.deepEqual(view({ ...nothing, stream: { requiresToken: false } }), ALLOWED));

  it('refuse a viewer without a token if the stream requires one', () =>
    assert.deepEqual(view(nothing), denied('token_missing')));

  it('refuse a viewer without a token if the stream is not live', () =>
    assert.deepEqual(view({ ...nothing, stream: { live: false, requiresToken: false } }), denied('stream_not_live')));

  it('refuse an unknown token even if the stream requires none', () =>
    assert.deepEqual(view({ token: undefined, stream: { requiresToken: false } }), denied('token_unknown')));

  it('refuse the token of another account', () =>
    assert.deepEqual(view({ token: aCompiledToken({ accountId: 'other' }) }), denied('token_unknown')));

  it('refuse a publish token', () =>
    assert.deepEqual(view({ token: aCompiledToken({ kind: 'publish' }) }), denied('token_wrong_kind')));

  it('refuse a disabled token', () =>
    assert.deepEqual(view({ token: aCompiledToken({ isActive: false }) }), denied('token_disabled')));

  it('refuse a token at the instant of its expiry', () =>
    assert.deepEqual(view({ token: aCompiledToken({ expiresOn: NOW }) }), denied('token_expired')));

  it('allow a token until just before its expiry', () =>
    assert.deepEqual(view({ token: aCompiledToken({ expiresOn: NOW + 1 }) }), ALLOWED));

  it('refuse a token for another stream', () =>
    assert.deepEqual(view({ streamName: 'Main' }), denied('stream_not_permitted')));

  it('refuse a token that names no stream', () =>
    assert.deepEqual(view({ token: aCompiledToken({ streams: [] }) }), denied('stream_not_permitted')));

  it('refuse a page that the token does not permit', () =>
    assert.deepEqual(
      view({ token: onlyFrom('https://example.com'), origin: 'https://b.example' }),
      denied('origin_not_allowed'),
    ));

  it('refuse a client without an origin if the token lists origins', () =>
    assert.deepEqual(
      view({ token: onlyFrom('https://example.com'), origin: undefined }),
      denied('origin_not_allowed'),
    ));

  it('refuse an address that the token does not permit', () =>
    assert.deepEqual(view({ token: onlyAt('192.0.2.1'), address: '192.0.2.2' }), denied('address_not_allowed')));

  it('refuse an unknown address if the token lists addresses', () =>
    assert.deepEqual(view({ token: onlyAt('192.0.2.1'), address: '' }), denied('address_not_allowed')));

  it('refuse an address that the token denies, before they look whether it is allowed or can be bound', () => {
    const denying = {
      permitsAddress: () => false,
      bindIpsOnUsage: 1,
      deniesAddress: (it: string) => it === '192.0.2.1',
    };
    assert.deepEqual(view({ token: aCompiledToken(denying) }), denied('address_denied'));
    assert.deepEqual(view({ token: aCompiledToken(denying), address: '192.0.2.2' }), denied('address_not_allowed'));
  });

  it('allow a bound address when the token binds no more', () =>
    assert.deepEqual(view({ token: boundTo(1, '192.0.2.1') }), ALLOWED));

  it('allow a new address while the token can bind it', () =>
    assert.deepEqual(view({ token: boundTo(2, '192.0.2.9') }), ALLOWED));

  it('refuse a new address when the token binds no more', () =>
    assert.deepEqual(view({ token: boundTo(2, '192.0.2.8', '192.0.2.9') }), denied('address_not_bound')));

  it('refuse an unknown address for a token that binds addresses', () =>
    assert.deepEqual(view({ token: boundTo(2), address: '' }), denied('address_not_bound')));

  it('ignore the address if the token binds none', () =>
    assert.deepEqual(view({ token: boundTo(0, '192.0.2.9'), address: '' }), ALLOWED));

  it('allow a country by the lists of the token, and an unknown country if only some are denied', () => {
    const directory = new TokenDirectory();
    const from = (country: string | undefined, allowedCountries: string[], deniedCountries: string[] = []) => {
      const record = aTokenRecord({ id: (ids += 1), token: String(ids), allowedCountries, deniedCountries });
      directory.put(record);
      return view({ country, token: directory.findById(ids) });
    };
    let ids = 1;
    assert.deepEqual(from('CH', ['CH']), ALLOWED);
    assert.deepEqual(from('AT', ['CH']), denied('country_not_allowed'));
    assert.deepEqual(from(undefined, ['CH']), denied('country_not_allowed'));
    assert.deepEqual(from('CH', [], ['CH']), denied('country_not_allowed'));
    assert.deepEqual(from(undefined, [], ['CH']), ALLOWED);
    assert.deepEqual(from('CH', ['CH'], ['CH']), denied('country_not_allowed'));
  });

  it('refuse an unknown address for a token with a list of countries, allowed or denied', () => {
    for (const lists of [{ deniedCountries: ['RU'] }, { allowedCountries: ['CH'] }]) {
      const directory = new TokenDirectory();
      directory.put(aTokenRecord({ id: 1, token: '1', ...lists }));
      const token = directory.findById(1);
      assert.deepEqual(view({ token, address: '' }), denied('country_not_allowed'));
      assert.deepEqual(view({ token, address: '', country: 'CH' }), denied('country_not_allowed'));
    }
    assert.deepEqual(view({ address: '' }), ALLOWED);
  });

  it('allow the last viewer that the token has room for, and refuse one more', () => {
    const token = aCompiledToken({ maxSessions: 2 });
    assert.deepEqual(view({ token, viewingsAhead: { ofToken: 1, ofSigned: 0 } }), ALLOWED);
    assert.deepEqual(view({ token, viewingsAhead: { ofToken: 2, ofSigned: 0 } }), denied('token_full'));
  });

  it('refuse a viewer for whom the self-signed token has no room, whatever room its parent has', () => {
    const signed = {
      until: NOW + 1,
      allowedOrigins: [],
      allowedIpAddresses: [],
      deniedIpAddresses: [],
      allowedCountries: [],
      deniedCountries: [],
      maxSessions: 1,
      id: 'a',
    };
    const token = aCompiledToken({ signed });
    assert.deepEqual(view({ token, viewingsAhead: { ofToken: 5, ofSigned: 0 } }), ALLOWED);
    assert.deepEqual(view({ token, viewingsAhead: { ofToken: 5, ofSigned: 1 } }), denied('token_full'));
  });

  it('allow the last session that the account has room for, and refuse one more', () => {
    assert.deepEqual(view({ account: { maxSessions: 2, sessions: 1 } }), ALLOWED);
    assert.deepEqual(view({ account: { maxSessions: 2, sessions: 2 } }), denied('account_full'));
    assert.deepEqual(publish({ account: { maxSessions: 0, sessions: 0 } }), denied('account_full'));
    const overRtmp = publishing({ account: { maxSessions: 1, sessions: 3 } });
    assert.deepEqual(decide(rtmpPublishingRules, overRtmp), denied('account_full'));
  });

  it('allow every viewer if the token displaces the oldest', () =>
    assert.deepEqual(
      view({
        token: aCompiledToken({ maxSessions: 1, whenFull: 'displace' }),
        viewingsAhead: { ofToken: 1, ofSigned: 0 },
      }),
      ALLOWED,
    ));

  it('return the first of several reasons', () => {
    const token = aCompiledToken({ isActive: false, expiresOn: 0, streams: [] });
    assert.deepEqual(view({ token }), denied('token_disabled'));
  });
});

describe('publishing rules', () => {
  it('allow a publisher with a valid token to use a free name', () => assert.deepEqual(publish(), ALLOWED));

  it('refuse a publisher without a token', () => assert.deepEqual(publish(nothing), denied('token_missing')));

  it('refuse a subscribe token', () =>
    assert.deepEqual(publish({ token: aCompiledToken() }), denied('token_wrong_kind')));

  it('refuse the second publisher under a name', () =>
    assert.deepEqual(publish({ stream: { taken: true, live: true } }), denied('stream_in_use')));

  it('do not reveal to the holder of an invalid token that a name is in use', () =>
    assert.deepEqual(
      publish({ stream: { taken: true }, token: aCompiledToken({ kind: 'publish', isActive: false }) }),
      denied('token_disabled'),
    ));
});

describe('publishing rules for RTMP', () => {
  it('ignore origin and address', () => {
    const token = aCompiledToken({
      kind: 'publish',
      permitsOrigin: () => false,
      permitsAddress: () => false,
      deniesAddress: () => true,
      bindIpsOnUsage: 1,
      boundIps: [{ address: '192.0.2.9', boundOn: 0 }],
    });
    assert.deepEqual(decide(rtmpPublishingRules, publishing({ token, origin: undefined, address: '' })), ALLOWED);
  });

  it('apply all other rules about the token', () => {
    const token = aCompiledToken({ kind: 'publish', isActive: false });
    assert.deepEqual(decide(rtmpPublishingRules, publishing({ token })), denied('token_disabled'));
    assert.deepEqual(decide(rtmpPublishingRules, publishing({ stream: { taken: true } })), denied('stream_in_use'));
  });
});

/** The same policy without the rules, decided from the token record alone. */
function naive(request: AccessRequest): RuleRefusalCode | undefined {
  const { kind, presented, token, stream, origin, address } = request;
  if (!token) {
    if (presented) return 'token_unknown';
    if (kind === 'publish' || stream.requiresToken) return 'token_missing';
    if (request.account.sessions >= (request.account.maxSessions ?? Infinity)) return 'account_full';
    return stream.live ? undefined : 'stream_not_live';
  }
  const { allowedOrigins: pages, allowedIpAddresses: places, boundIps: bound, bindIpsOnUsage: most } = token;
  const { deniedIpAddresses: blocked } = token;
  const counted = address.includes(':') ? `${address.split(':').slice(0, 4).join(':')}::/64` : address;
  const faults: [boolean, RuleRefusalCode][] = [
    [token.accountId !== request.accountId, 'token_unknown'],
    [token.kind !== kind, 'token_wrong_kind'],
    [!token.isActive, 'token_disabled'],
    [(token.expiresOn ?? Infinity) <= request.now, 'token_expired'],
    [!token.streams.some(({ streamName }) => streamName === request.streamName), 'stream_not_permitted'],
    [pages.length > 0 && !pages.some((page) => origin === `https://${page}`), 'origin_not_allowed'],
    [
      blocked.length > 0 && (address === '' || blocked.includes(address) || blocked.includes(counted)),
      'address_denied',
    ],
    [places.length > 0 && !places.includes(address), 'address_not_allowed'],
    [
      (token.allowedCountries.length > 0 && !token.allowedCountries.includes(request.country ?? '')) ||
        token.deniedCountries.includes(request.country ?? '') ||
        (address === '' && token.deniedCountries.length + token.allowedCountries.length > 0),
      'country_not_allowed',
    ],
    [
      most > 0 && (address === '' || (bound.length >= most && !bound.some((one) => one.address === counted))),
      'address_not_bound',
    ],
    [
      kind === 'subscribe' &&
        token.whenFull === 'refuse' &&
        token.maxSessions > 0 &&
        request.viewingsAhead.ofToken >= token.maxSessions,
      'token_full',
    ],
    [request.account.sessions >= (request.account.maxSessions ?? Infinity), 'account_full'],
    [kind === 'publish' && stream.taken, 'stream_in_use'],
  ];
  return faults.find(([wrong]) => wrong)?.[1];
}

describe('decide', () => {
  // Mostly valid, so that the later rules are reached.
  const mostly = <Value>(right: Value, ...wrong: Value[]) =>
    oneof({ arbitrary: constant(right), weight: 6 }, { arbitrary: constantFrom(...wrong), weight: 1 });
  const address = constantFrom('192.0.2.1', '192.0.2.2', '2001:db8:1:2:3::4', '2001:db8:1:2:ffff::1', '');
  const token = record({
    accountId: mostly('acme', 'other'),
    kind: mostly<TokenRecord['kind']>('subscribe', 'publish'),
    isActive: mostly(true, false),
    expiresOn: mostly<number | null>(null, NOW - 1, NOW, NOW + 1),
    streams: mostly([{ streamName: 'main', isRegex: false }], []),
    allowedOrigins: mostly<string[]>([], ['example.com'], ['b.example', 'example.com'], ['b.example']),
    allowedIpAddresses: mostly<string[]>([], ['192.0.2.1'], ['192.0.2.2', '2001:db8:1:2:3::4']),
    deniedIpAddresses: mostly<string[]>([], ['192.0.2.1'], ['192.0.2.2', '2001:db8:1:2::/64']),
    allowedCountries: mostly<string[]>([], ['CH'], ['AT', 'CH']),
    deniedCountries: mostly<string[]>([], ['CH'], ['DE']),
    bindIpsOnUsage: constantFrom(0, 0, 1, 2),
    maxSessions: constantFrom(0, 1, 2),
    whenFull: constantFrom('refuse', 'displace'),
    boundIps: constantFrom([], ['192.0.2.1'], ['2001:db8:1:2::/64'], ['192.0.2.2', '192.0.2.3']).map((addresses) =>
      addresses.map((address) => ({ address, boundOn: 0 })),
    ),
  });
  const request = record({
    kind: mostly<TokenRecord['kind']>('subscribe', 'publish'),
    presented: boolean(),
    record: option(token, { nil: undefined, freq: 8 }),
    streamName: mostly('main', 'else'),
    origin: mostly<string | undefined>('https://example.com', 'https://b.example', 'null', undefined),
    address,
    country: constantFrom('CH', 'AT', undefined),
    viewingsAhead: record({ ofToken: constantFrom(0, 1, 2, 3), ofSigned: constant(0) }),
    account: record({ maxSessions: mostly<number | null>(null, 0, 1, 2), sessions: constantFrom(0, 1, 2, 3) }),
    stream: record({ live: boolean(), taken: boolean(), requiresToken: boolean() }),
  });

  it('agrees with an independent statement of the policy, and on the reason', () => {
    const directory = new TokenDirectory();
    let revision = 0;
    const seen = new Set<string | undefined>();
    hold(
      property(request, ({ record, ...overrides }) => {
        revision += 1;
        if (record) directory.put(aTokenRecord({ ...record, revision }));
        const token = record && directory.findById(1);
        const asked = viewing({ ...overrides, token, presented: overrides.presented || record !== undefined });
        const verdict = decide(asked.kind === 'publish' ? publishingRules : viewingRules, asked);
        const refused = naive(asked);
        seen.add(refused);
        assert.deepEqual(verdict, refused === undefined ? ALLOWED : denied(refused));
      }),
      { numRuns: 5_000 },
    );
    assert.deepEqual(
      ruleRefusalCode.options.filter((one) => !seen.has(one)),
      [],
      'every reason occurred',
    );
  });
});
