// `npm run generate` writes all files that are generated from the classes of the tags and their doc comments.
// `test/docs/generated.test.ts` fails if a file is out of date.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatedFiles } from './editor-data/generated-files.ts';
import { root } from './run-command.ts';

for (const [path, text] of await generatedFiles()) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  process.stdout.write(`wrote ${path}\n`);
}
