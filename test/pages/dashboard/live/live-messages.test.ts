import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { liveMessages } from '../../../../src/pages/dashboard/live/messages/translations.js';

describe('the names of the buttons beside a connection', () => {
  for (const language of ['en', 'ar', 'de', 'es', 'fr', 'ja', 'zh']) {
    it(`contain in ${language} what the button shows, so that people can say it to their device`, async () => {
      const { block, blockThis, disconnect, disconnectThis } = await liveMessages(language);
      for (const [shown, name] of [
        [block, blockThis('192.0.2.1')],
        [disconnect, disconnectThis('192.0.2.1')],
      ] as const) {
        assert.ok(name.toLowerCase().includes(shown.toLowerCase()), `${name} has no ${shown}`);
      }
    });
  }
});
