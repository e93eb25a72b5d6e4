import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commandOf, selectionOf } from '../../scripts/test-run/selection.js';
import type { Stage } from '../../scripts/test-stages.js';

const aStage = (name: string, ...files: string[]): Stage => ({
  name,
  jobs: () => [],
  ...(files.length > 0 && { files: () => files }),
});
const STAGES = [
  aStage('lint'),
  aStage('elements', 'a.ts', 'b.ts'),
  aStage('firefox', 'a.ts', 'b.ts'),
  aStage('unit', 'u.ts'),
];
const selected = (names: string[], ...files: string[]) =>
  selectionOf(STAGES, names, files).map(({ stage, files }) => [stage.name].concat(files));

describe('the selection of what is run', () => {
  it('has all files of a stage that is named', () => {
    assert.deepEqual(selected(['unit', 'lint']), [['lint'], ['unit', 'u.ts']]);
  });

  it('has files in the first stage that runs them', () => {
    assert.deepEqual(selected([], 'b.ts', 'u.ts'), [
      ['elements', 'b.ts'],
      ['unit', 'u.ts'],
    ]);
  });

  it('has files in the stage that is named with them', () => {
    assert.deepEqual(selected(['firefox'], 'b.ts'), [['firefox', 'b.ts']]);
    assert.deepEqual(selected(['lint', 'firefox'], 'u.ts', 'a.ts'), [['lint'], ['firefox', 'a.ts'], ['unit', 'u.ts']]);
  });

  it('has no unknown names and files', () => {
    assert.throws(() => selected(['units']), /no stage or test file units\. The stages are: lint, elements/);
    assert.throws(() => selected([], 'c.ts'), /No stage has the test file c\.ts/);
  });
});

describe('the command that runs a failed test again', () => {
  it('names its file, and the stage if another stage would run it', () => {
    assert.equal(commandOf(STAGES, 'elements', ['a.ts']), 'npm test -- a.ts');
    assert.equal(commandOf(STAGES, 'firefox', ['a.ts', 'b.ts']), 'npm test -- firefox a.ts b.ts');
  });

  it('names the stage if no file is known', () => {
    assert.equal(commandOf(STAGES, 'lint', []), 'npm test -- lint');
  });
});
