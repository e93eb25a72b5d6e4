import { availableParallelism } from 'node:os';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run-command.ts';
import { check, elements, nodeFile, nodeShare, playwright, type Job } from './test-run/job.ts';
import { sharesOf } from './test-run/schedule.ts';
import type { ToolName } from './tools.ts';

/** A part of the checks. `npm test -- NAME` runs one stage. */
export interface Stage {
  readonly name: string;
  /** The stages whose results this stage uses. */
  readonly after?: readonly string[];
  /** Tools without which the stage is not run. */
  readonly needs?: readonly ToolName[];
  /** Tools that some of its tests need. */
  readonly uses?: readonly ToolName[];
  /** Its test files. Without them, the stage is one check. */
  files?(): readonly string[];
  /** The jobs that run these of its files. @param secondsOf the wall time that a file takes */
  jobs(files: readonly string[], secondsOf: (file: string) => number): readonly Job[];
}

/** `npm test -- fast`: the checks of every change. */
export const FAST: readonly string[] = ['lint', 'types', 'unit', 'elements'];

/** Tests of `node:test` with sockets, databases or processes: each file has a process of its own. All others are unit tests. */
const SERVER = [
  'test/server/!(bounded-json|connection-limits|expiring-map|fair-limit|http-listener|log-redaction|names-*|protected-*|sqlite-error|weak-memoize).test.ts',
  'test/server/{cluster/servers,guides}/**/*.test.ts',
  // They measure their process.
  'test/server/cost/{cost,endpoints,requests}.test.ts',
  'test/server/cli/{cli,no-data,commands/move,management/tls-failure}.test.ts',
  'test/server/store/{contractions,damaged-rows,durability,migrations,postgres,statements-*,unused-folder}.test.ts',
  'test/server/store/{availability/guarded-dialect,move/move-data,postgres/{connection-url,pooler}}.test.ts',
  'test/server/{health/media-port-fault,webhooks/cut-off-server}.test.ts',
  'test/server/ingest/{nginx-relay,real-media,rtmp/rtmp-ingest,rtmp/rtmp-listener}.test.ts',
  'test/server/ingest/rtmp/transcoders/{find-transcoders,opus-transcoder}.test.ts',
  'test/server/rtmp/real-encoder.test.ts',
  'test/server/media/{lossy-network,janus/janus-engine,embedded/embedded-engine,embedded/recorded-encoders}.test.ts',
  'test/server/media/embedded/{frames/picture-size,relay/relay*,relay/server-relay,tap/open-tap}.test.ts',
  'test/server/media/embedded/transport/{ice-tcp-listener,udp-buffers,udp-port}.test.ts',
  'test/server/media/embedded/worker/{address-families,bad-input,server-relays,several-workers,sfu}.test.ts',
  'test/server/media/embedded/worker/{stray-packets,worker-faults,worker-process,worker-sandbox}.test.ts',
  'test/server/parent-process/service-manager.test.ts',
  'test/server/recording/{supervised-process,hls/rewind-packaged,storage/part-restore}.test.ts',
  'test/server/recording/{packager/*,recorder/part-recorder,recorder/recorder-process}.test.ts',
  'test/server/upstream/upstream-{engine,streams}.test.ts',
  'test/bench/crowds/storm.test.ts',
  'test/scripts/run-jobs.test.ts',
  'test/deploy/{alerts,nginx}.test.ts',
];
const NODE = 'test/!(package|frameworks|support)/**/!(*.browser).test.ts';

/** What did not change since the last run is not checked again. */
const CACHE = 'node_modules/.cache/streamgate';
const PRETTIER = [
  'prettier',
  '--check',
  '--log-level=warn',
  '--cache',
  '--cache-strategy=content',
  `--cache-location=${CACHE}/format`,
];

/** By pattern. A search takes long, and a run asks often. */
const found = new Map<string, readonly string[]>();

/** The files that match patterns, each once, in the order of the patterns. */
function filesMatching(...patterns: readonly string[]): string[] {
  return [...new Set(patterns.flatMap(filesOf))];
}

function filesOf(pattern: string): readonly string[] {
  const files = found.get(pattern) ?? globSync(pattern, { cwd: root }).sort();
  found.set(pattern, files);
  return files;
}

function unitFiles(): string[] {
  const others = new Set(filesMatching(...SERVER));
  return filesMatching(NODE).filter((file) => !others.has(file));
}

/** Hooks outside of suites would be called for the tests of all files in the process. */
const HOOKS = /^(?:before|after)(?:Each)?\(/m;

function unitJobs(files: readonly string[], secondsOf: (file: string) => number): Job[] {
  const alone = files.filter((file) => HOOKS.test(readFileSync(join(root, file), 'utf8')));
  const together = files.filter((file) => !alone.includes(file));
  const shares = sharesOf(together, secondsOf, 2 * availableParallelism());
  return [
    ...alone.map((file) => nodeShare(file, [file])),
    ...shares.map((share, at) => nodeShare(`unit ${at + 1}`, share)),
  ];
}

const elementFiles = (): string[] => filesMatching('test/**/*.browser.test.ts');

/** The pages by playwright, and the tags by web-test-runner. */
function webkitJobs(files: readonly string[]): Job[] {
  const [tags = [], pages = []] = [true, false].map((isTag) =>
    files.filter((file) => file.endsWith('.browser.test.ts') === isTag),
  );
  return [
    ...(tags.length > 0 ? [elements('webkit tags', tags, '--config=test/webkit/web-test-runner.config.mjs')] : []),
    ...(pages.length > 0 ? [playwright('webkit pages', pages, 1, '--config=test/webkit/playwright.config.ts')] : []),
  ];
}

/** All stages, in the order of the summary. `CONTRIBUTING.md` describes them. */
export const stages: readonly Stage[] = [
  { name: 'build', jobs: () => [check('build', process.execPath, 'scripts/build.ts')] },
  { name: 'lint', jobs: () => [check('lint', 'oxlint', '--deny-warnings')] },
  {
    name: 'types',
    jobs: () => [check('types', 'tsc', '-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', `${CACHE}/types`)],
  },
  { name: 'format', jobs: () => [check('format', ...PRETTIER, '.')] },
  {
    name: 'unit',
    after: ['build'],
    uses: ['ffmpeg', 'nginx', 'systemd'],
    files: unitFiles,
    jobs: unitJobs,
  },
  {
    name: 'server',
    after: ['build'],
    uses: [
      'postgres',
      'pgbouncer',
      'ffmpeg',
      'gstreamer',
      'gstreamerTls',
      'janus',
      'coturn',
      'nginx',
      'nginxRtmp',
      'prometheus',
      'systemd',
      'perl',
      'chromium',
    ],
    files: () => filesMatching(...SERVER),
    jobs: (files) => files.map(nodeFile),
  },
  {
    name: 'elements',
    after: ['build'],
    needs: ['chromium'],
    files: elementFiles,
    jobs: (files) => [elements('elements', files)],
  },
  {
    name: 'media',
    after: ['build'],
    needs: ['chromium'],
    uses: ['postgres', 'ffmpeg', 'coturn'],
    files: () => filesMatching('test/e2e/media/**/*.spec.ts'),
    jobs: (files) => [playwright('media', files, 2, '--project=media')],
  },
  {
    name: 'pages',
    after: ['build'],
    needs: ['chromium'],
    files: () => filesMatching('test/e2e/pages/**/*.spec.ts'),
    jobs: (files) => [playwright('pages', files, 2, '--project=pages')],
  },
  {
    name: 'firefox',
    after: ['build'],
    needs: ['firefox'],
    files: elementFiles,
    jobs: (files) => [elements('firefox', files, '--config=test/firefox/web-test-runner.config.mjs')],
  },
  {
    name: 'firefox-media',
    after: ['build'],
    needs: ['firefox', 'chromium'],
    files: () => filesMatching('test/firefox/*.spec.ts'),
    jobs: (files) => [playwright('firefox-media', files, 1, '--config=test/firefox/playwright.config.ts')],
  },
  {
    name: 'webkit',
    after: ['build'],
    needs: ['webkit'],
    files: () => [...filesMatching('test/webkit/*.spec.ts'), ...elementFiles()],
    jobs: (files) => webkitJobs(files),
  },
  {
    name: 'frameworks',
    after: ['build'],
    files: () => filesMatching('test/frameworks/*.test.ts'),
    jobs: (files) => files.map(nodeFile),
  },
  {
    name: 'apps',
    after: ['frameworks'],
    needs: ['chromium'],
    files: () => filesMatching('test/frameworks/*.spec.ts'),
    jobs: (files) => [playwright('apps', files, 1, '--config=test/frameworks/playwright.config.ts')],
  },
  {
    name: 'package',
    after: ['build'],
    uses: ['chromium'],
    files: () => filesMatching('test/package/**/*.test.ts'),
    jobs: (files) => files.map(nodeFile),
  },
];
