import { format, resolveConfig } from 'prettier';
import { crowdReport } from './crowd-report.js';

/** Where the result begins. The rest of the page is written by `npm run simulate -- crowd --write`. */
const BEGIN = '### The figures\n';

/** The page, with the present result of the simulation at its end. @throws {Error} the page has no place for it */
export async function withCrowdReport(page: string): Promise<string> {
  const at = page.indexOf(BEGIN);
  if (at < 0) throw new Error(`the page has no heading ${BEGIN}`);
  const path = new URL('../../docs/scaling.md', import.meta.url);
  const options = await resolveConfig(path);
  return await format(page.slice(0, at) + crowdReport(), { ...options, parser: 'markdown' });
}
