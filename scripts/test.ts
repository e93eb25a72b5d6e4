// `npm test` runs every check and ends with a summary, whose last line is "N passed, N failed".
// `npm test -- fast` runs the checks of every change: lint, types, unit and elements.
// `npm test -- changed` runs the test files that the changes since the main branch can reach.
// `npm test -- unit pages` runs the stages that are named.
// `npm test -- test/server/config/config.test.ts` runs the test files that are named, of whatever runner.
// `--measure` stores what each test file took. A run begins with the longest.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run-command.ts';
import { changedSelection } from './test-run/changed.ts';
import { costOf, measuredCosts, readCosts, secondsOf, writeCosts } from './test-run/costs.ts';
import { Report, type StageResult } from './test-run/report.ts';
import { runJobs, type JobResult, type ScheduledJob } from './test-run/run-jobs.ts';
import { selectionOf, whole, type Selection } from './test-run/selection.ts';
import { sharedPostgres } from './test-run/shared-postgres.ts';
import { FAST, stages } from './test-stages.ts';
import { installMissing, type ToolName } from './tools.ts';

const wanted = process.argv.slice(2).filter((name) => name !== '--measure');
const isFile = (name: string): boolean => name.endsWith('.ts') && existsSync(join(root, name));
const files = wanted.filter(isFile);
const names = wanted.filter((name) => !isFile(name)).flatMap((name) => (name === 'fast' ? FAST : name));

function selected(): Selection[] {
  if (wanted.length === 0) return whole(stages);
  if (wanted.join() === 'changed') return changedSelection(stages);
  return selectionOf(stages, names, files);
}

function selectedOrExit(): Selection[] {
  try {
    return selected();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  }
}

const costs = readCosts();

function jobsOf({ stage, files }: Selection): ScheduledJob[] {
  const jobs = stage.jobs(files, (file) => secondsOf(costs, file));
  return jobs.map((job) =>
    Object.assign(job, { stage: stage.name, after: stage.after ?? [], cost: costOf(costs, job) }),
  );
}

/** The result of a stage, whose tests were not run if it needs a tool that is missing. */
function resultOf({ stage, files }: Selection, results: readonly JobResult[], missing: Missing): StageResult {
  const own = results.filter(({ job }) => job.stage === stage.name);
  const sum = (count: 'passed' | 'failed' | 'notRun' | 'seconds' | 'cpu'): number =>
    own.reduce((total, one) => total + one[count], 0);
  const lacks = (stage.needs ?? []).flatMap((name) => missing.get(name) ?? []);
  return {
    name: stage.name,
    passed: sum('passed'),
    failed: sum('failed'),
    notRun: sum('notRun') + (lacks.length > 0 ? files.length : 0),
    lacks: [...own.flatMap((one) => one.lacks), ...lacks],
    incapable: own.flatMap(({ records }) => records.flatMap(({ incapable = [] }) => incapable)),
    seconds: sum('seconds'),
    cpu: sum('cpu'),
  };
}

type Missing = ReadonlyMap<ToolName, string>;

const selections = selectedOrExit();
// A single file may need none of those that its stage uses. It installs its own.
const tools = selections.flatMap(({ stage: { needs = [], uses = [] } }) =>
  files.length > 0 ? needs : [...needs, ...uses],
);
const missing: Missing = await installMissing(new Set(tools));
for (const lack of missing.values()) process.stdout.write(`${lack}\n`);
const possible = selections.filter(({ stage }) => !stage.needs?.some((name) => missing.has(name)));
const jobs = possible.flatMap(jobsOf);
const report = new Report(jobs.length === 1 ? 'live' : files.length > 0 ? 'each' : 'failed');
const endPostgres = await sharedPostgres(possible.flatMap((selection) => selection.files));
const results = await runJobs(jobs, report);
endPostgres();
if (process.argv.includes('--measure')) writeCosts(measuredCosts(results));
const sums = selections.map((selection) => resultOf(selection, results, missing));
report.summary(results, sums);
const isGood = sums.every(({ failed, notRun }) => failed === 0 && (notRun === 0 || !process.env['CI']));
process.exitCode = isGood ? 0 : 1;
