import { systemProcessTable, type ProcessTable } from './process-table.js';

// npm does not pass a signal on to the script that it runs: a shell between the two takes it. Whoever ends `npm start`
// or `npx streamgate` would leave the server running, with its ports. So a server that was started that way notices
// that npm is gone, and stops by itself.

/** How often it is looked whether the package manager still runs, in ms. */
const POLL_MS = 500;

/** npm, a shell, a tool such as concurrently, and another shell are common. */
const MOST_ANCESTORS = 10;

/** `npm start` (npm names itself so), `node /usr/bin/yarn start`, `node …/pnpm/bin/pnpm.cjs start`. */
const PACKAGE_MANAGER =
  /^(?:\S*node(?:\.exe)?\s+)?(?:\S*[/\\])?(?:npm|npx|pnpm|pnpx|yarn|bun|bunx)(?:-cli)?(?:\.[cm]?js|\.exe)?(?:\s|$)/;

interface Watching {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly processes?: ProcessTable;
  readonly self?: Pick<NodeJS.Process, 'pid' | 'ppid'>;
}

/** The processes from this one's parent up to the package manager that runs it: all of them have to be there. */
export type PackageManagerProcesses = readonly number[];

/**
 * How a package manager runs this process; undefined where none does. None does where it was detached (setsid), where
 * its parents ended before (nohup, a daemon), and where only the variables of npm came down, as to what pm2 starts.
 */
export function findPackageManager({
  env,
  processes = systemProcessTable,
  self = process,
}: Watching): PackageManagerProcesses | undefined {
  // npm, pnpm, yarn and bun set it for the scripts that they run, npx for the command.
  if (!env['npm_lifecycle_event'] && !env['npm_execpath']) return undefined;
  const own = processes.find(self.pid);
  const ancestors: number[] = [];
  for (let id = self.ppid; id > 0 && ancestors.length < MOST_ANCESTORS;) {
    const ancestor = processes.find(id);
    if (!ancestor || ancestor.sessionId !== own?.sessionId) return undefined;
    ancestors.push(id);
    if (PACKAGE_MANAGER.test(ancestor.commandLine)) return ancestors;
    id = ancestor.parentId;
  }
  return undefined;
}

/**
 * Calls `onGone` once when the package manager, or a process between it and this one, has ended. Does not keep the
 * process running.
 * @returns ends the watch
 */
export function watchPackageManager(
  run: PackageManagerProcesses,
  onGone: () => void,
  { processes = systemProcessTable, self = process }: Omit<Watching, 'env'> = {},
): () => void {
  const timer = setInterval(() => {
    if (self.ppid === run[0] && run.every((id) => processes.isRunning(id))) return;
    clearInterval(timer);
    onGone();
  }, POLL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
