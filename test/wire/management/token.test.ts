import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  createPublishToken,
  createSubscribeToken,
  tokenId,
  tokenListQuery,
  tokenRecord,
  updatePublishToken,
  updateSubscribeToken,
} from '../../../src/wire/management/token.js';
import { tokenBody } from '../../../server/tokens/token-body.js';
import { aTokenRecord } from '../../support/token.js';

describe('create schemas', () => {
  it('fill in the defaults', () => {
    assert.deepEqual(createSubscribeToken.parse({}), { label: '', streams: [] });
    assert.deepEqual(createPublishToken.parse({}), { label: '', streams: [], subscribeRequiresAuth: false });
  });
});

describe('null', () => {
  const EMPTY = { allowedOrigins: [], allowedIpAddresses: [], deniedIpAddresses: [] };
  const NULLS = { allowedOrigins: null, allowedIpAddresses: null, deniedIpAddresses: null };

  it('is an empty list, as it is nothing for other fields', () => {
    const countries = { allowedCountries: null, deniedCountries: null };
    assert.deepEqual(createSubscribeToken.parse({ ...NULLS, ...countries, streams: null, expires: null }), {
      label: '',
      streams: [],
      expires: null,
      ...EMPTY,
      ...countries,
    });
    assert.deepEqual(updatePublishToken.parse({ ...NULLS, addTokenStreams: null, removeTokenStreams: null }), {
      ...EMPTY,
      addTokenStreams: [],
      removeTokenStreams: [],
    });
    assert.deepEqual(updatePublishToken.parse({ updateAllowedOrigins: null, allowedOrigins: [] }), {
      allowedOrigins: [],
    });
  });

  it('does not take all streams of a token away', () => {
    assert.equal(updateSubscribeToken.safeParse({ streams: null }).success, false);
  });
});

describe('update schemas', () => {
  it('have no defaults', () => {
    assert.deepEqual(updateSubscribeToken.parse({ isActive: true }), { isActive: true });
    assert.deepEqual(updatePublishToken.parse({ label: '' }), { label: '' });
  });

  it('require a field, and one way to change the streams', () => {
    const refused = [{}, { streams: [], addTokenStreams: [] }, { streams: [], removeTokenStreams: ['a'] }];
    for (const change of refused) assert.equal(updatePublishToken.safeParse(change).success, false);
    assert.equal(updatePublishToken.safeParse({ addTokenStreams: [], removeTokenStreams: [] }).success, true);
  });

  it('remove streams by name, which a rule has too', () => {
    const change = updateSubscribeToken.parse({ removeTokenStreams: ['a', { streamName: 'b', isRegex: true }] });
    assert.deepEqual(change, { removeTokenStreams: ['a', 'b'] });
    const { error } = updateSubscribeToken.safeParse({ removeTokenStreams: ['a', 5] });
    assert.deepEqual(
      error?.issues.map(({ path, message }) => [path.join('.'), message]),
      [['removeTokenStreams.1', 'must be the name of a stream, or { streamName }']],
    );
  });
});

describe('the two spellings of an update', () => {
  it('become the plain names', () => {
    assert.deepEqual(updateSubscribeToken.parse({ updateAllowedOrigins: ['a.test'], updateBindIpsOnUsage: 0 }), {
      allowedOrigins: ['a.test'],
      bindIpsOnUsage: 0,
    });
    const both = { allowedIpAddresses: [], updateAllowedIpAddresses: [] };
    assert.deepEqual(updateSubscribeToken.parse(both), { allowedIpAddresses: [] });
  });

  it('list denied addresses, too', () => {
    const change = updatePublishToken.parse({ updateDeniedIpAddresses: ['192.0.2.66'] });
    assert.deepEqual(change, { deniedIpAddresses: ['192.0.2.66'] });
    const { error } = updatePublishToken.safeParse({ deniedIpAddresses: [], updateDeniedIpAddresses: ['::1'] });
    assert.deepEqual(error?.issues[0]?.path, ['updateDeniedIpAddresses']);
  });

  it('must agree', () => {
    const { error } = updatePublishToken.safeParse({ bindIpsOnUsage: 1, updateBindIpsOnUsage: 2 });
    assert.deepEqual(error?.issues[0]?.path, ['updateBindIpsOnUsage']);
  });
});

describe('fields that this server does not support', () => {
  const codes = (schema: { safeParse: typeof createPublishToken.safeParse }, body: object) =>
    schema.safeParse(body).error?.issues.map((issue) => issue.code === 'custom' && issue.params?.['code']) ?? [];

  const NOTHING_MEANT = {
    clip: null,
    multisource: true,
    enableThumbnails: false,
    displaySrtPassphrase: false,
    enableUTCInsertion: null,
    drm: false,
    lowLatencyRtmp: true,
    priority: 0,
    encoderProfileId: null,
    geoCascade: { isEnabled: false, clusters: [] },
    restream: [],
    originCluster: null,
    allowedCountries: [],
    deniedCountries: null,
  };
  const SOMETHING_MEANT = {
    clip: true,
    multisource: false,
    enableThumbnails: 1,
    displaySrtPassphrase: 'false',
    enableUTCInsertion: true,
    drm: true,
    lowLatencyRtmp: false,
    priority: 1,
    encoderProfileId: 'x',
    geoCascade: { isEnabled: false, clusters: ['fra'] },
    restream: [{ url: 'rtmp://a.test', key: 'x' }],
    originCluster: 'fra',
  };

  it('may have the values that describe this server', () => {
    assert.equal(createPublishToken.safeParse(NOTHING_MEANT).success, true);
    assert.equal(updatePublishToken.safeParse({ ...NOTHING_MEANT, updateGeoCascade: null }).success, true);
    assert.equal(createSubscribeToken.safeParse({ tracking: null, originCluster: null }).success, true);
    assert.equal(updateSubscribeToken.safeParse({ updateAllowedCountries: [] }).success, true);
  });

  it('may list countries, under either name and in either case', () => {
    const change = updateSubscribeToken.parse({ updateAllowedCountries: ['ch', 'LI'], deniedCountries: null });
    assert.deepEqual(change, { allowedCountries: ['CH', 'LI'], deniedCountries: null });
    assert.deepEqual(createPublishToken.parse({ deniedCountries: ['de'] }).deniedCountries, ['DE']);
    assert.equal(
      updateSubscribeToken.safeParse({ updateAllowedCountries: ['CH'], allowedCountries: [] }).success,
      false,
    );
  });

  for (const [field, value] of Object.entries(SOMETHING_MEANT)) {
    it(`may not be ${field}: ${JSON.stringify(value)}`, () => {
      assert.deepEqual(codes(createPublishToken, { [field]: value }), ['unsupported_field']);
    });
  }
});

describe('tokenId', () => {
  it('takes whole numbers up to 2^53 - 1', () => {
    assert.equal(tokenId.parse('9007199254740991'), Number.MAX_SAFE_INTEGER);
    for (const text of ['9007199254740992', '0', '', '+1', '1.0', '0x1', ' 1']) {
      assert.equal(tokenId.safeParse(text).success, false, text);
    }
  });
});

describe('tokenListQuery', () => {
  it('has a default for each field', () => {
    assert.deepEqual(tokenListQuery.parse({}), { page: 1, itemsOnPage: 100, sortBy: 'Name', isDescending: false });
  });
});

describe('tokenRecord', () => {
  it('accepts what the server writes, of both kinds', () => {
    for (const kind of ['publish', 'subscribe'] as const) {
      const body = tokenBody(aTokenRecord({ kind, expiresOn: 0 }));
      assert.deepEqual(tokenRecord.parse(body), body);
      assert.equal(body.expiresOn, '1970-01-01T00:00:00.000Z');
      assert.equal('subscribeRequiresAuth' in body, kind === 'publish');
    }
  });
});
