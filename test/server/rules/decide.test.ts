import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assert as hold, boolean, constant, constantFrom, oneof, option, property, record } from 'fast-check';
import type { AccessRequest } from '../../../server/rules/access-request.js';
import { decide, publishingRules, rtmpPublishingRules, viewingRules } from '../../../server/rules/decide.js';
import { TokenDirectory } from '../../../server/tokens/token-directory.js';
import type { TokenRecord } from '../../../server/tokens/token-record.js';
import { ruleRefusalCode, type RuleRefusalCode } from '../../../src/wire/director/refusal-code.js';
import { anAdmittingToken, aTokenRecord } from '../../support/token.js';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const ALLOWED = { allowed: true };
const denied = (reason: RuleRefusalCode) => ({ allowed: false, reason });

type Overrides = Partial<Omit<AccessRequest, 'stream'>> & { stream?: Partial<AccessRequest['stream']> };

/** A viewer with a good token asks for a stream that is live. */
function viewing({ stream, ...overrides }: Overrides = {}): AccessRequest {
  return {
    kind: 'subscribe',
    now: NOW,
    accountId: 'acme',
    streamName: 'main',
    presented: true,
    origin: 'https://example.com',
    address: '192.0.2.1',
    token: anAdmittingToken(),
    stream: { live: true, taken: true, requiresToken: true, ...stream },
    ...overrides,
  };
}

/** A publisher with a good token asks for a name that is free. */
function publishing({ stream, ...overrides }: Overrides = {}): AccessRequest {
  return viewing({
    kind: 'publish',
    token: anAdmittingToken({ kind: 'publish' }),
    stream: { live: false, taken: false, requiresToken: false, ...stream },
    ...overrides,
  });
}

const view = (overrides?: Overrides) => decide(viewingRules, viewing(overrides));
const publish = (overrides?: Overrides) => decide(publishingRules, publishing(overrides));
const onlyFrom = (page: string) => anAdmittingToken({ permitsOrigin: (origin) => origin === page });
const onlyAt = (place: string) => anAdmittingToken({ permitsAddress: (address) => address === place });
const boundTo = (bindIpsOnUsage: number, ...addresses: string[]) =>
  anAdmittingToken({ bindIpsOnUsage, boundIps: addresses.map((address) => ({ address, boundOn: 0 })) });
const nothing = { presented: false, token: undefined } as const;

describe('viewing rules', () => {
  it('let a viewer with a good token watch', () => assert.deepEqual(view(), ALLOWED));

  it('let a viewer with a good token wait for a stream to begin', () =>
    assert.deepEqual(view({ stream: { live: false } }), ALLOWED));

  it('let anybody watch a live stream that asks for no token', () =>
    assert.deepEqual(view({ ...nothing, stream: { requiresToken: false } }), ALLOWED));

  it('turn away a viewer without a token where the stream asks for one', () =>
    assert.deepEqual(view(nothing), denied('token_missing')));

  it('turn away a viewer without a token when the stream is not live', () =>
    assert.deepEqual(view({ ...nothing, stream: { live: false, requiresToken: false } }), denied('stream_not_live')));

  it('turn away an invented token even from a stream that asks for none', () =>
    assert.deepEqual(view({ token: undefined, stream: { requiresToken: false } }), denied('token_unknown')));

  it('turn away the token of another account', () =>
    assert.deepEqual(view({ token: anAdmittingToken({ accountId: 'other' }) }), denied('token_unknown')));

  it('turn away a publish token', () =>
    assert.deepEqual(view({ token: anAdmittingToken({ kind: 'publish' }) }), denied('token_wrong_kind')));

  it('turn away a token that is switched off', () =>
    assert.deepEqual(view({ token: anAdmittingToken({ isActive: false }) }), denied('token_disabled')));

  it('turn away a token at the instant it expires', () =>
    assert.deepEqual(view({ token: anAdmittingToken({ expiresOn: NOW }) }), denied('token_expired')));

  it('admit a token until just before it expires', () =>
    assert.deepEqual(view({ token: anAdmittingToken({ expiresOn: NOW + 1 }) }), ALLOWED));

  it('turn away a token for another stream', () =>
    assert.deepEqual(view({ streamName: 'Main' }), denied('stream_not_permitted')));

  it('turn away a token that names no stream', () =>
    assert.deepEqual(view({ token: anAdmittingToken({ streams: [] }) }), denied('stream_not_permitted')));

  it('turn away a page that the token is not for', () =>
    assert.deepEqual(
      view({ token: onlyFrom('https://example.com'), origin: 'https://b.example' }),
      denied('origin_not_allowed'),
    ));

  it('turn away a client without an origin where the token is for certain pages', () =>
    assert.deepEqual(
      view({ token: onlyFrom('https://example.com'), origin: undefined }),
      denied('origin_not_allowed'),
    ));

  it('turn away an address that the token is not for', () =>
    assert.deepEqual(view({ token: onlyAt('192.0.2.1'), address: '192.0.2.2' }), denied('address_not_allowed')));

  it('turn away an address that cannot be told where the token is for certain ones', () =>
    assert.deepEqual(view({ token: onlyAt('192.0.2.1'), address: '' }), denied('address_not_allowed')));

  it('admit an address that is bound to the token, though every place is taken', () =>
    assert.deepEqual(view({ token: boundTo(1, '192.0.2.1') }), ALLOWED));

  it('admit a new address while there is a place', () =>
    assert.deepEqual(view({ token: boundTo(2, '192.0.2.9') }), ALLOWED));

  it('turn away a new address once every place is taken', () =>
    assert.deepEqual(view({ token: boundTo(2, '192.0.2.8', '192.0.2.9') }), denied('address_not_bound')));

  it('give no place to an address that cannot be told', () =>
    assert.deepEqual(view({ token: boundTo(2), address: '' }), denied('address_not_bound')));

  it('ask nothing of the address when binding is switched off', () =>
    assert.deepEqual(view({ token: boundTo(0, '192.0.2.9'), address: '' }), ALLOWED));

  it('give the first reason of several', () => {
    const token = anAdmittingToken({ isActive: false, expiresOn: 0, streams: [] });
    assert.deepEqual(view({ token }), denied('token_disabled'));
  });
});

describe('publishing rules', () => {
  it('let a publisher with a good token take a free name', () => assert.deepEqual(publish(), ALLOWED));

  it('turn away a publisher without a token', () => assert.deepEqual(publish(nothing), denied('token_missing')));

  it('turn away a subscribe token', () =>
    assert.deepEqual(publish({ token: anAdmittingToken() }), denied('token_wrong_kind')));

  it('turn away whoever comes second to a name', () =>
    assert.deepEqual(publish({ stream: { taken: true, live: true } }), denied('stream_in_use')));

  it('do not tell the holder of a bad token that a name is in use', () =>
    assert.deepEqual(
      publish({ stream: { taken: true }, token: anAdmittingToken({ kind: 'publish', isActive: false }) }),
      denied('token_disabled'),
    ));
});

describe('publishing rules for RTMP', () => {
  it('ask nothing of page and address, which it does not tell', () => {
    const token = anAdmittingToken({
      kind: 'publish',
      permitsOrigin: () => false,
      permitsAddress: () => false,
      bindIpsOnUsage: 1,
      boundIps: [{ address: '192.0.2.9', boundOn: 0 }],
    });
    assert.deepEqual(decide(rtmpPublishingRules, publishing({ token, origin: undefined, address: '' })), ALLOWED);
  });

  it('hold the token to everything else', () => {
    const token = anAdmittingToken({ kind: 'publish', isActive: false });
    assert.deepEqual(decide(rtmpPublishingRules, publishing({ token })), denied('token_disabled'));
    assert.deepEqual(decide(rtmpPublishingRules, publishing({ stream: { taken: true } })), denied('stream_in_use'));
  });
});

/** The same policy, said again without the rules: as one long question, and of records alone. */
function naive(request: AccessRequest): RuleRefusalCode | undefined {
  const { kind, presented, token, stream, origin, address } = request;
  if (!token) {
    if (presented) return 'token_unknown';
    if (kind === 'publish' || stream.requiresToken) return 'token_missing';
    return stream.live ? undefined : 'stream_not_live';
  }
  const { allowedOrigins: pages, allowedIpAddresses: places, boundIps: bound, bindIpsOnUsage: most } = token;
  const counted = address.includes(':') ? `${address.split(':').slice(0, 4).join(':')}::/64` : address;
  const faults: [boolean, RuleRefusalCode][] = [
    [token.accountId !== request.accountId, 'token_unknown'],
    [token.kind !== kind, 'token_wrong_kind'],
    [!token.isActive, 'token_disabled'],
    [(token.expiresOn ?? Infinity) <= request.now, 'token_expired'],
    [!token.streams.some(({ streamName }) => streamName === request.streamName), 'stream_not_permitted'],
    [pages.length > 0 && !pages.some((page) => origin === `https://${page}`), 'origin_not_allowed'],
    [places.length > 0 && !places.includes(address), 'address_not_allowed'],
    [
      most > 0 && (address === '' || (bound.length >= most && !bound.some((one) => one.address === counted))),
      'address_not_bound',
    ],
    [kind === 'publish' && stream.taken, 'stream_in_use'],
  ];
  return faults.find(([wrong]) => wrong)?.[1];
}

describe('decide', () => {
  // Mostly right, so that the later rules are reached.
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
    bindIpsOnUsage: constantFrom(0, 0, 1, 2),
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
    stream: record({ live: boolean(), taken: boolean(), requiresToken: boolean() }),
  });

  it('agrees with the policy said without it, on the reason too', () => {
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
      'every reason came up',
    );
  });
});
