import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { packPackage } from '../../scripts/pack.js';
import { runCommand } from '../../scripts/run-command.js';

/** Runs a checker of packages, and shows what it printed if it found a fault. */
async function check(command: string, ...args: string[]): Promise<void> {
  const { ok, output } = await runCommand(command, args, { quiet: true });
  assert.ok(ok, output);
}

for (const [name, folder] of [
  ['streamgate', '.'],
  ['@streamgate/server', 'server'],
] as const) {
  describe(`the tarball of ${name}`, () => {
    it('passes publint', async () => check('publint', 'run', await packPackage(folder), '--strict'));

    // Both packages are ESM only, so that `require` from CommonJS is not checked.
    it('has types that resolve for its consumers', async () =>
      check('attw', await packPackage(folder), '--profile', 'esm-only'));
  });
}
