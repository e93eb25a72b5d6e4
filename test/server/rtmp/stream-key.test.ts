import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readStreamKey, type PublishAddress, type StreamKey } from '../../../server/rtmp/stream-key.js';
import { anyCharacter } from '../../support/any-character.js';

const address = (fields: Partial<PublishAddress> = {}): PublishAddress => ({
  app: 'v2/pub',
  streamKey: 'news?token=abc123',
  tcUrl: 'rtmp://example.com/v2/pub',
  ...fields,
});
const news = (fields: Partial<StreamKey> = {}) => ({
  ok: true,
  value: { streamName: 'news', token: 'abc123', sourceId: undefined, priority: undefined, ...fields },
});

describe('readStreamKey', () => {
  const cases: [what: string, address: Partial<PublishAddress>, key?: Partial<StreamKey>][] = [
    ['the form of OBS and ffmpeg', {}],
    ['an app with slashes around it', { app: '/v2/pub/' }],
    [
      'source and priority',
      { streamKey: 'news?token=abc123&sourceId=cam%201&priority=-2' },
      { sourceId: 'cam 1', priority: -2 },
    ],
    ['a name with slashes', { streamKey: 'a/b/c?token=abc123' }, { streamName: 'a/b/c' }],
    ['an encoded name', { streamKey: 'a%20%C3%BC%3F%2Fb?token=abc123' }, { streamName: 'a ü?/b' }],
    ['a name with a plus', { streamKey: 'a+b?token=abc123' }, { streamName: 'a+b' }],
    ['the query in the app', { app: 'v2/pub?token=abc123', streamKey: 'news' }],
    ['the query in tcUrl', { tcUrl: 'rtmp://example.com/v2/pub?token=abc123', streamKey: 'news' }],
    ['everything in the app', { app: 'v2/pub/news?token=abc123', streamKey: '' }],
    ['everything in tcUrl', { app: '', streamKey: '', tcUrl: 'rtmps://example.com:1936/v2/pub/news?token=abc123' }],
    ['an app of one part', { app: 'v2', streamKey: 'pub/news?token=abc123' }],
    ['the token of the key before that of the app', { app: 'v2/pub?token=old' }],
    ['a path, cut after the token', { app: 'live/abc123', streamKey: 'news' }],
    ['a path, cut before the token', { app: 'live', streamKey: 'abc123/news' }],
    ['a path in the app', { app: 'live/abc123/news', streamKey: '' }],
    ['a path in tcUrl', { app: '', streamKey: '', tcUrl: 'rtmp://example.com/live/abc123/news' }],
    ['a path with a name with slashes', { app: 'live/abc123', streamKey: 'a/b' }, { streamName: 'a/b' }],
    ['a path with a source', { app: 'live/abc123', streamKey: 'news?sourceId=b' }, { sourceId: 'b' }],
    ['spaces and line breaks of a key that was pasted', { streamKey: ' news?token=abc123 \r\n' }],
    ['them in the server', { app: 'v2/pub ', tcUrl: ' rtmp://example.com/v2/pub ' }],
    ['them around the token', { streamKey: 'news?token=%20abc123%0A&sourceId=b' }, { sourceId: 'b' }],
    ['them after a token in the path', { app: 'live/abc123\u00a0', streamKey: 'news' }],
    ['spaces that belong to the name', { streamKey: '%20news%20?token=abc123' }, { streamName: ' news ' }],
    ['a signed token', { app: 'live/e30.e30.c2ln', streamKey: 'news' }, { token: 'e30.e30.c2ln' }],
  ];
  for (const [what, given, key] of cases) {
    it(`reads ${what}`, () => assert.deepEqual(readStreamKey(address(given)), news(key)));
  }

  const faults: [what: string, address: Partial<PublishAddress>, code: string][] = [
    ['another app', { app: 'live2' }, 'stream_key_invalid'],
    ['nothing at all', { app: '', streamKey: '', tcUrl: '' }, 'stream_key_invalid'],
    ['an app alone', { streamKey: '' }, 'stream_key_invalid'],
    ['a broken encoding', { streamKey: '100%?token=abc123' }, 'stream_key_invalid'],
    ['no token', { streamKey: 'news' }, 'token_missing'],
    ['an empty token', { streamKey: 'news?token=' }, 'token_missing'],
    ['a path without a token', { app: 'live', streamKey: 'news' }, 'token_missing'],
    ['a token alone', { app: 'live', streamKey: 'abc123/' }, 'token_missing'],
    ['a name with a line break', { streamKey: 'a%0Ab?token=abc123' }, 'stream_name_invalid'],
    ['a name of 129 characters', { streamKey: `${'a'.repeat(129)}?token=abc123` }, 'stream_name_invalid'],
    ['an empty source', { streamKey: 'news?token=abc123&sourceId=' }, 'source_id_invalid'],
    ['half a priority', { streamKey: 'news?token=abc123&priority=1.5' }, 'priority_invalid'],
  ];
  for (const [what, given, code] of faults) {
    it(`refuses ${what} as ${code}`, () => {
      const read = readStreamKey(address(given));
      assert.equal(!read.ok && read.code, code);
    });
  }

  it('says the right form, in what ffmpeg shows of a sentence', () => {
    for (const [, given] of faults) {
      const read = readStreamKey(address(given));
      assert.ok(!read.ok && Buffer.byteLength(read.message) < 256);
    }
    const read = readStreamKey(address({ app: 'live2' }));
    assert.equal(
      !read.ok && read.message,
      'Use the server rtmp://HOST/v2/pub with the stream key NAME?token=TOKEN, or rtmp://HOST/live/TOKEN with the stream key NAME',
    );
  });

  it('is quick with the longest text that an encoder can send, whatever is in it', () => {
    const text = `a${'/'.repeat(8_190)}b`;
    const began = process.cpuUsage();
    for (let round = 0; round < 50; round++) {
      const read = readStreamKey({ app: `live/${text}`, streamKey: text, tcUrl: `rtmp://host/${text}` });
      assert.equal(read.ok, false);
    }
    // Some ms in all. A text that is read again for each slash takes five seconds.
    const { user, system } = process.cpuUsage(began);
    assert.ok(user + system < 1_000_000, `${user + system} µs of CPU`);
  });

  it('never throws, and never repeats what it was given', () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc
        .array(fc.constantFrom('v2', 'pub', 'live', '/', '?', '&', 'token=', 'S3CRET', '%', '%41'), { maxLength: 12 })
        .map((all) => all.join('')),
    );
    fc.assert(
      fc.property(text, text, text, (app, streamKey, tcUrl) => {
        const read = readStreamKey({ app, streamKey, tcUrl });
        assert.ok(read.ok || !read.message.includes('S3CRET'));
      }),
    );
  });
});
