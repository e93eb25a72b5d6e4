import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TreeCpu } from '../../scripts/test-run/tree-cpu.js';

const aProcess = (pid: number, parent: number, seconds: number, started = `${pid}`) => ({
  pid,
  parent,
  seconds,
  started,
});

describe('the CPU time of a command', () => {
  it('has that of all processes that it has started, and of no others', () => {
    const cpu = new TreeCpu(10);
    cpu.sample([
      aProcess(1, 0, 100),
      aProcess(10, 1, 1),
      aProcess(11, 10, 2),
      aProcess(12, 11, 4),
      aProcess(13, 1, 50),
    ]);
    assert.equal(cpu.seconds, 7);
  });

  it('has that of processes that have ended, or whose parent has', () => {
    const cpu = new TreeCpu(10);
    cpu.sample([aProcess(10, 1, 1), aProcess(11, 10, 2), aProcess(12, 11, 4)]);
    cpu.sample([aProcess(10, 1, 1), aProcess(12, 1, 6), aProcess(13, 12, 1)]);
    assert.equal(cpu.seconds, 10);
    cpu.sample([]);
    assert.equal(cpu.seconds, 10);
  });

  it('has none of another process that has the number of one that has ended', () => {
    const cpu = new TreeCpu(10);
    cpu.sample([aProcess(10, 1, 1), aProcess(11, 10, 2)]);
    cpu.sample([aProcess(10, 1, 1), aProcess(11, 1, 70, 'later')]);
    assert.equal(cpu.seconds, 3);
  });
});
