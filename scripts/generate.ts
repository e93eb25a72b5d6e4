// `npm run generate`: writes what follows from the classes of the tags. Their docs are the only source.
// `test/docs/generated.test.ts` fails while what is written differs.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatedFiles } from './editor-data/generated-files.ts';
import { root } from './run-command.ts';

for (const [path, text] of await generatedFiles()) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  process.stdout.write(`wrote ${path}\n`);
}
