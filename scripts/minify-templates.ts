import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { minifyHTMLLiterals } from 'minify-literals';
import type { Plugin } from 'vite';

/** Removes white space and comments from `html`, `svg` and `css` templates. Keeps a space between inline elements. */
async function minifyTemplates(code: string, fileName: string): Promise<string> {
  const minified = await minifyHTMLLiterals(code, { fileName, sourceMap: false });
  return minified?.code ?? code;
}

/** Minifies the templates of all compiled files in `folder`. Bundlers minify no templates. */
export async function minifyTemplatesIn(folder: string): Promise<void> {
  for (const file of globSync('**/*.js', { cwd: folder })) {
    const path = join(folder, file);
    const code = readFileSync(path, 'utf8');
    const minified = await minifyTemplates(code, path);
    if (minified !== code) writeFileSync(path, minified);
  }
}

/** Minifies the templates of the sources that Vite bundles. */
export const minifiedTemplates: Plugin = {
  name: 'minified-templates',
  transform: {
    filter: { id: /\/src\/.+\.ts$/ },
    handler: (code, id) => minifyTemplates(code, id),
  },
};
