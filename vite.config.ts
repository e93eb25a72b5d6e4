import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const outDir = at('server/dist/public');

/**
 * What the server hands to browsers, in server/dist/public: the pages with their hashed assets, and in mode `cdn`
 * the one file for script tags. (What npm gets is compiled by tsc, file by file.)
 */
export default defineConfig(({ mode }) =>
  mode === 'cdn'
    ? {
        publicDir: false,
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
      }
    : {
        root: at('src/pages'),
        publicDir: false,
        build: {
          outDir,
          emptyOutDir: true,
          target: 'es2022',
          // The polyfill is an inline script, which the pages' CSP forbids; every browser we support preloads.
          modulePreload: { polyfill: false },
          // A data: URL would be one more source for the CSP to allow.
          assetsInlineLimit: 0,
          rollupOptions: { input: ['viewer', 'broadcaster', 'dashboard'].map((page) => at(`src/pages/${page}.html`)) },
        },
      },
);
