import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assert as hold, property, string } from 'fast-check';
import { ApiError, InvalidRequestError } from '../../../../server/errors.js';
import { checkPatterns, streamMatcher } from '../../../../server/tokens/restrictions/stream-patterns.js';

const pattern = (streamName: string) => ({ streamName, isRegex: true });
const exactly = (streamName: string) => ({ streamName, isRegex: false });

describe('streamMatcher', () => {
  it('takes an exact name as it is, letter case and all', () => {
    const permits = streamMatcher([exactly('a.c')]);
    assert.deepEqual(['a.c', 'abc', 'A.c', 'a.c '].map(permits), [true, false, false, false]);
  });

  it('matches a pattern from end to end of the name', () => {
    const permits = streamMatcher([pattern('cam[0-9]')]);
    assert.deepEqual(['cam1', 'xcam1', 'cam12', 'cam'].map(permits), [true, false, false, false]);
  });

  it('lets .* permit any name', () => assert.equal(streamMatcher([pattern('.*')])('front / left'), true));

  it('permits nothing when there are no rules', () => assert.equal(streamMatcher([])('main'), false));

  it('permits what any of several rules does', () => {
    const permits = streamMatcher([exactly('main'), pattern('cam.+'), pattern('x')]);
    assert.deepEqual(['main', 'cam1', 'x', 'y'].map(permits), [true, true, true, false]);
  });

  it('answers at once where backtracking would not end', () => {
    const permits = streamMatcher([pattern('(a+)+'), pattern('([a-zA-Z0-9]+-?)*'), pattern('(.*a){12}')]);
    const began = performance.now();
    assert.equal(permits(`${'a'.repeat(127)}!`), false);
    assert.ok(performance.now() - began < 500);
  });

  it('never permits by a pattern that cannot be read', () =>
    assert.equal(streamMatcher([pattern('(?=a)a'), exactly('b')])('a'), false));
});

describe('checkPatterns', () => {
  const refusal = (...patterns: string[]): ApiError => {
    try {
      checkPatterns('streams', [exactly('('), ...patterns.map(pattern)]);
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
    return assert.fail('nothing was refused');
  };

  for (const wrong of ['(', '[', '(?=a)', '(a)\\1', 'a{1001}', '*']) {
    it(`refuses ${wrong} and says where it is`, () => {
      const { code, status, details } = refusal('ok', wrong);
      assert.deepEqual([code, status], ['invalid_pattern', 400]);
      assert.deepEqual(Object.keys(details.errors as object), ['streams.2.streamName']);
    });
  }

  it('passes on what RE2 says', () => assert.match(refusal('[').message, /missing closing \]/));

  it('refuses patterns that are too complex together', () =>
    assert.match(refusal(...Array.from({ length: 6 }, () => 'a{1000}')).message, /too complex/));

  it('takes or refuses whatever text it is given, and nothing else happens', () => {
    hold(
      property(string({ maxLength: 128 }), string({ maxLength: 128 }), (text, name) => {
        try {
          checkPatterns('streams', [pattern(text)]);
        } catch (error) {
          assert.ok(error instanceof InvalidRequestError);
        }
        assert.equal(typeof streamMatcher([pattern(text)])(name), 'boolean');
      }),
    );
  });
});
