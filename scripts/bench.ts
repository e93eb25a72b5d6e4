// `npm run bench -- NAME [--json] [--quick]`: one performance claim of the README, measured as a ratio against something
// named. `--quick` shows within a minute or two that a benchmark with browsers or media works: its figures say nothing.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, runCommand, typescriptArguments } from './run-command.ts';

const names = readdirSync(join(root, 'bench'))
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.replace('.bench.ts', ''));
const flags = ['--json', '--quick'].filter((flag) => process.argv.includes(flag));
const name = process.argv.slice(2).find((arg) => !arg.startsWith('-'));

if (!name || !names.includes(name)) {
  process.stderr.write(`usage: npm run bench -- NAME [--json] [--quick]\nNAME is one of: ${names.join(', ')}\n`);
  process.exit(2);
}
const { ok } = await runCommand('node', [...typescriptArguments, 'bench/print-result.ts', name, ...flags]);
process.exitCode = ok ? 0 : 1;
