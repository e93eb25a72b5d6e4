import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assert as hold, boolean, constantFrom, option, property, record } from 'fast-check';
import type { AccessRequest, AdmittingToken } from '../../../server/rules/access-request.js';
import { decide, publishingRules, viewingRules } from '../../../server/rules/decide.js';
import type { Reason } from '../../../src/wire/reason.js';
import { anAdmittingToken } from '../../support/token.js';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const ALLOWED = { allowed: true };
const denied = (reason: Reason) => ({ allowed: false, reason });

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

/** The same policy, said again without the rules: as one long sentence. */
function naive(request: AccessRequest): boolean {
  const { kind, presented, token, stream } = request;
  const good =
    token !== undefined &&
    token.accountId === request.accountId &&
    token.kind === kind &&
    token.isActive &&
    (token.expiresOn === null || token.expiresOn > request.now) &&
    token.streams.some(({ streamName }) => streamName === request.streamName);
  if (kind === 'publish') return good && !stream.taken;
  return presented || token ? good : stream.live && !stream.requiresToken;
}

describe('decide', () => {
  const token = record({
    accountId: constantFrom('acme', 'other'),
    kind: constantFrom('publish' as const, 'subscribe' as const),
    isActive: boolean(),
    expiresOn: option(constantFrom(NOW - 1, NOW, NOW + 1)),
    streams: constantFrom([], [{ streamName: 'main', isRegex: false }]),
  }).map((overrides): AdmittingToken => anAdmittingToken(overrides));
  const request = record({
    kind: constantFrom('publish' as const, 'subscribe' as const),
    presented: boolean(),
    token: option(token, { nil: undefined }),
    streamName: constantFrom('main', 'else'),
    stream: record({ live: boolean(), taken: boolean(), requiresToken: boolean() }),
  });

  it('agrees with the policy said as one sentence', () => {
    hold(
      property(request, (overrides) => {
        const asked = viewing({ ...overrides, presented: overrides.presented || overrides.token !== undefined });
        const rules = asked.kind === 'publish' ? publishingRules : viewingRules;
        assert.equal(decide(rules, asked).allowed, naive(asked));
      }),
      { numRuns: 2_000 },
    );
  });
});
