// `npm run bench -- NAME [--json]`: one performance claim of the README, measured as a ratio against something named.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, runCommand } from './run-command.ts';

const names = readdirSync(join(root, 'bench'))
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.replace('.bench.ts', ''));
const json = process.argv.includes('--json');
const name = process.argv.slice(2).find((arg) => !arg.startsWith('-'));

if (!name || !names.includes(name)) {
  process.stderr.write(`usage: npm run bench -- NAME [--json]\nNAME is one of: ${names.join(', ')}\n`);
  process.exit(2);
}
const { ok } = await runCommand('node', [
  '--import',
  'tsx',
  'bench/print-result.ts',
  name,
  ...(json ? ['--json'] : []),
]);
process.exitCode = ok ? 0 : 1;
