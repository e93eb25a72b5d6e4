import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filesReaching } from '../../scripts/test-run/reached-files.js';

const FILES = {
  'docs/errors/token-expired.md': '',
  'server/app.ts': `import { rule } from './rules/rule.js';`,
  'server/rules/rule.ts': `import type { Token } from '../token.js';\nexport const rule = 1;`,
  'server/token.ts': 'export interface Token {}',
  'server/worker.ts': '',
  'server/media.ts': `new Worker(new URL('./worker.js', import.meta.url));`,
  'src/view.tsx': '',
  'test/docs/errors.test.ts': `readdirSync(join(ROOT, 'docs/errors')); import { of } from '../support/text.js';`,
  'test/docs/routes.test.ts': `readdirSync('server');`,
  'test/server/app.test.ts': `const { app } = await import('../../server/app.js');`,
  'test/server/media.test.ts': `import '../../server/media.js'; const kind = 'server';`,
  'test/support/text.ts': '',
  'test/view.test.ts': `import { view } from '../src/view.js'; // '../' and './' are no names`,
};
const reaching = (...changed: string[]) =>
  [...filesReaching(new Set(changed), new Map(Object.entries(FILES)))]
    .filter((file) => file.endsWith('.test.ts'))
    .sort();

describe('the test files that a change reaches', () => {
  it('import the changed file, over any number of files', () => {
    assert.deepEqual(reaching('server/rules/rule.ts'), ['test/docs/routes.test.ts', 'test/server/app.test.ts']);
    assert.deepEqual(reaching('src/view.tsx'), ['test/view.test.ts']);
  });

  it('name the changed file, or a folder that has it', () => {
    assert.deepEqual(reaching('server/worker.ts'), ['test/docs/routes.test.ts', 'test/server/media.test.ts']);
    assert.deepEqual(reaching('docs/errors/token-expired.md'), ['test/docs/errors.test.ts']);
  });

  it('are not those that need its types only, or say a word that is a folder too', () => {
    assert.deepEqual(reaching('server/token.ts'), ['test/docs/routes.test.ts']);
  });

  it('are the changed files themselves, and none if nothing has changed', () => {
    assert.deepEqual(reaching('test/view.test.ts'), ['test/view.test.ts']);
    assert.deepEqual(reaching(), []);
  });
});
