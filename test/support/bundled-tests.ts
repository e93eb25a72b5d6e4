import { globSync } from 'node:fs';
import type { TestRunnerPlugin } from '@web/test-runner';
import { build } from 'vite';

/**
 * Bundles all test files once, at the start. What several of them use is in common files. Without this, each page would
 * load hundreds of modules, and the server would compile and resolve them.
 * @param root of the repository
 */
export function bundledTests(root: string, pattern: string): TestRunnerPlugin {
  let scripts = new Map<string, string>();
  return {
    name: 'bundled-tests',
    async serverStart() {
      scripts = await bundle(root, globSync(pattern, { cwd: root }));
    },
    serve({ path }) {
      const body = scripts.get(path);
      return body === undefined ? undefined : { body, type: path.endsWith('.map') ? 'json' : 'js' };
    },
  };
}

/** The scripts and their source maps by path; that of a test file is the path of the file. */
async function bundle(root: string, files: readonly string[]): Promise<Map<string, string>> {
  const result = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"development"' },
    resolve: { conditions: ['browser', 'development', 'module'] },
    build: {
      write: false,
      target: 'es2022',
      minify: false,
      // In files of their own, which are read only when a test fails.
      sourcemap: true,
      modulePreload: false,
      rollupOptions: {
        input: Object.fromEntries(files.map((file) => [file.replace(/\.ts$/, ''), file])),
        // Served by the test runner.
        external: /^\/__web-dev-server__/,
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: '[name].ts', chunkFileNames: 'bundled/[name]-[hash].js' },
      },
    },
  });
  if (Array.isArray(result) || !('output' in result)) throw new Error('vite returned more than one build');
  return new Map(
    result.output.map((part) => [`/${part.fileName}`, part.type === 'chunk' ? part.code : String(part.source)]),
  );
}
