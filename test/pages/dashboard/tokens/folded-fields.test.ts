import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { foldedFields, isFoldUsed } from '../../../../src/pages/dashboard/tokens/folded-fields.js';
import { emptyDraft } from '../../../../src/pages/dashboard/tokens/token-draft.js';

describe('the rules of a token that few have', () => {
  const edited = {
    kind: 'subscribe',
    draft: emptyDraft,
    faults: {},
    conflicts: [],
    knowsCountries: true,
  } as const;
  const fault = { entry: undefined, message: undefined };

  it('are used when one has a value, a fault or a change of somebody else', () => {
    assert.equal(isFoldUsed(edited), false);
    assert.equal(isFoldUsed({ ...edited, draft: { ...emptyDraft, label: 'a', names: 'b', expiry: 'date' } }), false);
    for (const change of [
      { draft: { ...emptyDraft, origins: 'example.com' } },
      { draft: { ...emptyDraft, addressRule: 'bind' } },
      { faults: { places: fault } },
      { conflicts: ['deniedAddresses'] },
    ] as const) {
      assert.equal(isFoldUsed({ ...edited, ...change }), true, JSON.stringify(change));
    }
  });

  it('have a number of viewers only for a token to watch', () => {
    assert.deepEqual([foldedFields(edited)[0], foldedFields({ ...edited, kind: 'publish' })[0]], ['places', 'origins']);
  });

  it('have countries only with a database of countries, or if the token has some', () => {
    const without = { ...edited, knowsCountries: false };
    const countries = (fields: readonly string[]) => fields.filter((name) => name.endsWith('Countries'));
    assert.deepEqual(countries(foldedFields(edited)), ['allowedCountries', 'deniedCountries']);
    assert.deepEqual(countries(foldedFields(without)), []);
    const draft = { ...emptyDraft, deniedCountries: 'AT' };
    assert.deepEqual(countries(foldedFields({ ...without, draft })), ['deniedCountries']);
  });
});
