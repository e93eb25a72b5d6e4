import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { followFaults, type Fault } from '../../../server/faults/fault.js';
import { mayFollow, type NextStates } from '../../../server/faults/next-states.js';

describe('the states of a thing with a life', () => {
  const next: NextStates<'open' | 'closed'> = { open: ['closed'], closed: [] };

  it('may follow as its table says, and anything else is reported', () => {
    const faults: Fault[] = [];
    const unfollow = followFaults((fault) => faults.push(fault));
    try {
      assert.equal(mayFollow('streams', next, 'open', 'closed'), true);
      assert.deepEqual(faults, []);
      assert.equal(mayFollow('streams', next, 'closed', 'open'), false);
    } finally {
      unfollow();
    }
    assert.deepEqual(
      faults.map(({ part, error }) => [part, String(error)]),
      [['streams', 'Error: "open" cannot follow "closed"']],
    );
  });
});
