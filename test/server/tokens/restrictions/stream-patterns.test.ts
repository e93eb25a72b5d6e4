import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assert as hold, property, string } from 'fast-check';
import { ApiError, InvalidRequestError } from '../../../../server/errors.js';
import { checkPatterns, streamMatcher } from '../../../../server/tokens/restrictions/stream-patterns.js';
import { leastCpuMs } from '../../../support/least-cpu.js';

const pattern = (streamName: string) => ({ streamName, isRegex: true });
const exactly = (streamName: string) => ({ streamName, isRegex: false });

describe('streamMatcher', () => {
  it('compares an exact name with its letter case', () => {
    const permits = streamMatcher([exactly('a.c')]);
    assert.deepEqual(['a.c', 'abc', 'A.c', 'a.c '].map(permits), [true, false, false, false]);
  });

  it('matches a pattern against the whole name', () => {
    const permits = streamMatcher([pattern('cam[0-9]')]);
    assert.deepEqual(['cam1', 'xcam1', 'cam12', 'cam'].map(permits), [true, false, false, false]);
  });

  it('permits any name with .*', () => assert.equal(streamMatcher([pattern('.*')])('front / left'), true));

  it('permits nothing without rules', () => assert.equal(streamMatcher([])('main'), false));

  it('permits what any of several rules permits', () => {
    const permits = streamMatcher([exactly('main'), pattern('cam.+'), pattern('x')]);
    assert.deepEqual(['main', 'cam1', 'x', 'y'].map(permits), [true, true, true, false]);
  });

  it('answers at once where backtracking would take for ever', () => {
    const permits = streamMatcher([pattern('(a+)+'), pattern('([a-zA-Z0-9]+-?)*'), pattern('(.*a){12}')]);
    const begun = process.cpuUsage();
    assert.equal(permits(`${'a'.repeat(127)}!`), false);
    const { user, system } = process.cpuUsage(begun);
    assert.ok(user + system < 500_000, `${user + system} µs of CPU`);
  });

  it('permits nothing with an invalid pattern', () =>
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
    it(`refuses ${wrong} and names its path`, () => {
      const { code, status, details } = refusal('ok', wrong);
      assert.deepEqual([code, status], ['invalid_pattern', 400]);
      assert.deepEqual(Object.keys(details.errors as object), ['streams.2.streamName']);
    });
  }

  it('passes on the message of RE2', () => assert.match(refusal('[').message, /missing closing \]/));

  it('refuses patterns that are too complex together', () =>
    assert.match(refusal(...Array.from({ length: 6 }, () => 'a{1000}')).message, /too complex/));

  it('refuses a pattern that RE2 would write out to a long program, without compiling it', () => {
    const ms = leastCpuMs(20, (round) =>
      assert.match(refusal(`(?:abcdefghijklmnopqrstuvwxyz){1000}${round}`).message, /too complex/),
    );
    assert.ok(ms < 20, `${ms} ms of CPU`);
  });

  const costlyClasses = {
    'ranges without letter case': `(?i)[${'B-\u{10fff0}'.repeat(30)}]`,
    'ranges without letter case, by code': `(?i)[${String.raw`B-\x{10fff0}`.repeat(9)}]`,
    'classes of Unicode': `(?i)${String.raw`\pL|`.repeat(29)}`,
  };
  for (const [what, costly] of Object.entries(costlyClasses)) {
    it(`refuses patterns with so many ${what} that compiling them takes long`, () => {
      const ms = leastCpuMs(100, (round) => {
        const patterns = Array.from({ length: 20 }, (_, index) => `${costly}${round}-${index}`);
        assert.match(refusal(...patterns).message, /too complex/);
      });
      assert.ok(ms < 100, `${ms} ms of CPU`);
    });
  }

  it('accepts as many patterns with classes as people need', () => {
    const patterns = [String.raw`(?i)\pL[\pL\pN_-]*`, '(?i)[а-яё]+', '(?i)[a-zà-ÿ0-9 -]+', String.raw`(?i)[\w-.]+`];
    const rooms = patterns.flatMap((text) =>
      Array.from({ length: 20 }, (_, index) => pattern(`${text}/room-${index}`)),
    );
    assert.doesNotThrow(() => checkPatterns('streams', rooms));
  });

  it('accepts or refuses any text, without another error', () => {
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
