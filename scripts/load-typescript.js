// `node --import ./scripts/load-typescript.js FILE.ts` runs the TypeScript of this repository without a build. It
// erases types as Node does, compiles the sources for which that is not enough, and resolves the name `x.js` to `x.ts`.
// It is JavaScript, and keeps its results in files, because every test process would need 0.15 s more: Node loads the
// code that erases types for the first TypeScript file, and the sandbox of media processes turns Node's own cache off.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, enableCompileCache, registerHooks, stripTypeScriptTypes } from 'node:module';
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
};
/** What a result depends on, beside the source. */
const COMPILERS = JSON.stringify([process.version, COMPILER_OPTIONS]);

/** @param {string | undefined} url */
const isOurs = (url) => url !== undefined && url.startsWith(root) && !url.includes('/node_modules/');

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
    return { format: 'module', source: javascriptOf(fileURLToPath(url)), shortCircuit: true };
  },
});

/**
 * Compiles a file, or takes the result from the cache.
 * @param {string} path
 */
function javascriptOf(path) {
  const source = readFileSync(path, 'utf8');
  const hash = createHash('sha256').update(COMPILERS).update(path.slice(-4)).update(source).digest('hex');
  const cached = join(cacheFolder, `${hash}.js`);
  try {
    return readFileSync(cached, 'utf8');
  } catch {
    const code = path.endsWith('.tsx') || NEEDS_COMPILER.test(source) ? compile(path, source) : erase(source);
    keep(cached, code);
    return code;
  }
}

/**
 * Erases types. Line and column of what is left stay the same.
 * @param {string} source
 */
function erase(source) {
  const { emitWarning } = process;
  // That the function is experimental would be in the output of every test.
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}

/**
 * @param {string} path
 * @param {string} source
 */
function compile(path, source) {
  const { transformSync } = createRequire(import.meta.url)('esbuild');
  return transformSync(source, {
    loader: path.endsWith('.tsx') ? 'tsx' : 'ts',
    target: 'es2023',
    tsconfigRaw: { compilerOptions: COMPILER_OPTIONS },
  }).code;
}

/**
 * @param {string} file
 * @param {string} code
 */
function keep(file, code) {
  // Several processes may compile the same file. A rename is atomic, a write is not.
  const ours = `${file}.${process.pid}`;
  try {
    mkdirSync(cacheFolder, { recursive: true });
    writeFileSync(ours, code);
    renameSync(ours, file);
  } catch (error) {
    // A media process may not write. Its files are kept when another process loads them.
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_ACCESS_DENIED')) throw error;
  }
}
