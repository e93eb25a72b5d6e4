// `node --import ./scripts/load-typescript.ts FILE.ts` runs the TypeScript of this repository without a build. Node
// itself erases types and caches compiled code. This file adds what Node does not do: it resolves the name `x.js` to
// `x.ts`, and compiles the sources for which erasing types is not enough.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, enableCompileCache, registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = new URL('..', import.meta.url).href;
const cacheFolder = fileURLToPath(new URL('node_modules/.cache/streamgate', root));
/** JSX, a decorator, or a property that is declared as a parameter of a constructor. */
const NEEDS_COMPILER =
  /^\s*@\w+\(|\bconstructor\(\s*(?:(?:[^(){}]|\{[^{}]*\}|\([^()]*\))*,\s*)?(?:readonly|private|protected|public|override)\s+\w+[\w\s]*[?:=,)]/m;
const COMPILER_OPTIONS = {
  experimentalDecorators: true,
  useDefineForClassFields: false,
  verbatimModuleSyntax: true,
  jsx: 'react-jsx',
} as const;

const isOurs = (url: string | undefined): boolean =>
  url !== undefined && url.startsWith(root) && !url.includes('/node_modules/');

enableCompileCache(join(cacheFolder, 'node'));
registerHooks({
  resolve(specifier, context, next) {
    if (!isOurs(context.parentURL) || !/^(?:\.|file:).*\.js$/.test(specifier)) return next(specifier, context);
    try {
      return next(specifier.replace(/\.js$/, '.ts'), context);
    } catch (error) {
      // The file may be JavaScript.
      if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
      return next(specifier, context);
    }
  },
  load(url, context, next) {
    if (!isOurs(url) || !/\.tsx?(?:\?|$)/.test(url)) return next(url, context);
    const path = fileURLToPath(url);
    const source = readFileSync(path, 'utf8');
    if (!path.endsWith('.tsx') && !NEEDS_COMPILER.test(source)) return next(url, context);
    return { format: 'module', source: compile(path, source), shortCircuit: true };
  },
});

/** Compiles a source, or takes the result from the cache. */
function compile(path: string, source: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([COMPILER_OPTIONS, source]))
    .digest('hex');
  const cached = join(cacheFolder, `${hash}.js`);
  try {
    return readFileSync(cached, 'utf8');
  } catch {
    const { transformSync } = createRequire(import.meta.url)('esbuild');
    const { code } = transformSync(source, {
      loader: path.endsWith('.tsx') ? 'tsx' : 'ts',
      target: 'es2023',
      tsconfigRaw: { compilerOptions: COMPILER_OPTIONS },
    });
    mkdirSync(cacheFolder, { recursive: true });
    // Several processes may compile the same file. A rename is atomic, a write is not.
    const ours = `${cached}.${process.pid}`;
    writeFileSync(ours, code);
    renameSync(ours, cached);
    return code;
  }
}
