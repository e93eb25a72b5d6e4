import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mergeDraft, withTheirs } from '../../../../src/pages/dashboard/tokens/draft-merge.js';
import { draftOf } from '../../../../src/pages/dashboard/tokens/token-draft.js';
import { tokenBody } from '../../../support/token-body.js';

const base = tokenBody({ label: 'lobby', allowedOrigins: ['example.com'] });
const mine = (change: object) => ({ ...draftOf(base), ...change });

describe('a token that two people change at once', () => {
  it('keeps what one changed, and takes what the other changed elsewhere', () => {
    const present = tokenBody({ ...base, allowedOrigins: ['example.net'] });
    const { draft, conflicts } = mergeDraft(mine({ label: 'hall' }), base, present);
    assert.deepEqual([draft.label, draft.origins, conflicts], ['hall', 'example.net', []]);
  });

  it('names the fields that both changed, and keeps the text of the later person', () => {
    const present = tokenBody({ ...base, label: 'stage', expiresOn: '2026-01-01T00:00:00Z' });
    const { draft, conflicts } = mergeDraft(mine({ label: 'hall', expiry: 'never' }), base, present);
    assert.deepEqual([draft.label, draft.expiry, conflicts], ['hall', 'never', ['label', 'expiry']]);
    const taken = withTheirs(draft, present, 'label');
    assert.deepEqual([taken.label, taken.expiry], ['stage', 'never']);
  });

  it('has no conflict if both changed a field to the same', () => {
    const present = tokenBody({ ...base, label: 'hall' });
    assert.deepEqual(mergeDraft(mine({ label: 'hall' }), base, present).conflicts, []);
  });

  it('takes a new expiry if the person did not choose one', () => {
    const present = tokenBody({ ...base, expiresOn: '2026-01-01T00:00:00Z' });
    const { draft, conflicts } = mergeDraft(mine({ label: 'hall' }), base, present);
    assert.deepEqual([draft.expiry, conflicts], ['keep', []]);
  });

  it('has no news if the token has only bound an address, or was disabled', () => {
    const binding = tokenBody({ bindIpsOnUsage: 2 });
    const bound = tokenBody({ ...binding, allowedIpAddresses: ['203.0.113.7'], isActive: false });
    const { draft, conflicts, hasNews } = mergeDraft({ ...draftOf(binding), bindCount: '3' }, binding, bound);
    assert.deepEqual([draft.bindCount, conflicts, hasNews], ['3', [], false]);
    assert.equal(mergeDraft(mine({}), base, tokenBody({ ...base, label: 'hall' })).hasNews, true);
    assert.equal(mergeDraft(draftOf(bound), bound, tokenBody({ ...bound, bindIpsOnUsage: 1 })).hasNews, true);
  });
});
