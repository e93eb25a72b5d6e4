import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dashboardMessages } from '../../../../src/pages/dashboard/messages/translations.js';
import { tokensMessages } from '../../../../src/pages/dashboard/tokens/messages/translations.js';

describe('the names of the buttons beside a token', () => {
  for (const language of ['en', 'ar', 'de', 'es', 'fr', 'ja', 'zh']) {
    it(`contain in ${language} what the button shows, so that people can say it to their device`, async () => {
      const messages = await tokensMessages(language);
      const common = await dashboardMessages(language);
      for (const [shown, name] of [
        [messages.details, messages.detailsOf],
        [messages.use, messages.useOf],
        [messages.edit, messages.editThis],
        [messages.trial, messages.trialThis],
        [messages.enable, messages.enableThis],
        [messages.disable, messages.disableThis],
        [messages.refresh, messages.refreshThis],
        [common.delete, common.deleteToken],
      ] as const) {
        assert.ok(name('X').toLowerCase().includes(shown.toLowerCase()), `${name('X')} has no ${shown}`);
      }
    });
  }
});
