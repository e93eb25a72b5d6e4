import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setCustomStates } from '../../src/elements/custom-states.js';

/** As of WebKit, where the object of the states lists none after a garbage collection, although the element has them. */
class CollectedInternals {
  readonly matching = new Set<string>();

  get states(): Set<string> {
    const { matching } = this;
    return new (class extends Set<string> {
      override add(name: string): this {
        matching.add(name);
        return super.add(name);
      }

      override delete(name: string): boolean {
        matching.delete(name);
        return super.delete(name);
      }
    })();
  }
}

describe('the custom states of a tag', () => {
  it('are those that were set last, also after a garbage collection in WebKit', () => {
    const internals = new CollectedInternals();
    setCustomStates(internals, 'live', 'muted', false);
    setCustomStates(internals, 'ended', undefined, 'muted');
    assert.deepEqual([...internals.matching].toSorted(), ['ended', 'muted']);
  });
});
