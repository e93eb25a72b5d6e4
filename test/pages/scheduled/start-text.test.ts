import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startText, timeZoneText } from '../../../src/pages/scheduled/start-text.js';

const startsOn = '2026-12-05T12:00:00.000Z';

describe('the time of a scheduled stream', () => {
  it('has weekday, date and time in the language of the visitor', () => {
    assert.match(startText({ startsOn, endsOn: null }, 'de'), /^\p{L}+, \d+\. Dezember 2026 um \d\d:\d\d$/u);
    assert.match(startText({ startsOn, endsOn: null }, 'ja'), /^2026年12月\d+日\p{L}曜日 \d+:\d\d$/u);
  });

  it('has the end if it is known', () => {
    const text = startText({ startsOn, endsOn: '2026-12-05T13:30:00.000Z' }, 'de');
    assert.match(text, /\d\d:\d\d\s?[–-]\s?\d\d:\d\d/);
  });

  it('names the time zone', () => assert.notEqual(timeZoneText(startsOn, 'en'), ''));
});
