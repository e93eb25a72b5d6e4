import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { setUpstream } from '../../../src/wire/management/upstream.js';
import { addressesOf, changedUpstream, type UpstreamFields } from '../../../server/upstream/upstream.js';

const FIELDS: UpstreamFields = {
  accountId: 'main',
  streamName: null,
  software: 'mediamtx',
  urls: {
    publish: 'http://mtx.example:8889/{account}/{name}/whip',
    view: 'http://mtx.example:8889/{account}/{name}/whep',
    status: 'http://mtx.example:9997/v3/paths/get/{account}/{name}',
  },
  tokens: { publish: 'p', view: 'v', status: null },
};
const input = {
  software: 'mediamtx',
  publishUrl: FIELDS.urls.publish,
  viewUrl: FIELDS.urls.view,
  statusUrl: FIELDS.urls.status,
};

it('has its tokens without the white space around what was pasted', () => {
  assert.equal(setUpstream.parse({ ...input, publishToken: ' secret\n' }).publishToken, 'secret');
});

describe('the addresses of a stream at its upstream', () => {
  const addressesIn = (streamName: string) => addressesOf(FIELDS, { accountId: 'main', streamName });

  it('have the account and the name in the path and in the query', () => {
    const query = { ...FIELDS, urls: { ...FIELDS.urls, view: 'http://srs.example/whep/?app={account}&stream={name}' } };
    const { publish, view } = addressesOf(query, { accountId: 'main', streamName: 'a show/1?x#&{account}' })!;
    assert.equal(publish.href, 'http://mtx.example:8889/main/a%20show/1%3Fx%23%26%7Baccount%7D/whip');
    assert.deepEqual(
      [...view.searchParams],
      [
        ['app', 'main'],
        ['stream', 'a show/1?x#&{account}'],
      ],
    );
  });

  it('are never those of another stream, nor elsewhere', () => {
    const names = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom('..', 'a/../b', './a', 'a//b', '%2e%2e', '/', '\\..'),
    );
    fc.assert(
      fc.property(names, names, (one, other) => {
        const [a, b] = [addressesIn(one), addressesIn(other)];
        if (!a || !b) return;
        assert.equal(a.publish.origin, 'http://mtx.example:8889');
        assert.match(a.publish.pathname, /^\/main\/.+\/whip$/);
        assert.equal(a.publish.href === b.publish.href, one === other);
      }),
    );
    for (const name of ['.', '..', 'a/../b', 'a//b', '/a', 'a/']) assert.equal(addressesIn(name), undefined);
  });
});

describe('a change of an upstream', () => {
  const { tokens: _, ...given } = FIELDS;

  it('keeps tokens that are not given, and removes those that are null', () => {
    const tokens = { publish: undefined, view: null, status: 's' };
    assert.deepEqual(changedUpstream(FIELDS, { ...given, tokens }).tokens, { publish: 'p', view: null, status: 's' });
    assert.deepEqual(changedUpstream(undefined, { ...given, tokens }).tokens, {
      publish: null,
      view: null,
      status: 's',
    });
  });

  it('does not take a token to another server', () => {
    const urls = { ...FIELDS.urls, publish: 'https://elsewhere.example/{name}' };
    const tokens = { publish: undefined, view: undefined, status: undefined };
    assert.deepEqual(changedUpstream(FIELDS, { ...given, urls, tokens }).tokens, {
      publish: null,
      view: 'v',
      status: null,
    });
  });
});

describe('the upstream that a caller sets', () => {
  const accepts = (change: object) => setUpstream.safeParse({ ...input, ...change }).success;

  it('has addresses that no stream name can lead elsewhere', () => {
    assert.ok(accepts({}));
    for (const publishUrl of [
      'http://{name}.example/whip',
      'http://{account}/{name}',
      'ftp://mtx.example/{name}',
      'http://user:pass@mtx.example/{name}',
      'http://mtx.example/{name}#x',
      'http://mtx.example/{name}/{token}',
      '{name}',
    ]) {
      assert.equal(accepts({ publishUrl }), false, publishUrl);
    }
  });

  it('names the stream in its addresses, unless it is of one stream only', () => {
    const publishUrl = 'https://customer-1.cloudflarestream.com/secret/webRTC/publish';
    assert.equal(accepts({ publishUrl }), false);
    assert.ok(accepts({ publishUrl, streamName: 'show' }));
  });

  it('has no token with characters that are none of a header', () => {
    assert.ok(accepts({ publishToken: 'abc.def-1' }));
    for (const publishToken of ['', 'a b', 'a\r\nb', 'ü']) assert.equal(accepts({ publishToken }), false);
  });
});
