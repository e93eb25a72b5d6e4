import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scheduleMessages } from '../../../../src/pages/dashboard/schedule/messages/translations.js';
import { CHOOSABLE_LANGUAGES } from '../../../../src/pages/visitor-language.js';

describe('the texts of the page of scheduled streams', () => {
  for (const language of CHOOSABLE_LANGUAGES) {
    it(`name a button by the words on it, and the stream, in ${language}`, async () => {
      const texts = await scheduleMessages(language);
      for (const [words, nameOf] of [
        [texts.link, texts.linkOf],
        [texts.open, texts.openThis],
        [texts.calendar, texts.calendarOf],
        [texts.edit, texts.editThis],
        [texts.delete, texts.deleteThis],
      ] as const) {
        const name = nameOf('TITLE');
        assert.ok(name.toLowerCase().includes(words.toLowerCase()) && name.includes('TITLE'), `${words}: ${name}`);
      }
    });
  }
});
