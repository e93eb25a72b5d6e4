import type { BenchOptions, BenchResult } from './bench-result.js';

const [name, ...flags] = process.argv.slice(2);
const { run } = (await import(`./${name}.bench.ts`)) as {
  run: (options: BenchOptions) => Promise<BenchResult>;
};
const result = await run({ quick: flags.includes('--quick') });

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
process.exit(0);
