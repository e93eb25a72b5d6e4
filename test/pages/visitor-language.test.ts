import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { firstSupported } from '../../src/pages/visitor-language.js';

describe('the language of a hosted page', () => {
  for (const [wanted, language] of [
    [['de-AT', 'en'], 'de-AT'],
    [['pl', 'fr'], 'fr'],
    [['en-GB', 'de'], 'en-GB'],
    [['', 'ja'], 'ja'],
    [['../x', 'constructor'], 'en'],
    [[], 'en'],
  ] as const) {
    it(`is ${language} for ${wanted.join(', ') || 'nothing'}`, () => {
      assert.equal(firstSupported(wanted), language);
    });
  }

  it('can be every language of the tags', () => {
    const shipped = readdirSync(join(import.meta.dirname, '../../src/i18n')).map((file) => file.replace(/\.ts$/, ''));
    for (const language of shipped) assert.equal(firstSupported([language, 'en']), language);
  });
});
