import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { analyzeTags } from '../scripts/editor-data/analyze-tags.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const server = 'http://localhost:8080';

/** The modules that the demo replaces, so that it works without a server, a camera and a microphone. */
const SIMULATED = /\/client\/(?:viewer|broadcaster)\/(viewer|broadcaster|capture)\.js$/;

/**
 * Replaces these modules only in imports of the tags. The replacements extend the original classes, and simulate only if
 * the endpoint names a scenario. The published package contains none of this.
 */
const simulation: Plugin = {
  name: 'simulation',
  enforce: 'pre',
  resolveId(source, importer = '') {
    const simulated = /\/src\/elements\//.test(importer) ? SIMULATED.exec(source)?.[1] : undefined;
    return simulated && at(`simulation/${simulated}.ts`);
  },
};

/** Provides the tags of the custom elements manifest, so that the playground is complete. */
const manifest: Plugin = {
  name: 'manifest',
  resolveId: (source) => (source === 'virtual:tags' ? source : undefined),
  async load(id) {
    return id === 'virtual:tags' ? `export const tags = ${JSON.stringify(await analyzeTags())}` : undefined;
  },
};

/** The playground. With `npm run dev` it can also use a server that was started with `npm start`. */
export default defineConfig({
  root: at('.'),
  base: './',
  plugins: [simulation, manifest],
  // Without the pages of demo/frameworks.
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
