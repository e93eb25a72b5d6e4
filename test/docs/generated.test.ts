import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { generatedFiles } from '../../scripts/editor-data/generated-files.js';

const ROOT = join(import.meta.dirname, '../..');

describe('the files generated from the classes of the tags and the pages of errors', async () => {
  for (const [path, text] of await generatedFiles()) {
    it(`${path} is up to date (npm run generate)`, () => {
      assert.equal(readFileSync(join(ROOT, path), 'utf8'), text);
    });
  }
});
