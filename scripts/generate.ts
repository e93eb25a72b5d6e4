// `npm run generate` writes all generated files: those of the catalogues of texts, those of the classes of the tags
// and their doc comments, and the pages of all calls and commands. `test/scripts/messages/message-files.test.ts` and
// `test/docs/generated.test.ts` fail if a file is out of date.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readAreas } from './messages/catalogue.ts';
import { messageFiles } from './messages/message-files.ts';
import { root } from './run-command.ts';

write(messageFiles(readAreas()));
// Resolves the imports of the server's endpoints and commands.
await import(new URL('load-typescript.js', import.meta.url).href);
// The classes are read with the texts, which may have been missing.
const { generatedFiles } = await import('./editor-data/generated-files.ts');
write(await generatedFiles());

function write(files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    process.stdout.write(`wrote ${path}\n`);
  }
}
