import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ResumeLedger } from '../../../server/admission/resume-ledger.js';

const LIFETIME = 1_000;
const NOW = 1_000_000;

describe('the ledger of resume tokens', () => {
  const token = (chain: string, turn: number, address = '192.0.2.1', issuedAt = NOW) => ({
    chain,
    turn,
    address,
    expiresAt: issuedAt + LIFETIME,
  });
  const ledger = (limits = {}) => new ResumeLedger({ lifetimeMs: LIFETIME, ...limits });

  it('spends each token once, and with it those before it in its chain', () => {
    const spent = ledger();
    assert.equal(spent.spend(token('a', 1), NOW), true);
    assert.equal(spent.spend(token('a', 1), NOW), false);
    assert.equal(spent.spend(token('a', 3), NOW), true);
    assert.equal(spent.spend(token('a', 2), NOW), false);
    assert.equal(spent.spend(token('b', 1), NOW), true);
  });

  it('takes one place for a client that reconnects in a loop', () => {
    const spent = ledger();
    for (let turn = 1; turn <= 10_000; turn++) assert.equal(spent.spend(token('a', turn), NOW), true);
    assert.equal(spent.size, 2);
  });

  it('forgets no token before it expires, and then every one', () => {
    const spent = ledger();
    for (let at = 0; at < LIFETIME; at += 10) spent.spend(token(`early ${at}`, 1, '192.0.2.1', NOW + at), NOW + at);
    for (let at = 0; at < LIFETIME; at += 10)
      assert.equal(spent.spend(token(`early ${at}`, 1, '192.0.2.1', NOW + at), NOW + LIFETIME + at - 1), false);
    spent.spend(token('late', 1), NOW + 10 * LIFETIME);
    assert.equal(spent.size, 2);
    spent.spend(token('next', 1, '192.0.2.1', NOW + 11 * LIFETIME), NOW + 11 * LIFETIME);
    assert.equal(spent.size, 4, 'of two periods');
  });

  it('refuses the tokens of a network with too many chains, and accepts those that are issued afterwards', () => {
    const spent = ledger({ mostOfNetwork: 3 });
    const unspent = token('unspent', 1, '192.0.2.200');
    for (const chain of ['a', 'b', 'c', 'd']) assert.equal(spent.spend(token(chain, 1), NOW), true);
    for (const one of [token('a', 1), token('d', 1), unspent]) assert.equal(spent.spend(one, NOW), false);
    const later = NOW + 1;
    assert.equal(spent.spend(token('a', 2, '192.0.2.1', later), later), true);
    assert.equal(spent.spend(token('e', 1, '198.51.100.1'), later), true, 'another network');
    assert.equal(spent.size, 4, 'two networks, and what they spent since');
  });

  it('refuses all tokens when too many networks have some', () => {
    const spent = ledger({ most: 10 });
    for (let index = 0; index <= 5; index++) spent.spend(token(`${index}`, 1, `10.0.${index}.1`), NOW);
    assert.equal(spent.size, 0);
    assert.equal(spent.spend(token('0', 1, '10.0.0.1'), NOW), false);
    assert.equal(spent.spend(token('other', 1, '10.1.0.1'), NOW), false);
    assert.equal(spent.spend(token('other', 2, '10.1.0.1', NOW + 1), NOW + 1), true);
  });

  it('lets nobody spend a token twice and stays small, whatever strangers do', () => {
    const use = fc.record({
      chain: fc.nat(7),
      turn: fc.nat(4),
      network: fc.nat(3),
      issuedBefore: fc.nat(LIFETIME - 1),
      passes: fc.nat(LIFETIME / 4),
    });
    fc.assert(
      fc.property(
        fc.array(use, { maxLength: 80 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 2, max: 9 }),
        (uses, mostOfNetwork, most) => {
          const spent = ledger({ mostOfNetwork, most });
          const accepted = new Set<string>();
          let now = NOW;
          for (const { chain, turn, network, issuedBefore, passes } of uses) {
            now += passes;
            const used = token(`${chain}`, turn, `10.0.${network}.1`, now - issuedBefore);
            // A token is issued once, so all its uses have the same expiry and network.
            const key = JSON.stringify(used);
            if (spent.spend(used, now)) {
              assert.ok(!accepted.has(key), key);
              accepted.add(key);
            }
            assert.ok(spent.size <= 2 * (most + 1));
          }
        },
      ),
    );
  });
});
