import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { ReceivedSequences } from '../../../../../server/media/embedded/producer/received-sequences.js';

it('each packet of the last thousand counts once, in any order, and none that is older', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(3_000), { maxLength: 300 }), (sequences) => {
      const received = new ReceivedSequences();
      const before = new Set<number>();
      for (const sequence of sequences) {
        const isOld = sequence <= Math.max(-1, ...before) - 1_024;
        assert.equal(received.add(sequence), !before.has(sequence) && !isOld);
        before.add(sequence);
      }
    }),
  );
});
