import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { en } from '../../../../src/pages/dashboard/webhooks/messages/en.js';
import { unreadableSentences } from '../../../../src/pages/dashboard/webhooks/unreadable-webhook.js';
import type { WebhookBody } from '../../../../src/wire/management/webhook.js';

const BODY: WebhookBody = {
  id: 1,
  url: 'https://receiver.example/hook',
  description: '',
  events: ['stream.started'],
  signingKey: '',
  secret: '',
  oldKeyExpiresOn: null,
  isActive: true,
  disabled: null,
  fault: null,
  isFeedHooks: false,
  isViewerConnectionHooks: false,
  isRecordingHooks: false,
  isMediaHooks: false,
  isClipHooks: false,
  isThumbnailHooks: false,
  isTranscoderHooks: false,
  createdOn: '2030-01-01T00:00:00.000Z',
  updatedOn: '2030-01-01T00:00:00.000Z',
};
const keyFault = { code: 'webhook_key_unreadable', message: 'rotate it' };

describe('what is said of a webhook that cannot be read', () => {
  it('promises what waits only while the webhook is active', () => {
    const said = (webhook: Partial<WebhookBody>) => unreadableSentences({ ...BODY, ...webhook }, en);
    assert.deepEqual(said({ fault: keyFault }), [en.unreadable.key, en.keyReplaced.active]);
    const disabled = { reason: 'owner', on: '2030-01-01T00:00:00.000Z', until: null };
    assert.deepEqual(said({ fault: keyFault, isActive: false, disabled }), [
      en.unreadable.key,
      en.keyReplaced.disabled,
    ]);
    assert.doesNotMatch(en.unreadable.key, /wait/);
  });

  it('is to make it again if more than the key is lost, and nothing if it can be read', () => {
    const row = { code: 'stored_row_unreadable', message: 'remove it' };
    assert.deepEqual(unreadableSentences({ ...BODY, fault: row }, en), [en.unreadable.row]);
    assert.deepEqual(unreadableSentences(BODY, en), []);
  });
});
