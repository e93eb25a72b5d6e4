import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failuresInOutput } from '../../scripts/test-run/failures-in-output.js';

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);

describe('what failed in the output of a stage', () => {
  it('is the list of failed tests that node:test prints, of each of its processes', () => {
    const output = [
      '✔ one',
      '✖ failing tests:',
      '',
      'test at a.ts',
      '✔ two',
      '✖ failing tests:',
      '',
      'test at b.ts',
      '',
    ];
    assert.equal(failuresInOutput(output.join('\n')), 'test at a.ts\n✔ two\n\ntest at b.ts');
  });

  it('is the end of the output of a runner without such a list', () => {
    const shown = failuresInOutput(`${lines(500).join('\n')}\n\n`).split('\n');
    assert.deepEqual([shown.length, shown.at(-1)], [80, 'line 500']);
  });

  it('is the beginning of a list that is too long', () => {
    const shown = failuresInOutput(`✖ failing tests:\n\n${lines(500).join('\n')}`).split('\n');
    assert.deepEqual([shown.length, shown[0]], [80, 'line 1']);
  });
});
