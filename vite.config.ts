import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin, type Rollup, type UserConfig } from 'vite';
import { minifiedTemplates } from './scripts/minify-templates.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const outDir = at('server/dist/public');

/**
 * Builds what the server serves to browsers, in server/dist/public. Without a mode: the pages with their hashed assets.
 * Mode `viewer`: the viewer page, with its scripts and styles inlined. Mode `cdn`: the file for script tags. Mode `i18n`:
 * its languages. Mode `hls`: the player for browsers without HLS, which is never part of another file. The npm package is compiled by tsc, file by file.
 */
export default defineConfig(({ mode }) => {
  if (mode === 'cdn') return scriptFile;
  if (mode === 'i18n') return languages;
  if (mode === 'hls') return hlsPlayer;
  if (mode !== 'viewer') return pages(['api', 'broadcaster', 'dashboard', 'scheduled']);
  const page = pages(['viewer'], inlined, hlsBeside);
  // This page needs its lazy modules at once.
  page.build!.rollupOptions!.output = { codeSplitting: false };
  return page;
});

const HLS_PLAYER = 'hls-player.js';

/** Of files in one piece: the player for browsers without HLS stays a file of its own, in the same folder. */
const hlsBeside: Plugin = {
  name: 'hls-beside',
  enforce: 'pre',
  resolveId: (source) => (source === `./${HLS_PLAYER}` ? { id: source, external: true } : undefined),
};

const hlsPlayer: UserConfig = {
  publicDir: false,
  build: {
    outDir,
    emptyOutDir: false,
    target: 'es2022',
    rollupOptions: {
      input: at('src/elements/viewer/rewind/hls-player.ts'),
      preserveEntrySignatures: 'strict',
      output: {
        format: 'es',
        entryFileNames: HLS_PLAYER,
        codeSplitting: false,
        // Apache License 2.0, section 4: a copy keeps its notice.
        postBanner:
          '/*! Contains hls.js, Copyright (c) 2017 Dailymotion, Apache-2.0: https://github.com/video-dev/hls.js */',
      },
    },
  },
};

const scriptFile: UserConfig = {
  publicDir: false,
  plugins: [minifiedTemplates, hlsBeside],
  build: {
    outDir,
    emptyOutDir: false,
    target: 'es2022',
    // `lib` would keep the white space.
    rollupOptions: {
      input: at('src/cdn.ts'),
      preserveEntrySignatures: 'strict',
      output: { format: 'es', entryFileNames: 'streamgate.js', codeSplitting: false },
    },
  },
};

/** Gives each language its own copy of the shared modules, so that each is one file with one hash. */
const copied: Plugin = {
  name: 'copied',
  enforce: 'pre',
  resolveId(source, importer) {
    const language = importer && /\/src\/i18n\/(\w+)\.ts$/.exec(importer)?.[1];
    return language && `${at(`src/i18n/${source.replace(/\.js$/, '.ts')}`)}?${language}`;
  },
};

/** Each language is a file with a stable name. */
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
      // The polyfill is an inline script, which the pages' CSP forbids. Every supported browser preloads.
      modulePreload: { polyfill: false },
      // The CSP would have to allow data: URLs.
      assetsInlineLimit: 0,
      rollupOptions: { input: names.map((page) => at(`src/pages/${page}.html`)) },
    },
  };
}

/** Inlines the script and styles of a page, which saves a round trip. */
const inlined: Plugin = {
  name: 'inlined',
  // Runs after Vite's plugins, which replace the placeholders of dynamic imports.
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
    // These two would end or change an inline script (HTML 4.12.1.3).
    .replace(/<script [^>]*src="([^"]+)"><\/script>/g, (_, file: string) => {
      const script = take(file).replace(/<(?=!--|\/?script)/gi, '\\x3C');
      return `<script type="module">${script}</script>`;
    })
    .replace(/<link rel="stylesheet"[^>]*href="([^"]+)">/g, (_, file: string) => `<style>${take(file)}</style>`);
  for (const file of taken) delete bundle[file];
}
