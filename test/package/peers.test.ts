import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
);

/** Is part of a file of the package. */
const BUNDLED = 'hls.js';

/** The packages that the published files import. Pages are bundled and need no installed packages. */
function packagesInSources(): string[] {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.startsWith('pages'),
  );
  const imported = files.flatMap((file) =>
    [...readFileSync(join(ROOT, 'src', file), 'utf8').matchAll(/\bfrom '([^.'][^']*)'/g)].map(([, name]) => name!),
  );
  return [...new Set(imported.map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)![0]))];
}

describe('the peer dependencies', () => {
  const names = Object.keys(peerDependencies);

  // Strict package managers hide packages that are not listed.
  it('are the packages that the sources import and that are no dependencies', () => {
    assert.deepEqual([...Object.keys(dependencies), ...names, BUNDLED].toSorted(), packagesInSources().toSorted());
  });

  for (const name of names) {
    // With a range, npm would refuse to install the tags into an application with another version.
    it(`are optional, in any version: ${name}`, () => {
      assert.deepEqual([peerDependencies[name], peerDependenciesMeta[name]], ['*', { optional: true }]);
    });
  }
});
