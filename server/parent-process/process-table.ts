import { execFileSync } from 'node:child_process';
import { childEnvironment } from '../child-process.js';
import { readFileSync } from 'node:fs';

export interface RunningProcess {
  readonly parentId: number;
  /** Differs from the parent's if the process was detached, as by setsid. Undefined: unknown. */
  readonly sessionId: number | undefined;
  /** As `ps` shows it. A process may change it, as npm does to `npm start`. */
  readonly commandLine: string;
}

/** The processes of the operating system. */
export interface ProcessTable {
  /** Undefined: the process has ended, or the system cannot be asked. */
  find(id: number): RunningProcess | undefined;
  /** False for a process that has ended but whose parent has not waited for it (a zombie). */
  isRunning(id: number): boolean;
}

export const systemProcessTable: ProcessTable = {
  find: (id) => (process.platform === 'linux' ? findInProc(id) : findByPs(id)),
  isRunning(id) {
    if (process.platform === 'linux') {
      const stat = readStat(id);
      if (stat) return stat.state !== 'Z' && stat.state !== 'X';
    }
    try {
      return process.kill(id, 0);
    } catch (error) {
      // EPERM: the process exists and belongs to another user.
      return error instanceof Error && 'code' in error && error.code === 'EPERM';
    }
  },
};

function findInProc(id: number): RunningProcess | undefined {
  const stat = readStat(id);
  const commandLine = readProc(id, 'cmdline');
  if (!stat || commandLine === undefined) return undefined;
  return { parentId: stat.parentId, sessionId: stat.sessionId, commandLine: commandLine.replaceAll('\0', ' ').trim() };
}

/** See proc_pid_stat(5). The name, in brackets, may itself contain spaces and brackets. */
function readStat(
  id: number,
): { readonly state: string; readonly parentId: number; readonly sessionId: number } | undefined {
  const stat = readProc(id, 'stat');
  if (stat === undefined) return undefined;
  const [state = '', parentId, , sessionId] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state, parentId: Number(parentId), sessionId: Number(sessionId) };
}

function readProc(id: number, file: 'stat' | 'cmdline'): string | undefined {
  try {
    return readFileSync(`/proc/${id}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}

/** macOS and the BSDs. Windows has no `ps`. */
function findByPs(id: number): RunningProcess | undefined {
  try {
    const answer = execFileSync('ps', ['-o', 'ppid=,args=', '-p', String(id)], {
      encoding: 'utf8',
      env: childEnvironment(),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [, parentId, commandLine = ''] = /^\s*(\d+)\s+(.*?)\s*$/s.exec(answer) ?? [];
    return parentId === undefined ? undefined : { parentId: Number(parentId), sessionId: undefined, commandLine };
  } catch {
    return undefined;
  }
}
