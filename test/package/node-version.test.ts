import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const text = (file: string): string => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
const read = (file: string) => JSON.parse(text(file));

interface LockFile {
  readonly packages: Readonly<
    Record<string, { readonly dev?: boolean; readonly engines?: { readonly node?: string } | readonly string[] }>
  >;
}

const STATED: string = read('server/package.json').engines.node.replace('>=', '');

/** Whether `range` of the field `engines` has this version. Upper limits are not read. */
function accepts(range: string, version: string): boolean {
  const [major, minor] = version.split('.').map(Number) as [number, number];
  return range.split('||').some((alternative) => {
    const [, orLater, from, fromMinor = 0] = /(>=?)?\s*v?(\d+)(?:\.(\d+))?/.exec(alternative) ?? [];
    if (from === undefined || (orLater && Number(from) < major)) return true;
    return Number(from) === major && Number(fromMinor) <= minor;
  });
}

describe('the version of Node that we state', () => {
  it('is enough for every package that is installed with ours, or may be', () => {
    const { packages }: LockFile = read('package-lock.json');
    const shipped = Object.entries(packages).filter(([path, { dev }]) => path.includes('node_modules/') && !dev);
    assert.ok(shipped.some(([path]) => path === 'node_modules/@opentelemetry/sdk-trace'));
    const newer = shipped.filter(
      ([, { engines }]) => engines && 'node' in engines && engines.node && !accepts(engines.node, STATED),
    );
    assert.deepEqual(newer, []);
  });

  it('is the same in both packages and in the docs', () => {
    assert.equal(read('package.json').engines.node, `>=${STATED}`);
    for (const file of [
      'README',
      'CONTRIBUTING',
      'server/README',
      'docs/guides/quickstart',
      'docs/operating/install',
    ]) {
      assert.match(text(`${file}.md`), new RegExp(`Node ${STATED.replace('.', '\\.')} or newer`), file);
    }
  });
});

describe('a range of versions', () => {
  for (const range of ['*', '>=22.15.0', '>= 18', '^22.1', '22 || >=24.0.0', '^20.19.0 || >=22.12.0', '>0.10']) {
    it(`has 22.15: ${range}`, () => assert.equal(accepts(range, '22.15'), true));
  }
  for (const range of ['>=22.16', '>=24', '^20.19.0 || >=22.16.0', '^20', '20 || 24']) {
    it(`does not have 22.15: ${range}`, () => assert.equal(accepts(range, '22.15'), false));
  }
});
