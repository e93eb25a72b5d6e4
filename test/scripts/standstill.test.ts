import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { activityOf, haveSlept, type Activity } from '../../scripts/test-run/standstill.js';

const aThread = (more: Partial<Activity> = {}): Activity => ({ pid: 7, state: 'S', ran: '1000', ...more });

describe('main threads have slept between two looks', () => {
  it('if none has run, waited for a core, begun or ended', () => {
    assert.ok(haveSlept([aThread(), aThread({ pid: 8 })], [aThread(), aThread({ pid: 8 })]));
    for (const other of [{ ran: '1001' }, { state: 'R' }, { state: 'D' }, { pid: 8 }]) {
      assert.ok(!haveSlept([aThread()], [aThread(other)]), JSON.stringify(other));
    }
    assert.ok(!haveSlept([aThread({ state: 'R' })], [aThread()]), 'it waited for a core');
    assert.ok(!haveSlept([aThread()], [aThread(), aThread({ pid: 8 })]), 'another has begun');
    assert.ok(!haveSlept([aThread(), aThread({ pid: 8 })], [aThread()]), 'one has ended');
  });

  it('only if there are any', () => {
    assert.ok(!haveSlept([], []));
  });

  it('is seen of a process that another has started, and not of one that computes', async () => {
    const shell = spawn('sh', ['-c', 'sleep 600 & echo; read line; while :; do :; done'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    try {
      await once(shell.stdout, 'data');
      const sleeping = activityOf(shell.pid!, 'sleep');
      assert.deepEqual(
        sleeping.map(({ state }) => state),
        ['S'],
      );
      assert.ok(haveSlept(sleeping, activityOf(shell.pid!, 'sleep')));
      const waiting = activityOf(shell.pid!, 'sh');
      shell.stdin.write('\n');
      let now = waiting;
      while (haveSlept(waiting, now)) now = activityOf(shell.pid!, 'sh');
      assert.equal(now.length, 1);
    } finally {
      for (const { pid } of activityOf(shell.pid!, 'sleep')) process.kill(pid, 'SIGKILL');
      shell.kill('SIGKILL');
    }
  });
});
