import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readTokenForm, withoutValue } from '../../../../src/pages/dashboard/tokens/kept-token.js';
import { changeOf, draftOf, emptyDraft } from '../../../../src/pages/dashboard/tokens/token-draft.js';
import { tokenBody } from '../../../support/token-body.js';

const secret = 'f00dfeed';
const base = { ...tokenBody({ label: 'lobby', token: secret, Token: secret, maxSessions: 2 }), etag: '"7"' };
const stored = (form: Parameters<typeof withoutValue>[0]): unknown => JSON.parse(JSON.stringify(withoutValue(form)));

describe('the form of a token that is kept', () => {
  it('comes back with the same text', () => {
    const draft = { ...emptyDraft, label: '🎥 <b>', names: 'a\nb', expiry: 'date' as const };
    assert.deepEqual(readTokenForm(stored({ kind: 'subscribe', base: undefined, draft })), {
      kind: 'subscribe',
      base: undefined,
      draft,
    });
  });

  it('does not contain the value of the token', () => {
    const form = { kind: 'publish' as const, base, draft: draftOf(base) };
    assert.equal(JSON.stringify(withoutValue(form)).includes(secret), false);
  });

  it('changes the same version of the token as before', () => {
    const form = readTokenForm(stored({ kind: 'subscribe', base, draft: { ...draftOf(base), label: 'hall' } }));
    assert.equal(form?.base?.etag, '"7"');
    assert.deepEqual(changeOf(form.draft, form.base, 'subscribe', 0), { label: 'hall' });
  });

  it('is none if nothing or something else was kept', () => {
    for (const kept of [undefined, null, 'x', {}, { kind: 'publish', draft: { label: 'a' } }]) {
      assert.equal(readTokenForm(kept), undefined);
    }
  });
});
