// Runs one benchmark: prints how long it takes, its progress, its figures, and whether they meet the target or why the
// benchmark did not finish.
import type { BenchOptions, BenchResult } from './bench-result.js';
import { benchPlans, verdict } from './plans.js';
import { progress } from './support/progress.js';

const [name = '', ...flags] = process.argv.slice(2);
const quick = flags.includes('--quick');
const minutes = flags.flatMap((flag) => /^--minutes=(\d+)$/.exec(flag)?.[1] ?? []).map(Number)[0];
const plan = benchPlans[name]!;
const { run } = (await import(`./${name}.bench.ts`)) as { run: (options: BenchOptions) => Promise<BenchResult> };
process.stderr.write(
  quick
    ? `${name}: a quick run takes a minute or two\n`
    : `${name} takes about ${minutes ?? plan.minutes} min on an idle machine\n`,
);

try {
  const result = await run({ quick, ...(minutes !== undefined && { minutes }) });
  progress('done');
  if (flags.includes('--json')) {
    const { figures, ...rest } = result;
    process.stdout.write(`${JSON.stringify({ ...rest, ...figures })}\n`);
  } else {
    for (const { ratio, against } of [result, ...(result.also ?? [])]) {
      process.stdout.write(`${result.name}: ${ratio.toFixed(2)} × ${against}\n`);
    }
    console.table(
      Object.entries(result.figures).map(([figure, value]) => ({ figure, value: Number(value.toPrecision(4)) })),
    );
  }
  if (quick) {
    process.stderr.write(
      `${name} works. The figures of a quick run mean nothing and are not compared with the target.\n`,
    );
    process.exit(0);
  }
  const verdicts = [{ ...result, target: plan.target }, ...(result.also ?? [])].flatMap(({ ratio, against, target }) =>
    target ? [{ against, ...verdict(target, ratio) }] : [],
  );
  for (const { against, met, text } of verdicts) {
    process.stderr.write(`${name} ${met ? 'met' : 'missed'} its target (${against}): ${text}.\n`);
  }
  process.exit(verdicts.every(({ met }) => met) ? 0 : 1);
} catch (error) {
  process.stderr.write(`${name} did not finish: ${error instanceof Error ? error.message : String(error)}\n`);
  if (error instanceof Error && error.cause) process.stderr.write(`cause: ${String(error.cause)}\n`);
  process.exit(1);
}
