import { every } from '../faults/timers.js';
import { systemProcessTable, type ProcessTable } from './process-table.js';

// npm does not pass signals on to the script that it runs, because a shell between them receives the signals. Ending
// `npm start` or `npx streamgate` would leave the server running with its ports. So a server started by a package
// manager watches it, and stops when it is gone.

/** How often to check that the package manager still runs, in ms. */
const POLL_MS = 500;

/** Common: npm, a shell, a tool such as concurrently, and another shell. */
const MOST_ANCESTORS = 10;

/** Matches command lines such as `npm start`, `node /usr/bin/yarn start`, `node …/pnpm/bin/pnpm.cjs start`. */
const PACKAGE_MANAGER =
  /^(?:\S*node(?:\.exe)?\s+)?(?:\S*[/\\])?(?:npm|npx|pnpm|pnpx|yarn|bun|bunx)(?:-cli)?(?:\.[cm]?js|\.exe)?(?:\s|$)/;

interface WatchOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly processes?: ProcessTable;
  readonly self?: Pick<NodeJS.Process, 'pid' | 'ppid'>;
}

/** Process ids from the parent of this process up to the package manager. All of them must keep running. */
export type PackageManagerProcesses = readonly number[];

/**
 * Finds the package manager that runs this process. Undefined: none does, because this process was detached (setsid), its
 * parents have ended (nohup, a daemon), or it only inherited the variables of npm, as under pm2.
 */
export function findPackageManager({
  env,
  processes = systemProcessTable,
  self = process,
}: WatchOptions): PackageManagerProcesses | undefined {
  // npm, pnpm, yarn and bun set these variables for scripts, and npx for commands.
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
 * Calls `onGone` once when the package manager, or a process between it and this one, has ended. Does not keep this
 * process running.
 * @returns a function that stops watching
 */
export function watchPackageManager(
  run: PackageManagerProcesses,
  onGone: () => void,
  { processes = systemProcessTable, self = process }: Omit<WatchOptions, 'env'> = {},
): () => void {
  const timer = every('server', POLL_MS, () => {
    if (self.ppid === run[0] && run.every((id) => processes.isRunning(id))) return;
    clearInterval(timer);
    onGone();
  });
  timer.unref();
  return () => clearInterval(timer);
}
