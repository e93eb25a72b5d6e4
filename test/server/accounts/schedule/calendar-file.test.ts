import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { calendarFile } from '../../../../server/accounts/schedule/calendar-file.js';
import type { ScheduledStream } from '../../../../server/accounts/schedule/scheduled-stream.js';
import { aScheduledStream, scheduledIdOf, START } from '../../../support/scheduled-stream.js';

const URL_OF_PAGE = `https://live.example.com/scheduled/${scheduledIdOf(1)}`;
const fileOf = (fields: Partial<ScheduledStream> = {}) => calendarFile(aScheduledStream(fields), URL_OF_PAGE);

/** The properties of the event by name, unfolded and unescaped (RFC 5545, 3.1 and 3.3.11). */
function eventOf(file: string): Readonly<Record<string, string>> {
  const lines = file.replaceAll(/\r\n[ \t]/g, '').split('\r\n');
  const event = lines.slice(lines.indexOf('BEGIN:VEVENT') + 1, lines.indexOf('END:VEVENT'));
  return Object.fromEntries(
    event.map((line) => {
      const [, name = '', value = ''] = /^([A-Z-]+)(?:;[^:]*)?:(.*)$/.exec(line)!;
      return [name, value.replaceAll(/\\([nN,;\\])/g, (_all, escaped) => (/n/i.test(escaped) ? '\n' : escaped))];
    }),
  );
}

describe('the calendar file of a scheduled stream', () => {
  it('has one event with times in UTC, and the link', () => {
    const file = fileOf({ endsOn: START + 5_400_000 });
    const { DTSTART, DTEND, SUMMARY, URL: url, DESCRIPTION } = eventOf(file);
    assert.deepEqual([DTSTART, DTEND], ['20261205T190000Z', '20261205T203000Z']);
    assert.deepEqual([SUMMARY, url, DESCRIPTION], ['Keynote', URL_OF_PAGE, URL_OF_PAGE]);
    assert.match(file, /^BEGIN:VCALENDAR\r\nVERSION:2\.0\r\n/);
    assert.match(file, /\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n$/);
  });

  it('has no end if none is known', () => assert.ok(!('DTEND' in eventOf(fileOf()))));

  it('keeps its UID, and counts changes, so that calendars change their event', () => {
    const [first, later] = [eventOf(fileOf()), eventOf(fileOf({ revision: 3, updatedOn: START, title: 'New' }))];
    assert.deepEqual([first['UID'], later['UID']], Array(2).fill(`${scheduledIdOf(1)}@streamgate`));
    assert.deepEqual([first['SEQUENCE'], later['SEQUENCE']], ['0', '3']);
    assert.deepEqual([later['LAST-MODIFIED'], later['DTSTAMP']], ['20261205T190000Z', '20261205T190000Z']);
  });

  it('is the same file each time it is read', () => assert.equal(fileOf(), fileOf()));

  for (const text of [
    'commas, semicolons; back\\slashes and "quotes": all',
    'two\nlines, and\r\nthree',
    '🎥 Grüße 日本語 '.repeat(20),
    'END:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:forged',
    'مرحبًا بكم في البث',
    '\\n is no line break',
  ]) {
    it(`keeps ${JSON.stringify(text.slice(0, 50))} in lines of 75 bytes`, () => {
      const file = fileOf({ title: text.replaceAll(/[\r\n]/g, ' '), description: text });
      for (const line of file.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line);
      assert.doesNotMatch(file, /(?<!\r)\n|\uFFFD/);
      const { SUMMARY, DESCRIPTION } = eventOf(file);
      assert.equal(SUMMARY, text.replaceAll(/[\r\n]/g, ' '));
      assert.equal(DESCRIPTION, `${text.replaceAll('\r\n', '\n')}\n\n${URL_OF_PAGE}`);
      assert.equal(file.match(/^BEGIN:VEVENT\r$/gm)?.length, 1);
    });
  }
});
