import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { en } from '../../src/pages/broadcaster/messages/en.js';
import { pageMessages } from '../../src/pages/broadcaster/messages/translations.js';
import { noticeMessages } from '../../src/pages/viewer/notice-messages.js';

const shipped = readdirSync(join(import.meta.dirname, '../../src/i18n')).map((file) => file.replace(/\.ts$/, ''));
/** What a page says, with its functions called. */
const said = (messages: object): unknown[] =>
  Object.values(messages).flatMap((value: unknown) => {
    if (typeof value === 'function') return [(value as (label: string) => string)('X')];
    return typeof value === 'object' && value ? said(value) : [value];
  });

describe('the messages of the hosted pages', () => {
  for (const language of shipped) {
    it(`are there in ${language}, as the tags' are`, async () => {
      const messages = await pageMessages(`${language}-XX`);
      assert.deepEqual(Object.keys(messages).sort(), Object.keys(en).sort());
      // All but full stops.
      const untranslated = said(messages).filter((text) => said(en).includes(text) && String(text).length > 1);
      assert.deepEqual(untranslated, []);
      assert.notDeepEqual(noticeMessages[language], noticeMessages['en']);
    });
  }

  it('are English for everybody else', async () => assert.equal(await pageMessages('pl'), en));

  it('name what is copied', async () => {
    for (const language of shipped) {
      const { copyThis, copiedThis } = (await pageMessages(language)).copy;
      assert.match(copyThis('X'), /X/);
      assert.match(copiedThis('X'), /X/);
    }
  });
});
