import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';

const ROOT = join(import.meta.dirname, '../../..');

interface Script {
  readonly name: string;
  readonly code: string;
}

/**
 * Bundles an application that imports the built package by its export names.
 * @returns its scripts; the page loads the first
 */
export async function bundled(source: string): Promise<readonly Script[]> {
  const { exports } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const result = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'consumer',
        resolveId(id) {
          if (id === 'app') return '\0app';
          const target = id.startsWith('streamgate') && exports[id.replace('streamgate', '.')];
          return target ? join(ROOT, target.default) : undefined;
        },
        load: (id) => (id === '\0app' ? source : undefined),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      modulePreload: { polyfill: false },
      rollupOptions: { input: 'app', preserveEntrySignatures: 'strict' },
    },
  });
  if (Array.isArray(result) || !('output' in result)) throw new Error('vite returned more than one build');
  return result.output.flatMap((part) => (part.type === 'chunk' ? { name: part.fileName, code: part.code } : []));
}
