import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { firstSpoken } from '../../src/pages/visitor-language.js';

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
      assert.equal(firstSpoken(wanted), language);
    });
  }

  it('can be every one that is shipped', () => {
    const shipped = readdirSync(join(import.meta.dirname, '../../src/i18n')).map((file) => file.replace(/\.ts$/, ''));
    for (const language of shipped) assert.equal(firstSpoken([language, 'en']), language);
  });
});
