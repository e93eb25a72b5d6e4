import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tokenNamedBy, tokenPath } from '../../../src/pages/dashboard/token-path.js';

describe('the address of the form of a token', () => {
  it('keeps the chosen language, and names the token', () => {
    const path = tokenPath({ kind: 'subscribe', id: 7 }, '?lang=ar');
    assert.equal(path, '/dashboard/tokens?lang=ar#edit=subscribe/7');
    assert.deepEqual(tokenNamedBy(new URL(path, 'https://live.example').hash), { kind: 'subscribe', id: 7 });
  });

  it('names no token otherwise', () => {
    for (const hash of [
      '',
      '#',
      '#code=x',
      '#edit=view/7',
      '#edit=publish/0',
      '#edit=publish/7/8',
      '#edit=publish/x',
    ]) {
      assert.equal(tokenNamedBy(hash), undefined, hash);
    }
  });
});
