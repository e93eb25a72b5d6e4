import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const { peerDependencies, peerDependenciesMeta } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
);

describe('the frameworks that the package knows', () => {
  const names = Object.keys(peerDependencies);

  // Named they must be, for package managers that hide from a package what it does not name.
  it('are those that its types are of', () => assert.deepEqual(names.toSorted(), ['react', 'svelte', 'vue']));

  for (const name of names) {
    // With a range npm would not install the tags into an application with another version, which has no need of more.
    it(`may be absent, or of any version: ${name}`, () => {
      assert.deepEqual([peerDependencies[name], peerDependenciesMeta[name]], ['*', { optional: true }]);
    });
  }
});
