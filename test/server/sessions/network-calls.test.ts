import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { NetworkCalls, nextCallLimit } from '../../../server/sessions/network-calls.js';

const LATE_MS = 200;
/** As many networks as the limit needs. */
const OTHERS = ['203.0.113.1', '192.0.2.1', '2001:db8::1'];

/** The samples of some seconds in which the event loop is late. */
function lateCalls(): NetworkCalls {
  const calls = new NetworkCalls();
  for (let sample = 0; sample < 50; sample += 1) calls.sample(LATE_MS);
  for (const address of OTHERS) calls.take(() => address);
  return calls;
}

const takes = (calls: NetworkCalls, address: string, times: number): number =>
  Array.from({ length: times }, () => calls.take(() => address)).filter(Boolean).length;

describe('the calls of networks', () => {
  it('are not counted while the event loop is in time', () => {
    const calls = new NetworkCalls();
    for (let sample = 0; sample < 50; sample += 1) calls.sample(0);
    const never = () => assert.fail('the address is not needed');
    assert.equal(calls.take(never), true);
  });

  it('are one a second while the event loop stays late', () => {
    const calls = lateCalls();
    assert.equal(takes(calls, '198.51.100.1', 20), 1);
    for (let sample = 0; sample < 10; sample += 1) calls.sample(LATE_MS);
    for (const address of OTHERS) calls.take(() => address);
    assert.equal(takes(calls, '198.51.100.1', 20), 1);
  });

  it('are those of all addresses of a network', () => {
    const calls = lateCalls();
    const addresses = Array.from({ length: 20 }, (_, host) => `198.51.100.${host}`);
    assert.equal(addresses.filter((address) => calls.take(() => address)).length, 1);
  });

  it('do not take those of another network', () => {
    const calls = lateCalls();
    takes(calls, '198.51.100.1', 1_000);
    assert.equal(
      calls.take(() => '198.51.101.1'),
      true,
    );
  });

  it('are not limited while few networks call: a crowd behind one address disturbs nobody', () => {
    const calls = new NetworkCalls();
    for (let sample = 0; sample < 50; sample += 1) calls.sample(LATE_MS);
    assert.equal(takes(calls, '198.51.100.1', 1_000), 1_000);
  });

  it('are not limited any more soon after the event loop is in time again', () => {
    const calls = lateCalls();
    for (let sample = 0; sample < 10; sample += 1) calls.sample(0);
    assert.equal(takes(calls, '198.51.100.1', 1_000), 1_000);
  });

  it('are never limited to none, whatever happens', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -100, max: 60_000 })), (lateness) => {
        const limit = lateness.reduce(nextCallLimit, 64);
        assert.ok(limit >= 1 && limit <= 64);
      }),
    );
  });
});
