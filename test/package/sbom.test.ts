import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { packPackage } from '../../scripts/pack.js';
import { writeSbom } from '../../scripts/write-sbom.js';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'streamgate-bill-'));
after(() => rmSync(folder, { recursive: true, force: true }));

for (const [name, home] of [
  ['streamgate', '.'],
  ['@streamgate/server', 'server'],
] as const) {
  describe(`the software bill of materials of ${name}`, () => {
    it('names the package and its dependencies, and nothing that only tests use', async () => {
      const file = join(folder, `${home === '.' ? 'root' : home}.json`);
      await writeSbom(await packPackage(home), file);
      const { bomFormat, components } = JSON.parse(readFileSync(file, 'utf8')) as {
        readonly bomFormat: string;
        readonly components: readonly { readonly group?: string; readonly name: string }[];
      };
      assert.equal(bomFormat, 'CycloneDX');
      const named = new Set(components.map((component) => component.name));
      const { dependencies } = JSON.parse(readFileSync(join(root, home, 'package.json'), 'utf8'));
      for (const one of [name, ...Object.keys(dependencies)]) assert.ok(named.has(one), one);
      for (const one of ['oxlint', 'playwright']) assert.equal(named.has(one), false, one);
    });
  });
}
