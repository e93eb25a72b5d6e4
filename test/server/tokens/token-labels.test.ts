import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenDirectory } from '../../../server/tokens/token-directory.js';
import { directoryLabels, withTokenLabels } from '../../../server/tokens/token-labels.js';
import { aTokenRecord } from '../../support/token.js';

describe('the labels of tokens', () => {
  const directory = new TokenDirectory();
  directory.put(aTokenRecord({ id: 1, token: 'one', accountId: 'acme', label: 'Guests' }));
  directory.put(aTokenRecord({ id: 2, token: 'two', accountId: 'acme', label: '' }));
  directory.put(aTokenRecord({ id: 3, token: 'three', accountId: 'other', label: 'Theirs' }));

  it('stand beside the ids, and those of another account do not', async () => {
    const bodies = [1, 2, 3, 4, null].map((tokenId) => ({ tokenId }));
    assert.deepEqual(await withTokenLabels(directoryLabels(directory), 'acme', bodies), [
      { tokenId: 1, tokenLabel: 'Guests' },
      { tokenId: 2, tokenLabel: null },
      { tokenId: 3, tokenLabel: null },
      { tokenId: 4, tokenLabel: null },
      { tokenId: null, tokenLabel: null },
    ]);
  });
});
