/** The lines that are shown of each failed runner. CI keeps only the end of a long output. */
const LINES = 80;
/** How `node:test` begins its list of failed tests. Playwright and web-test-runner end their output with it. */
const LIST = /^✖ failing tests:$/m;

/**
 * What to read first in the output of a failed stage.
 * @returns the lists of failed tests of `node:test`, or else the last lines
 */
export function failuresInOutput(output: string): string {
  const [, ...lists] = output.trimEnd().split(LIST);
  if (lists.length === 0) return output.trimEnd().split('\n').slice(-LINES).join('\n');
  return lists.map((list) => list.trim().split('\n').slice(0, LINES).join('\n')).join('\n\n');
}
