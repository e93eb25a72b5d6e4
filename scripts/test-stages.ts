import { availableParallelism } from 'node:os';
import { build } from './build.ts';
import { findFirefox, installFirefox } from './find-firefox.ts';
import {
  commandOutcome,
  elementTests,
  filesMatching,
  nodeTests,
  playwrightTests,
  sharedNodeTests,
  type Outcome,
} from './test-runners.ts';

/** A part of the checks. `npm test -- NAME` runs one stage. */
export interface Stage {
  readonly name: string;
  /** The stages whose results this stage uses. */
  readonly after?: readonly string[];
  /** Whether the stage needs all processors, as tests with much real media do. No other stage runs beside it. */
  readonly runsAlone?: boolean;
  run(): Promise<Outcome>;
}

/** `npm test -- fast`: the checks of every change. */
export const FAST: readonly string[] = ['lint', 'types', 'unit', 'elements'];

/** The slowest files. They start first, because the stage ends with the slowest file. */
const SLOWEST = [
  'test/server/cluster/three-nodes.test.ts',
  'test/server/hostile-peers.test.ts',
  'test/server/media/embedded/worker/several-workers.test.ts',
  'test/server/database-outage.test.ts',
  'test/server/cli/cli.test.ts',
  'test/server/store/durability.test.ts',
  'test/server/several-processes.test.ts',
  'test/server/media/embedded/embedded-engine.test.ts',
  'test/server/npm-start.test.ts',
];
/** Tests of `node:test` with sockets, databases or processes. All others are unit tests. */
const SERVER = [
  ...SLOWEST,
  'test/server/*.test.ts',
  'test/server/{cli,cluster,guides,store}/**/*.test.ts',
  'test/server/ingest/{real-media,rtmp/rtmp-ingest,rtmp/rtmp-listener}.test.ts',
  'test/server/ingest/rtmp/transcoders/{find-transcoders,opus-transcoder}.test.ts',
  'test/server/rtmp/real-encoder.test.ts',
  'test/server/media/{lossy-network,janus/janus-engine,embedded/embedded-engine}.test.ts',
  'test/server/media/embedded/{frames/picture-size,relay/relay*,relay/server-relay,tap/open-tap}.test.ts',
  'test/server/media/embedded/transport/{ice-tcp-listener,udp-buffers,udp-port}.test.ts',
  'test/server/media/embedded/worker/{address-families,bad-input,server-relays,sfu,stray-packets}.test.ts',
  'test/server/media/embedded/worker/worker-{faults,process,sandbox}.test.ts',
  'test/server/parent-process/service-manager.test.ts',
  'test/server/recording/{supervised-process,hls/rewind-packaged,storage/part-restore}.test.ts',
  'test/server/recording/{packager,recorder}/*.test.ts',
  'test/server/upstream/upstream-{engine,streams}.test.ts',
  'test/bench/crowds/storm.test.ts',
  'test/deploy/{alerts,nginx}.test.ts',
];
const NODE = 'test/!(package|frameworks|support)/**/!(*.browser).test.ts';
const FIREFOX = ['--config', 'test/firefox/web-test-runner.config.mjs'];

/** Many unit tests wait more than they compute, so one more process runs than there are cores. */
const UNIT_PROCESSES = availableParallelism() + 1;

async function unitTests(): Promise<Outcome> {
  const others = new Set(filesMatching(...SERVER));
  return sharedNodeTests(
    filesMatching(NODE).filter((file) => !others.has(file)),
    UNIT_PROCESSES,
  );
}

async function inFirefox(tests: () => Promise<Outcome>): Promise<Outcome> {
  if (!findFirefox()) await installFirefox();
  return tests();
}

async function buildAll(): Promise<Outcome> {
  await build();
  return { passed: 1, failed: 0 };
}

/** All stages, in the order in which they start. Some that need no build wait for it, so that `media` starts early. */
export const stages: readonly Stage[] = [
  { name: 'build', run: buildAll },
  { name: 'lint', run: () => commandOutcome('oxlint', '--deny-warnings') },
  { name: 'types', run: () => commandOutcome('tsc', '-p', 'tsconfig.json') },
  { name: 'media', after: ['build'], runsAlone: true, run: () => playwrightTests('--project=media', '--workers=2') },
  // With more files at once, or more browsers beside them, servers are too busy to renew a lease in five seconds.
  { name: 'server', after: ['build'], run: () => nodeTests(filesMatching(...SERVER)) },
  { name: 'frameworks', after: ['build'], run: () => nodeTests(filesMatching('test/frameworks/*.test.ts')) },
  { name: 'pages', after: ['build'], run: () => playwrightTests('--project=pages') },
  {
    name: 'apps',
    after: ['frameworks'],
    run: () => playwrightTests('-c', 'test/frameworks/playwright.config.ts'),
  },
  { name: 'firefox', after: ['build'], run: () => inFirefox(() => elementTests(FIREFOX)) },
  { name: 'elements', after: ['build'], run: () => elementTests() },
  {
    name: 'firefox-media',
    after: ['build'],
    run: () => inFirefox(() => playwrightTests('-c', 'test/firefox/playwright.config.ts')),
  },
  { name: 'package', after: ['build'], run: () => nodeTests(filesMatching('test/package/**/*.test.ts')) },
  { name: 'unit', after: ['build'], run: unitTests },
  { name: 'format', after: ['build'], run: () => commandOutcome('prettier', '--check', '--log-level', 'warn', '.') },
];
