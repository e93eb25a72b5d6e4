import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const server = 'http://localhost:8080';

/** The demo against a server started with `npm start`. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': { target: server, changeOrigin: false },
      '/ws': { target: server, ws: true },
    },
  },
  build: { outDir: '../dist/demo', emptyOutDir: true, target: 'es2022' },
});
