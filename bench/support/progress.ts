/** Writes the step of a benchmark and the time since its start to standard error. Standard output is for the result. */
export function progress(step: string): void {
  const seconds = Math.round(performance.now() / 1_000);
  process.stderr.write(`  ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}  ${step}\n`);
}
