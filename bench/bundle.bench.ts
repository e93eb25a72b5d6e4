import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import type { BenchResult } from './bench-result.js';

const src = fileURLToPath(new URL('../src/', import.meta.url));

/** What a consumer would write, each alone in an application. */
const apps = {
  viewer: `import '${src}define/stream-viewer.ts';`,
  bothTags: `import '${src}define.ts';`,
  headless: `import { Viewer, Broadcaster } from '${src}index.ts'; window.app = [new Viewer(), new Broadcaster()];`,
  frame: `import { StreamFrame } from '${src}frame.ts'; window.app = StreamFrame;`,
  millicastView: `import { View, Director } from '@millicast/sdk'; window.app = [View, Director];`,
};

/** Gzip bytes of a consumer's bundled, minified application; lit, zod and everything else included. */
export async function bundleBytes(app: keyof typeof apps): Promise<number> {
  // Inside the repository, so that its tsconfig and its node_modules hold for the application too.
  const root = await mkdtemp(fileURLToPath(new URL('../dist-bundle-', import.meta.url)));
  try {
    await writeFile(`${root}/index.html`, '<script type="module" src="./app.ts"></script>');
    await writeFile(`${root}/app.ts`, apps[app]);
    const result = await build({
      root,
      configFile: false,
      logLevel: 'error',
      build: { write: false, target: 'es2022', modulePreload: { polyfill: false } },
    });
    if (Array.isArray(result) || !('output' in result)) throw new Error('vite answered more than one build');
    return result.output.reduce((sum, part) => sum + (part.type === 'chunk' ? gzipSync(part.code).length : 0), 0);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** What a page pays for a viewer: ours with its whole interface, against the market's with none. */
export async function run(): Promise<BenchResult> {
  const bytes = {
    viewer: await bundleBytes('viewer'),
    bothTags: await bundleBytes('bothTags'),
    headless: await bundleBytes('headless'),
    millicastView: await bundleBytes('millicastView'),
  };
  return {
    name: 'bundle',
    ratio: bytes.viewer / bytes.millicastView,
    against: "an application with @millicast/sdk's View",
    figures: {
      viewerGzipBytes: bytes.viewer,
      bothTagsGzipBytes: bytes.bothTags,
      headlessGzipBytes: bytes.headless,
      millicastViewGzipBytes: bytes.millicastView,
    },
  };
}
