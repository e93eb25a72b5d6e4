import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { minifyHTMLLiterals } from 'minify-literals';
import type { Plugin } from 'vite';

/** A single space stays where there was white space: two inline elements with none between them would touch. */
const HTML = {
  collapseWhitespace: true,
  conservativeCollapse: true,
  removeComments: true,
  caseSensitive: true,
  keepClosingSlash: true,
};

/** The code with the white space and comments taken out of its `html`, `svg` and `css` templates. */
async function minifyTemplates(code: string, fileName: string): Promise<string> {
  const minified = await minifyHTMLLiterals(code, { fileName, html: HTML, sourceMap: false });
  return minified?.code ?? code;
}

/** Minifies the templates of all compiled files in `folder`: bundlers do not, and indentation is a fortieth of a tag. */
export async function minifyTemplatesIn(folder: string): Promise<void> {
  for (const file of globSync('**/*.js', { cwd: folder })) {
    const path = join(folder, file);
    const code = readFileSync(path, 'utf8');
    const minified = await minifyTemplates(code, path);
    if (minified !== code) writeFileSync(path, minified);
  }
}

/** The same for what Vite bundles from the sources. */
export const minifiedTemplates: Plugin = {
  name: 'minified-templates',
  transform: {
    filter: { id: /\/src\/.+\.ts$/ },
    handler: (code, id) => minifyTemplates(code, id),
  },
};
