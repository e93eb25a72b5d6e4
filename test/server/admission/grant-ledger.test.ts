import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GrantLedger } from '../../../server/admission/grant-ledger.js';

describe('GrantLedger', () => {
  it('spends a grant once', () => {
    const ledger = new GrantLedger();
    assert.equal(ledger.spend('a', 60_000, 0), true);
    assert.equal(ledger.spend('a', 60_000, 1), false);
  });

  it('distinguishes grants', () => {
    const ledger = new GrantLedger();
    ledger.spend('a', 60_000, 0);
    assert.equal(ledger.spend('b', 60_000, 0), true);
  });

  it('forgets expired grants', () => {
    const ledger = new GrantLedger();
    for (let i = 0; i < 100; i += 1) ledger.spend(String(i), 60_000 + i, i);
    ledger.spend('last', 200_000, 100_000);
    assert.equal(ledger.size, 1);
  });
});
