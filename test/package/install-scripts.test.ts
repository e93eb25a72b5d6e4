import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly hasInstallScript?: boolean }>>;
}

/** One sentence for each package that runs a script when it is installed, and is not on the list. */
function unlisted(lock: LockFile, allowScripts: Readonly<Record<string, boolean>> = {}): string[] {
  return Object.entries(lock.packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
    .filter((name) => !(name in allowScripts))
    .map(
      (name) =>
        `${name} runs a script when it is installed. Read the script; then take another package, or name this one in "allowScripts" of package.json: true if it is needed, false if not.`,
    );
}

describe('install scripts of dependencies', () => {
  const locks = globSync('**/package-lock.json', { cwd: ROOT, exclude: (path) => path.includes('node_modules') });

  it('are checked in each lock file', () => {
    assert.ok(locks.includes('package-lock.json'));
    assert.ok(locks.some((lock) => lock.startsWith(join('bench', 'peers'))));
    assert.ok(locks.filter((lock) => lock.startsWith(join('demo', 'frameworks'))).length > 3);
  });

  for (const lock of locks) {
    it(`are on the list of their project: ${lock}`, () => {
      const { allowScripts } = read(join(dirname(lock), 'package.json'));
      assert.deepEqual(unlisted(read(lock), allowScripts), []);
    });
  }

  it('are refused if not listed, at any depth', () => {
    const lock = {
      packages: {
        '': {},
        'node_modules/esbuild': { hasInstallScript: true },
        'node_modules/swagger-ui-dist': {},
        'node_modules/swagger-ui-dist/node_modules/@scarf/scarf': { hasInstallScript: true },
      },
    };
    assert.deepEqual(
      unlisted(lock, { esbuild: true }).map((sentence) => sentence.split(' ')[0]),
      ['@scarf/scarf'],
    );
  });

  const { packages }: LockFile = read('package-lock.json');
  const shipped = Object.entries(packages).filter(([path, { dev }]) => path.includes('node_modules/') && !dev);

  it('are in no dependency of our packages', () => {
    assert.ok(shipped.length > 50);
    assert.deepEqual(unlisted({ packages: Object.fromEntries(shipped) }), []);
  });

  it('are not made up by npm for a dependency of our packages: npm compiles what has a binding.gyp', () => {
    assert.ok(shipped.some(([path]) => existsSync(join(ROOT, path, 'package.json'))));
    const compiled = shipped.map(([path]) => path).filter((path) => existsSync(join(ROOT, path, 'binding.gyp')));
    assert.deepEqual(compiled, []);
  });
});
