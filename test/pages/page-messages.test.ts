import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { en } from '../../src/pages/broadcaster/messages/en.js';
import { broadcasterPageMessages } from '../../src/pages/broadcaster/messages/translations.js';
import { en as dashboard } from '../../src/pages/dashboard/messages/en.js';
import { dashboardMessages } from '../../src/pages/dashboard/messages/translations.js';
import { en as appearance } from '../../src/pages/dashboard/appearance/messages/en.js';
import { appearanceMessages } from '../../src/pages/dashboard/appearance/messages/translations.js';
import { en as audit } from '../../src/pages/dashboard/audit/messages/en.js';
import { auditMessages } from '../../src/pages/dashboard/audit/messages/translations.js';
import { en as live } from '../../src/pages/dashboard/live/messages/en.js';
import { liveMessages } from '../../src/pages/dashboard/live/messages/translations.js';
import { en as recordings } from '../../src/pages/dashboard/recordings/messages/en.js';
import { recordingsMessages } from '../../src/pages/dashboard/recordings/messages/translations.js';
import { en as refusals } from '../../src/pages/dashboard/refusals/messages/en.js';
import { refusalsMessages } from '../../src/pages/dashboard/refusals/messages/translations.js';
import { en as schedule } from '../../src/pages/dashboard/schedule/messages/en.js';
import { scheduleMessages } from '../../src/pages/dashboard/schedule/messages/translations.js';
import { en as security } from '../../src/pages/dashboard/security/messages/en.js';
import { securityMessages } from '../../src/pages/dashboard/security/messages/translations.js';
import { en as statistics } from '../../src/pages/dashboard/statistics/messages/en.js';
import { statisticsMessages } from '../../src/pages/dashboard/statistics/messages/translations.js';
import { en as tokens } from '../../src/pages/dashboard/tokens/messages/en.js';
import { tokensMessages } from '../../src/pages/dashboard/tokens/messages/translations.js';
import { en as webhooks } from '../../src/pages/dashboard/webhooks/messages/en.js';
import { webhooksMessages } from '../../src/pages/dashboard/webhooks/messages/translations.js';
import { scheduledPageMessages } from '../../src/pages/scheduled/messages/translations.js';
import { noticeMessages } from '../../src/pages/viewer/messages/translations.js';

const shipped = readdirSync(join(import.meta.dirname, '../../src/i18n')).map((file) => file.replace(/\.ts$/, ''));
/** Words that a language writes as English does. */
const SAME_WORDS: Readonly<Record<string, readonly string[]>> = {
  ar: ['Webhooks', 'X: Y'],
  de: ['Link', 'Live', 'Logo', 'Name', 'Problem: X', 'Status X', 'Streams', 'Token X', 'Webhooks', 'X: Y'],
  es: ['Token X', 'Webhooks', 'X: Y'],
  fr: ['Logo', 'Source X', 'Webhooks'],
  zh: ['“X”'],
};
/** All texts of a page. Functions are called. */
const textsOf = (messages: object): unknown[] =>
  Object.values(messages).flatMap((value: unknown) => {
    if (typeof value === 'function') return [(value as (...parts: string[]) => string)('X', 'Y', 'Z')];
    return typeof value === 'object' && value ? textsOf(value) : [value];
  });

describe('the messages of the hosted pages', () => {
  for (const language of shipped) {
    it(`exist in ${language}, a language of the tags`, async () => {
      const messages = await broadcasterPageMessages(`${language}-XX`);
      assert.deepEqual(Object.keys(messages).sort(), Object.keys(en).sort());
      // A text of one character, such as a full stop, may be the same.
      const untranslated = textsOf(messages).filter((text) => textsOf(en).includes(text) && String(text).length > 1);
      assert.deepEqual(untranslated, []);
      assert.notDeepEqual(noticeMessages[language], noticeMessages['en']);
    });
  }

  for (const [part, english, inLanguage] of [
    ['the dashboard', dashboard, dashboardMessages],
    ['its audit page', audit, auditMessages],
    ['its page of appearance', appearance, appearanceMessages],
    ['its live page', live, liveMessages],
    ['its page of recordings', recordings, recordingsMessages],
    ['its schedule', schedule, scheduleMessages],
    ['its page of statistics', statistics, statisticsMessages],
    ['its page of refusals', refusals, refusalsMessages],
    ['its page of tokens', tokens, tokensMessages],
    ['its security page', security, securityMessages],
    ['its page of webhooks', webhooks, webhooksMessages],
  ] as const) {
    for (const language of shipped.filter((name) => name !== 'en')) {
      it(`of ${part} exist in ${language}`, async () => {
        const messages = await inLanguage(`${language}-XX`);
        assert.deepEqual(Object.keys(messages).sort(), Object.keys(english).sort());
        assert.deepEqual(
          textsOf(messages).filter(
            (text) => textsOf(english).includes(text) && !SAME_WORDS[language]?.includes(String(text)),
          ),
          [],
        );
      });
    }

    it(`of ${part} are English for other languages`, async () => assert.equal(await inLanguage('pl'), english));
  }

  it('are English for other languages', async () => assert.equal(await broadcasterPageMessages('pl'), en));

  it('have the grammatical form of a count', async () => {
    assert.equal(tokens.upToRefuse(1, '1'), 'Up to 1 viewer. One more is refused.');
    assert.equal(statistics.leftOut(1, '1'), '1 further event is left out.');
    const { deletedAfter } = await tokensMessages('ar');
    const days = [1, 2, 3, 11, 100].map((count) =>
      deletedAfter(count, String(count)).replace('تُحذف التسجيلات بعد ', ''),
    );
    assert.deepEqual(days, ['يوم واحد', 'يومين', '3 أيام', '11 يومًا', '100 يوم']);
    const { units } = await scheduledPageMessages('ar');
    assert.deepEqual(
      [2, 3, 11].map((count) => units.days(count, String(count))),
      ['يومان', 'أيام', 'يومًا'],
    );
  });

  it('contain the name of the copied text', async () => {
    for (const language of shipped) {
      const { copyThis, copiedThis } = (await broadcasterPageMessages(language)).copy;
      assert.match(copyThis('X'), /X/);
      assert.match(copiedThis('X'), /X/);
    }
  });
});
