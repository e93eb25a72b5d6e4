import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Webhook as Verifier } from 'standardwebhooks';
import { signatureHeaders } from '../../../server/webhooks/webhook-signature.js';
import { newWebhookKey, rotatedKeys, validKeys } from '../../../server/webhooks/webhook.js';

const now = () => Math.floor(Date.now() / 1_000);

describe('the signature of a call', () => {
  it('is accepted by the reference library, with whatever body', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.uint8Array({ minLength: 24, maxLength: 64 }), (text, bytes) => {
        const key = Buffer.from(bytes).toString('base64');
        const body = JSON.stringify({ text });
        const headers = signatureHeaders({ id: 'msg_1', timestamp: now(), body }, [key]);
        assert.deepEqual(new Verifier(`whsec_${key}`).verify(body, headers), { text });
      }),
    );
  });

  it('is accepted with the old key and with the new one while both are valid, then with the new one only', () => {
    const [old, key] = [newWebhookKey(), newWebhookKey()];
    const keys = rotatedKeys({ current: old, old: null }, key, 2_000, 1_000);
    const body = '{}';
    const during = signatureHeaders({ id: 'msg_1', timestamp: now(), body }, validKeys(keys, 1_999));
    for (const one of [old, key]) assert.deepEqual(new Verifier(one).verify(body, during), {});
    const after = signatureHeaders({ id: 'msg_1', timestamp: now(), body }, validKeys(keys, 2_000));
    assert.deepEqual(new Verifier(key).verify(body, after), {});
    assert.throws(() => new Verifier(old).verify(body, after), /No matching signature/);
  });

  it('is refused with another body, another id or another key', () => {
    const key = newWebhookKey();
    const headers = signatureHeaders({ id: 'msg_1', timestamp: now(), body: '{}' }, [key]);
    assert.throws(() => new Verifier(key).verify('{ }', headers));
    assert.throws(() => new Verifier(key).verify('{}', { ...headers, 'webhook-id': 'msg_2' }));
    assert.throws(() => new Verifier(newWebhookKey()).verify('{}', headers));
  });
});
