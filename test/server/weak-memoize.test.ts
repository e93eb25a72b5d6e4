import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { weakMemoize } from '../../server/weak-memoize.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('weakMemoize', () => {
  it('makes one value of a key for everybody', () => {
    const of = weakMemoize((key) => ({ key }));
    assert.equal(of('a'), of('a'));
    assert.deepEqual([of('a'), of('b')], [{ key: 'a' }, { key: 'b' }]);
  });

  it('keeps nothing that nobody has any more, and makes it anew', async () => {
    let made = 0;
    const of = weakMemoize(() => ({ number: (made += 1) }));
    const kept = of('kept');
    of('dropped');
    await turn();
    collectGarbage();
    await turn();
    assert.equal(of('dropped').number, 3);
    assert.equal(of('kept'), kept);
  });
});
