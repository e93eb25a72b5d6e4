import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenDirectory } from '../../../server/tokens/token-directory.js';
import { directoryLabels } from '../../../server/tokens/token-labels.js';
import { aTokenRecord } from '../../support/token.js';

describe('the labels of tokens', () => {
  const directory = new TokenDirectory();
  directory.put(aTokenRecord({ id: 1, token: 'one', accountId: 'acme', label: 'Guests' }));
  directory.put(aTokenRecord({ id: 2, token: 'two', accountId: 'acme', label: '' }));
  directory.put(aTokenRecord({ id: 3, token: 'three', accountId: 'other', label: 'Theirs' }));

  it('are those of the tokens of the account that have one', async () => {
    assert.deepEqual([...(await directoryLabels(directory).of('acme', [1, 2, 3, 4]))], [[1, 'Guests']]);
  });
});
