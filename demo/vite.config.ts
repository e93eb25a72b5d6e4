import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { analyzeTags } from '../scripts/editor-data/analyze-tags.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const server = 'http://localhost:8080';

/** Of what the tags import, that which the demo can play without a server, a camera and a microphone. */
const PLAYED = /\/client\/(?:viewer|broadcaster)\/(viewer|broadcaster|capture)\.js$/;

/**
 * Gives the tags, and nothing else, the demo's doubles of what talks to the world. They are made of the real ones, and
 * are those as long as nobody asks for a play: the tags know nothing of it, and what consumers bundle has nothing in it.
 */
const simulation: Plugin = {
  name: 'simulation',
  enforce: 'pre',
  resolveId(source, importer = '') {
    const double = /\/src\/elements\//.test(importer) ? PLAYED.exec(source)?.[1] : undefined;
    return double && at(`simulation/${double}.ts`);
  },
};

/** What the custom elements manifest says of the tags, so that the playground forgets nothing. */
const manifest: Plugin = {
  name: 'manifest',
  resolveId: (source) => (source === 'virtual:tags' ? source : undefined),
  async load(id) {
    return id === 'virtual:tags' ? `export const tags = ${JSON.stringify(await analyzeTags())}` : undefined;
  },
};

/** The playground; with `npm run dev`, against a server started with `npm start`. */
export default defineConfig({
  root: at('.'),
  base: './',
  plugins: [simulation, manifest],
  // Not those of the applications beside it.
  optimizeDeps: { entries: ['index.html', 'state.html'] },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': { target: server, changeOrigin: false },
      '/ws': { target: server, ws: true },
    },
  },
  build: {
    outDir: at('dist'),
    emptyOutDir: true,
    target: 'es2022',
    rollupOptions: { input: ['index', 'state'].map((page) => at(`${page}.html`)) },
  },
});
