import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bindingMatcher } from '../../../server/tokens/compiled-token.js';

describe('bindingMatcher', () => {
  const isBound = bindingMatcher([
    { address: '192.0.2.1', boundOn: 0 },
    { address: '2001:db8:1:2::/64', boundOn: 0 },
  ]);

  it('matches a bound IPv4 address, and every address of a bound /64', () =>
    assert.deepEqual(['192.0.2.1', '2001:db8:1:2::1', '2001:db8:1:2:ffff::'].map(isBound), [true, true, true]));

  it('matches no other address', () =>
    assert.deepEqual(['192.0.2.2', '2001:db8:1:3::1', ''].map(isBound), [false, false, false]));
});
