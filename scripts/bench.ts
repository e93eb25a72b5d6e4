// `npm run bench -- NAME [--json] [--quick] [--minutes=N]` measures one performance claim of docs/benchmarks.md as a ratio against something
// named, and compares the ratio with its target. `--quick` shows within a minute or two that a benchmark works; its
// figures mean nothing. `--minutes` shortens `soak`.
import { benchPlans } from '../bench/plans.ts';
import { runCommand, typescriptArguments } from './run-command.ts';

const names = Object.keys(benchPlans);
const flags = process.argv.filter((argument) => /^--(?:json|quick|minutes=\d+)$/.test(argument));
const name = process.argv.slice(2).find((arg) => !arg.startsWith('-'));

if (!name || !names.includes(name)) {
  const times = names.map((known) => `  ${known.padEnd(14)} ${benchPlans[known]!.minutes} min`).join('\n');
  process.stderr.write(
    `usage: npm run bench -- NAME [--json] [--quick] [--minutes=N]\nNAME, and how long it takes:\n${times}\n`,
  );
  process.exit(2);
}
const { ok } = await runCommand('node', [...typescriptArguments, 'bench/print-result.ts', name, ...flags]);
process.exitCode = ok ? 0 : 1;
