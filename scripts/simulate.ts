// `npm run simulate -- crowd [VIEWERS …] [--write]` computes what crowds of viewers take, from the measured costs in
// bench/simulations/crowd-costs.ts. `--write` puts the result into docs/scaling.md.
import { runCommand, typescriptArguments } from './run-command.ts';

const { ok } = await runCommand('node', [
  ...typescriptArguments,
  'bench/simulations/print-simulation.ts',
  ...process.argv.slice(2),
]);
process.exitCode = ok ? 0 : 1;
