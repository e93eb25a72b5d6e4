import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { localTime } from '../../../../src/pages/dashboard/formatting.js';
import fc from 'fast-check';
import { schemaFaults, serverFaults } from '../../../../src/pages/dashboard/tokens/draft-faults.js';
import {
  changeOf,
  creationOf,
  draftOf,
  emptyDraft,
  type TokenDraft,
} from '../../../../src/pages/dashboard/tokens/token-draft.js';
import { createPublishToken, createSubscribeToken } from '../../../../src/wire/management/token.js';
import { tokenBody } from '../../../support/token-body.js';

const now = Date.parse('2026-07-01T12:00:00Z');
const draft = (change: Partial<TokenDraft> = {}): TokenDraft => ({ ...emptyDraft, names: 'keynote', ...change });
const faulty = (change: Partial<TokenDraft>, kind: 'publish' | 'subscribe' = 'subscribe') =>
  schemaFaults(creationOf(draft(change), kind, now), kind, true);

describe('a new token in the form', () => {
  it('is taken by the schema of its kind as it begins', () => {
    assert.ok(createPublishToken.safeParse(creationOf(emptyDraft, 'publish', now)).success);
    assert.ok(createSubscribeToken.safeParse(creationOf(emptyDraft, 'subscribe', now)).success);
  });

  it('has an entry per line, without empty lines and spaces around', () => {
    const body = creationOf(
      draft({ names: ' a \n\nb/c d', patterns: 'room-.*', origins: ' example.com \n*.example.net\n' }),
      'publish',
      now,
    );
    assert.deepEqual(body.streams, [
      { streamName: 'a', isRegex: false },
      { streamName: 'b/c d', isRegex: false },
      { streamName: 'room-.*', isRegex: true },
    ]);
    assert.deepEqual(body.allowedOrigins, ['example.com', '*.example.net']);
  });

  it('expires never, at a time, or after a duration', () => {
    const expires = (change: Partial<TokenDraft>) => creationOf(draft(change), 'subscribe', now).expires;
    assert.equal(expires({ expiry: 'never' }), null);
    assert.equal(expires({ expiry: 'duration', duration: '2', durationUnit: 'days' }), 172_800);
    // A time in the time zone of the machine, without seconds.
    assert.equal(expires({ expiry: 'date', expiryDate: localTime(now + 120_000) }), 120);
  });

  it('names no country on a server that may know none', () =>
    assert.equal('allowedCountries' in creationOf(draft(), 'publish', now), false));

  it('denies the addresses that are entered, one per line, also if it binds others', () => {
    assert.equal('deniedIpAddresses' in creationOf(draft(), 'publish', now), false);
    const body = creationOf(draft({ addressRule: 'bind', deniedAddresses: ' 192.0.2.66\n\n::1 ' }), 'publish', now);
    assert.deepEqual([body.bindIpsOnUsage, body.deniedIpAddresses], [1, ['192.0.2.66', '::1']]);
  });

  it('binds addresses instead of listing them', () => {
    const { bindIpsOnUsage, allowedIpAddresses } = creationOf(
      draft({ addressRule: 'bind', bindCount: '2', addresses: '203.0.113.7' }),
      'subscribe',
      now,
    );
    assert.deepEqual([bindIpsOnUsage, allowedIpAddresses], [2, undefined]);
  });

  it('has after how many days recordings are deleted only to publish, and only if it is entered', () => {
    const days = (retentionDays: string, kind: 'publish' | 'subscribe' = 'publish') =>
      creationOf(draft({ retentionDays }), kind, now).recordingRetentionDays;
    assert.deepEqual([days(' 30 '), days(''), days('30', 'subscribe')], [30, undefined, undefined]);
    assert.deepEqual(Object.keys(faulty({ retentionDays: '0' }, 'publish')), ['recording']);
    assert.deepEqual(Object.keys(faulty({ retentionDays: 'week' }, 'publish')), ['recording']);
  });

  it('has places only to watch, and decides only to publish whether viewers need a token', () => {
    const filled = draft({ needsToken: true, maxSessions: '3', whenFull: 'displace' });
    const publish = creationOf(filled, 'publish', now);
    const subscribe = creationOf(filled, 'subscribe', now);
    assert.deepEqual([publish.subscribeRequiresAuth, publish.maxSessions], [true, undefined]);
    assert.deepEqual(
      [subscribe.subscribeRequiresAuth, subscribe.maxSessions, subscribe.whenFull],
      [undefined, 3, 'displace'],
    );
  });
});

describe('the faults of a token in the form', () => {
  it('are none in a valid one', () => assert.deepEqual(faulty({}), {}));

  it('name the entry', () => {
    assert.deepEqual(faulty({ allowedCountries: 'CH, Schweiz' }), {
      allowedCountries: { entry: 'Schweiz', message: undefined },
    });
    assert.deepEqual(Object.keys(faulty({ names: 'x'.repeat(129) })), ['streams']);
  });

  for (const [field, change] of [
    ['label', { label: 'x'.repeat(129) }],
    ['expiry', { expiry: 'date', expiryDate: '' }],
    ['expiry', { expiry: 'date', expiryDate: '2020-01-01T00:00' }],
    ['expiry', { expiry: 'duration', duration: '0' }],
    ['expiry', { expiry: 'duration', duration: '-1' }],
    ['expiry', { expiry: 'duration', duration: '99999', durationUnit: 'days' }],
    ['addresses', { addressRule: 'bind', bindCount: '' }],
    ['addresses', { addressRule: 'bind', bindCount: '0' }],
    ['deniedAddresses', { deniedAddresses: '192.0.2.66\n'.repeat(1_001) }],
    ['places', { maxSessions: 'many' }],
    ['places', { maxSessions: '1.5' }],
  ] as const) {
    it(`belong to ${field}: ${JSON.stringify(change).slice(0, 60)}`, () =>
      assert.deepEqual(Object.keys(faulty(change)), [field]));
  }

  it('of the server belong to the field and the entry that its path names', () => {
    const body = creationOf(draft({ origins: 'example.com\n???' }), 'publish', now);
    assert.deepEqual(serverFaults({ 'allowedOrigins.1': ['is no origin'], body: ['x'] }, body), {
      origins: { entry: '???', message: 'is no origin' },
    });
    const denying = creationOf(draft({ deniedAddresses: '::1\n127.1' }), 'publish', now);
    assert.deepEqual(serverFaults({ 'deniedIpAddresses.1': ['is no address'] }, denying), {
      deniedAddresses: { entry: '127.1', message: 'is no address' },
    });
    assert.deepEqual(serverFaults({ 'streams.0.streamName': ['is no pattern'] }, body), {
      streams: { entry: 'keynote', message: 'is no pattern' },
    });
  });
});

describe('a token that is edited', () => {
  const base = tokenBody({ label: 'lobby', allowedIpAddresses: ['203.0.113.7'], maxSessions: 2, whenFull: 'refuse' });

  it('sends nothing if nothing was changed', () =>
    fc.assert(
      fc.property(
        fc.record({
          label: fc.string(),
          streams: fc.array(
            fc.record({ streamName: fc.string({ minLength: 1, unit: 'grapheme' }), isRegex: fc.boolean() }),
          ),
          allowedOrigins: fc.array(fc.domain()),
          allowedIpAddresses: fc.array(fc.ipV4()),
          deniedIpAddresses: fc.array(fc.ipV6()),
          bindIpsOnUsage: fc.nat(5),
          maxSessions: fc.nat(5),
          whenFull: fc.constantFrom('refuse', 'displace'),
        }),
        (fields) => {
          const token = tokenBody(fields);
          assert.deepEqual(changeOf(draftOf(token), token, 'subscribe', now), {});
        },
      ),
    ));

  it('sends after how many days recordings are deleted, or that the account decides', () => {
    const token = tokenBody({ record: true, recordingRetentionDays: 30 });
    const sent = (retentionDays: string) => changeOf({ ...draftOf(token), retentionDays }, token, 'publish', now);
    assert.deepEqual(sent('30'), {});
    assert.deepEqual(sent('7'), { recordingRetentionDays: 7 });
    assert.deepEqual(sent(''), { recordingRetentionDays: null });
  });

  it('sends what was changed, and nothing else', () => {
    assert.deepEqual(changeOf({ ...draftOf(base), label: 'hall' }, base, 'subscribe', now), { label: 'hall' });
    assert.deepEqual(changeOf({ ...draftOf(base), maxSessions: '' }, base, 'subscribe', now), {
      maxSessions: 0,
      whenFull: 'refuse',
    });
    assert.deepEqual(changeOf({ ...draftOf(base), addresses: '' }, base, 'subscribe', now), { allowedIpAddresses: [] });
    const denied = tokenBody({ deniedIpAddresses: ['192.0.2.66'] });
    assert.deepEqual(changeOf({ ...draftOf(denied), deniedAddresses: '' }, denied, 'publish', now), {
      deniedIpAddresses: [],
    });
  });

  it('keeps names that begin or end with spaces', () => {
    const spaced = tokenBody({ streams: [{ streamName: ' a ', isRegex: false }] });
    const change = changeOf({ ...draftOf(spaced), names: ' a \n b ' }, spaced, 'publish', now);
    assert.deepEqual(
      change.streams?.map(({ streamName }) => streamName),
      [' a ', 'b'],
    );
  });

  it('does not send the list of addresses when only their number changes, because that removes the bindings', () => {
    const bound = tokenBody({ bindIpsOnUsage: 1, allowedIpAddresses: ['203.0.113.7'] });
    assert.deepEqual(changeOf({ ...draftOf(bound), bindCount: '2' }, bound, 'publish', now), { bindIpsOnUsage: 2 });
    assert.deepEqual(changeOf({ ...draftOf(bound), addressRule: 'list' }, bound, 'publish', now), {
      allowedIpAddresses: ['203.0.113.7'],
      bindIpsOnUsage: 0,
    });
    assert.deepEqual(changeOf({ ...draftOf(base), addressRule: 'bind' }, base, 'publish', now), {
      bindIpsOnUsage: 1,
      allowedIpAddresses: [],
    });
  });
});
