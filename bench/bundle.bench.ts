import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import type { BenchResult } from './bench-result.js';
import { installPeers } from './support/peers.js';
import { progress } from './support/progress.js';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const repository = fileURLToPath(new URL('../', import.meta.url));

/** Applications with one import each from the built package. Run `npm run build` first. */
const apps = {
  viewer: `import '${dist}define/stream-viewer.js';`,
  bothTags: `import '${dist}define.js';`,
  headless: `import { Viewer, Broadcaster } from '${dist}index.js'; window.app = [new Viewer(), new Broadcaster()];`,
  frame: `import { StreamFrame } from '${dist}frame.js'; window.app = StreamFrame;`,
  /** Has no user interface. */
  millicastView: `import { View, Director } from '@millicast/sdk'; window.app = [View, Director];`,
};

/** The same with packages of others, which are installed for this benchmark. */
const others = {
  /** Has no user interface. */
  livekitClient: `import { Room } from 'livekit-client'; window.app = new Room();`,
  /** A player with controls, for recordings and live video over HTTP. */
  muxPlayer: `import '@mux/mux-player';`,
  /** Controls without a player. */
  mediaChrome: `import 'media-chrome';`,
};

/** Gzip bytes of a consumer's bundled and minified application, with Lit and all other dependencies. */
export interface AppSize {
  /** All scripts, except the optional ones. */
  readonly bytes: number;
  /** The scripts that the page names. The first paint waits for them; the others are loaded when they are needed. */
  readonly firstBytes: number;
  /** The script that is loaded only by a page that uses it: the timeline, by `dvr`. */
  readonly optionalBytes: number;
  /** The script that is loaded when a visitor reaches for the settings of the viewer: quality, captions, statistics. */
  readonly openedBytes: number;
  /** The player for browsers without HLS, which they load when a visitor goes back. */
  readonly hlsBytes: number;
}

const OPTIONAL: ReadonlySet<string> = new Set(['settings', 'rewind', 'hls-player']);

export type App = keyof typeof apps;

export const sizeOf = (app: App): Promise<AppSize> => appSize(apps[app]);

/** @param parent the application is made in this folder, and resolves its packages from there */
async function appSize(code: string, parent = repository): Promise<AppSize> {
  const root = await mkdtemp(`${parent}/dist-bundle-`);
  try {
    await writeFile(`${root}/index.html`, '<script type="module" src="./app.ts"></script>');
    await writeFile(`${root}/app.ts`, code);
    const result = await build({
      root,
      configFile: false,
      logLevel: 'error',
      build: { write: false, target: 'es2022', modulePreload: { polyfill: false } },
    });
    if (Array.isArray(result) || !('output' in result)) throw new Error('vite returned more than one build');
    const scripts = result.output.flatMap((part) =>
      part.type === 'chunk' ? [{ name: part.name, bytes: gzipSync(part.code).length, isFirst: part.isEntry }] : [],
    );
    const sum = (some: typeof scripts) => some.reduce((total, { bytes }) => total + bytes, 0);
    return {
      bytes: sum(scripts.filter(({ name }) => !OPTIONAL.has(name))),
      firstBytes: sum(scripts.filter(({ isFirst }) => isFirst)),
      optionalBytes: sum(scripts.filter(({ name }) => name === 'rewind')),
      openedBytes: sum(scripts.filter(({ name }) => name === 'settings')),
      hlsBytes: sum(scripts.filter(({ name }) => name === 'hls-player')),
    };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Compares the size of our viewer, with its whole user interface, with the size of other packages. */
export async function run(): Promise<BenchResult> {
  const figures: Record<string, number> = {};
  const measure = async (name: string, code: string, parent?: string): Promise<void> => {
    const { bytes, firstBytes } = await appSize(code, parent);
    figures[`${name}GzipBytes`] = bytes;
    if (firstBytes < bytes) figures[`${name}FirstGzipBytes`] = firstBytes;
  };
  for (const [name, code] of Object.entries(apps)) {
    progress(`bundling ${name}`);
    await measure(name, code);
  }
  const players = await installPeers('players');
  for (const [name, code] of Object.entries(others)) {
    progress(`bundling ${name}`);
    await measure(name, code, players).catch((error: unknown) =>
      process.stderr.write(`${name} is not measured: ${String(error)}\n`),
    );
  }
  const against = (name: string, what: string) => {
    const bytes = figures[`${name}GzipBytes`];
    return bytes === undefined ? [] : [{ ratio: figures['viewerGzipBytes']! / bytes, against: what }];
  };
  return {
    name: 'bundle',
    ratio: figures['viewerGzipBytes']! / figures['millicastViewGzipBytes']!,
    against: "an application with @millicast/sdk's View",
    also: [
      ...against('livekitClient', 'an application with livekit-client, which has no user interface'),
      ...against('muxPlayer', 'an application with @mux/mux-player'),
      ...against('mediaChrome', 'an application with media-chrome, which has no player'),
    ],
    figures,
  };
}
