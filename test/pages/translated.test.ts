import assert from 'node:assert/strict';
import { it } from 'node:test';
import { translated } from '../../src/pages/translated.js';

const other = async () => 'other';
const textIn = translated('English', {
  ar: other,
  de: async () => 'Deutsch',
  es: other,
  fr: other,
  ja: other,
  zh: other,
});

it('texts are in the language of the page, whatever its region', async () => {
  assert.equal(await textIn('de'), 'Deutsch');
  assert.equal(await textIn('de-AT'), 'Deutsch');
});

it('texts are English in other languages, and for words that are none', async () => {
  for (const language of ['en', 'pl', '', 'constructor']) assert.equal(await textIn(language), 'English');
});
