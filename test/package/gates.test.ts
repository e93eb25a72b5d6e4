import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const folders = { streamgate: root, '@streamgate/server': join(root, 'server') };

/** Runs a gate and shows what it printed when it is not content. */
async function content(command: string, args: string[], cwd: string): Promise<void> {
  await run(command, args, { cwd }).catch(({ stdout, stderr }) => assert.fail(`${stdout}${stderr}`));
}

for (const [name, cwd] of Object.entries(folders)) {
  describe(name, () => {
    it('is packed as publint asks', () => content('publint', ['--strict'], cwd));

    // Both packages are ESM only: what attw says of `require` from CommonJS is by design.
    it('has types that resolve for its consumers', () =>
      content('attw', ['--pack', '.', '--profile', 'esm-only'], cwd));
  });
}
