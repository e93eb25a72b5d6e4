import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { findPackageManager, watchPackageManager } from '../../../server/parent-process/package-manager.js';
import type { ProcessTable, RunningProcess } from '../../../server/parent-process/process-table.js';

const SERVER = 50;

/** The processes of a machine: the parent of each one is the one before it, in the same session. */
class Machine implements ProcessTable {
  readonly #processes = new Map<number, RunningProcess>();
  readonly self = { pid: SERVER, ppid: 0 };

  constructor(...commandLines: readonly string[]) {
    [...commandLines, 'node streamgate.js'].forEach((commandLine, index, all) => {
      const id = index === all.length - 1 ? SERVER : index + 1;
      this.#processes.set(id, { parentId: index, sessionId: 1, commandLine });
      if (id === SERVER) this.self.ppid = index;
    });
  }

  find(id: number): RunningProcess | undefined {
    return this.#processes.get(id);
  }

  isRunning(id: number): boolean {
    return this.#processes.has(id);
  }

  change(id: number, change: Partial<RunningProcess>): void {
    this.#processes.set(id, { ...this.#processes.get(id)!, ...change });
  }

  end(id: number): void {
    this.#processes.delete(id);
    if (this.self.ppid === id) this.self.ppid = 1;
  }
}

const env = { npm_lifecycle_event: 'start' };
const runOf = (machine: Machine) => findPackageManager({ env, processes: machine, self: machine.self });

describe('findPackageManager', () => {
  for (const name of [
    'npm start',
    'npm exec streamgate',
    'npx',
    'node /usr/lib/node_modules/npm/bin/npm-cli.js start',
    '/usr/bin/node /usr/bin/yarn start',
    'node /home/a/.cache/node/corepack/v1/pnpm/9.0.0/bin/pnpm.cjs run start',
    'bun run start',
  ]) {
    it(`returns the processes up to ${name}`, () => {
      assert.deepEqual(runOf(new Machine('init', '-bash', name, 'sh -c node streamgate.js')), [4, 3]);
    });
  }

  it('includes tools between npm and the server', () => {
    const machine = new Machine(
      'init',
      'npm run dev',
      'sh -c concurrently a b',
      'node concurrently',
      'sh -c streamgate',
    );
    assert.deepEqual(runOf(machine), [5, 4, 3, 2]);
  });

  it('returns undefined for a server that no package manager started', () => {
    const machine = new Machine('init', 'npm start', 'sh -c node streamgate.js');
    assert.equal(findPackageManager({ env: {}, processes: machine, self: machine.self }), undefined);
  });

  it('returns undefined if only the variables of npm were inherited: a service, a daemon, a folder named npm', () => {
    for (const ancestors of [[], ['systemd'], ['init', 'PM2 v6: God Daemon'], ['init', 'bash /opt/npm/run.sh']]) {
      assert.equal(runOf(new Machine(...ancestors)), undefined);
    }
  });

  it('returns undefined for a server that was detached from its session, or whose parent has ended', () => {
    const detached = new Machine('init', 'npm start', 'sh -c setsid node streamgate.js');
    detached.change(SERVER, { sessionId: SERVER });
    assert.equal(runOf(detached), undefined);
    const left = new Machine('init', 'npm start', 'sh -c nohup node streamgate.js &');
    left.end(3);
    assert.equal(runOf(left), undefined);
  });
});

describe('watchPackageManager', () => {
  let machine: Machine;
  let gone = 0;
  let unwatch: () => void;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval'] });
    machine = new Machine('init', 'npm start', 'sh -c node streamgate.js');
    gone = 0;
    unwatch = watchPackageManager(runOf(machine)!, () => (gone += 1), { processes: machine, self: machine.self });
  });
  afterEach(() => {
    unwatch();
    mock.timers.reset();
  });

  it('does not call onGone while the processes run', () => {
    mock.timers.tick(60_000);
    assert.equal(gone, 0);
  });

  for (const [name, id] of [
    ['npm', 2],
    ['the shell of npm', 3],
  ] as const) {
    it(`calls onGone once, within a second, when ${name} has ended`, () => {
      machine.end(id);
      mock.timers.tick(1_000);
      assert.equal(gone, 1);
      mock.timers.tick(60_000);
      assert.equal(gone, 1);
    });
  }

  it('does not call onGone after the watch was stopped', () => {
    unwatch();
    machine.end(2);
    mock.timers.tick(60_000);
    assert.equal(gone, 0);
  });
});
