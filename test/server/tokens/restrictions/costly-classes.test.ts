import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { costOfClasses } from '../../../../server/tokens/restrictions/costly-classes.js';

describe('costOfClasses', () => {
  for (const cheap of ['room-[0-9]+', '.*', '(?i)room-[a-z]+', '[!-\u{10fff0}]', '(?i)é', '(?i)[а-яё]']) {
    it(`${cheap} costs nothing`, () => assert.equal(costOfClasses(cheap), 0));
  }

  it('counts each named class', () => assert.equal(costOfClasses(String.raw`\pL[\p{Greek}\PN]`), 150));

  for (const range of ['B-\u{10fff0}', String.raw`B-\x{10fff0}`, String.raw`B-\777`, '+--\u{10fff0}']) {
    for (const flags of ['(?i)', '(?si)', '(?s-i)(?i:', '(?i:']) {
      it(`counts the characters of each range in ${flags}[${range}]`, () => {
        assert.ok(costOfClasses(`${flags}[${range}]`) > 900);
        assert.ok(costOfClasses(`${flags}[^a${range}${range}]`) > 1_800);
      });
    }
  }
});
