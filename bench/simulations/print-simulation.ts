import { readFileSync, writeFileSync } from 'node:fs';
import { crowdReport } from './crowd-report.js';
import { withCrowdReport } from './scaling-page.js';

const PAGE = new URL('../../docs/scaling.md', import.meta.url);

const [name, ...rest] = process.argv.slice(2);
const crowds = rest.filter((argument) => argument !== '--write').map(Number);
if (name !== 'crowd' || crowds.some((viewers) => !Number.isInteger(viewers) || viewers < 1)) {
  process.stderr.write('usage: npm run simulate -- crowd [VIEWERS …] [--write]\n');
  process.exit(2);
}
if (rest.includes('--write')) writeFileSync(PAGE, await withCrowdReport(readFileSync(PAGE, 'utf8')));
else process.stdout.write(crowds.length > 0 ? crowdReport(crowds) : crowdReport());
