import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { publishingRules, viewingRules } from '../../../../server/rules/decide.js';
import { refusalsMessages } from '../../../../src/pages/dashboard/refusals/messages/translations.js';

const names = [...new Set([...publishingRules, ...viewingRules].map(({ name }) => name))].toSorted();

describe('the names of the rules', () => {
  for (const language of ['en', 'de', 'es', 'fr', 'ar', 'ja', 'zh']) {
    it(`are sentences in ${language}, one for each rule`, async () => {
      const { rules } = await refusalsMessages(language);
      assert.deepEqual(Object.keys(rules).toSorted(), names);
      assert.equal(new Set(Object.values(rules)).size, names.length);
    });
  }
});
