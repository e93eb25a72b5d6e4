import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin, type Rollup, type UserConfig } from 'vite';
import { minifiedTemplates } from './scripts/minify-templates.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const outDir = at('server/dist/public');

/**
 * What the server hands to browsers, in server/dist/public: the pages with their hashed assets; in mode `viewer` the
 * page that people wait in front of, with all that it loads written into it; in mode `cdn` the one file for script
 * tags; and in mode `i18n` the languages that go with it. (What npm gets is compiled by tsc, file by file.)
 */
export default defineConfig(({ mode }) => {
  if (mode === 'cdn') return scriptFile;
  if (mode === 'i18n') return languages;
  if (mode !== 'viewer') return pages(['api', 'broadcaster', 'dashboard']);
  const page = pages(['viewer'], inlined);
  // What is loaded when it is needed is needed at once here.
  page.build!.rollupOptions!.output = { codeSplitting: false };
  return page;
});

const scriptFile: UserConfig = {
  publicDir: false,
  plugins: [minifiedTemplates],
  build: {
    outDir,
    emptyOutDir: false,
    target: 'es2022',
    // Not `lib`: it leaves the whitespace in.
    rollupOptions: {
      input: at('src/cdn.ts'),
      preserveEntrySignatures: 'strict',
      output: { format: 'es', entryFileNames: 'streamgate.js', codeSplitting: false },
    },
  },
};

/** What every language needs, once for each of them: so each is one file, of which one hash says all. */
const copied: Plugin = {
  name: 'copied',
  enforce: 'pre',
  resolveId(source, importer) {
    const language = importer && /\/src\/i18n\/(\w+)\.ts$/.exec(importer)?.[1];
    return language && `${at(`src/i18n/${source.replace(/\.js$/, '.ts')}`)}?${language}`;
  },
};

/** Each by itself, at an address that stays. */
const languages: UserConfig = {
  publicDir: false,
  plugins: [copied],
  build: {
    outDir,
    emptyOutDir: false,
    target: 'es2022',
    rollupOptions: {
      input: readdirSync(at('src/i18n')).map((file) => at(`src/i18n/${file}`)),
      output: { format: 'es', entryFileNames: 'i18n/[name].js' },
    },
  },
};

function pages(names: readonly string[], ...plugins: Plugin[]): UserConfig {
  return {
    root: at('src/pages'),
    publicDir: false,
    plugins: [minifiedTemplates, ...plugins],
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2022',
      // The polyfill is an inline script, which the pages' CSP forbids; every browser we support preloads.
      modulePreload: { polyfill: false },
      // A data: URL would be one more source for the CSP to allow.
      assetsInlineLimit: 0,
      rollupOptions: { input: names.map((page) => at(`src/pages/${page}.html`)) },
    },
  };
}

/** Writes a page's script and styles into it: what need not be asked for first is there a round trip sooner. */
const inlined: Plugin = {
  name: 'inlined',
  // After Vite's own: until then, what loads a module later has a placeholder in it.
  generateBundle: { order: 'post', handler: writeIn },
};

function writeIn(_options: unknown, bundle: Rollup.OutputBundle): void {
  const taken = new Set<string>();
  const take = (file: string): string => {
    taken.add(file.slice(1));
    const part = bundle[file.slice(1)]!;
    return part.type === 'chunk' ? part.code : String(part.source);
  };
  const page = bundle['viewer.html'] as Rollup.OutputAsset;
  page.source = String(page.source)
    // As text of a script, these two would end or change it (HTML 4.12.1.3).
    .replace(/<script [^>]*src="([^"]+)"><\/script>/g, (_, file: string) => {
      const script = take(file).replace(/<(?=!--|\/?script)/gi, '\\x3C');
      return `<script type="module">${script}</script>`;
    })
    .replace(/<link rel="stylesheet"[^>]*href="([^"]+)">/g, (_, file: string) => `<style>${take(file)}</style>`);
  for (const file of taken) delete bundle[file];
}
