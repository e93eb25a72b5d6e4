// The programs that tests run and npm does not install. `node scripts/tools.ts NAME` prints where one is, and installs it
// if it is missing and this is root on Debian.
import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findBrowser } from './find-browser.ts';
import { findFirefox } from './find-firefox.ts';
import { findWebKit } from './find-webkit.ts';
import { runCommand } from './run-command.ts';

interface Tool {
  readonly title: string;
  /** Of Debian. */
  readonly packages: readonly string[];
  /** How to install it on other systems, if there is one command for all. */
  readonly otherwise?: readonly string[];
  /** Returns a path. Undefined if it is not installed. */
  find(): string | undefined;
}

/** Of Debian's packages. Not every PATH has them. */
const USUAL_FOLDERS = ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/opt/janus/bin'];
const POSTGRES = '/usr/lib/postgresql';

export const TOOLS = {
  chromium: {
    title: 'Chromium',
    packages: ['chromium'],
    otherwise: ['npx', 'playwright', 'install', 'chromium'],
    find: findBrowser,
  },
  firefox: { title: 'Firefox', packages: ['firefox-esr'], find: findFirefox },
  webkit: {
    title: 'WebKitGTK',
    packages: ['webkit2gtk-driver', 'xvfb'],
    find: () => findWebKit()?.driver,
  },
  postgres: { title: 'PostgreSQL', packages: ['postgresql'], find: postgresPrograms },
  pgbouncer: { title: 'PgBouncer', packages: ['pgbouncer'], find: program('pgbouncer') },
  ffmpeg: { title: 'ffmpeg', packages: ['ffmpeg'], find: program('ffmpeg') },
  gstreamer: {
    title: 'GStreamer',
    // `ugly` has x264enc, `good` flvmux, `bad` RTMP and AAC.
    packages: ['good', 'bad', 'ugly'].map((name) => `gstreamer1.0-plugins-${name}`).concat('gstreamer1.0-tools'),
    find: program('gst-launch-1.0'),
  },
  gstreamerTls: {
    title: 'TLS for GStreamer',
    packages: ['glib-networking'],
    find: () => globSync('/usr/lib/{*/,}gio/modules/libgio{gnutls,openssl}.so')[0],
  },
  janus: { title: 'Janus', packages: ['janus'], find: program('janus') },
  coturn: { title: 'coturn', packages: ['coturn'], find: program('turnserver') },
  nginx: { title: 'nginx', packages: ['nginx'], find: program('nginx') },
  nginxRtmp: {
    title: 'RTMP for nginx',
    packages: ['libnginx-mod-rtmp'],
    find: () => globSync('/usr/lib/nginx/modules/ngx_rtmp_module.so')[0],
  },
  prometheus: { title: 'promtool of Prometheus', packages: ['prometheus'], find: program('promtool') },
  systemd: { title: 'systemd', packages: ['systemd'], find: program('systemd-analyze') },
  perl: { title: 'Perl', packages: ['perl'], find: program('perl') },
} as const satisfies Record<string, Tool>;

export type ToolName = keyof typeof TOOLS;

/** Names of tools that could not be installed before the tests, so that no test tries again. */
const MISSING = 'MISSING_TOOLS';
/** Of one command, which may wait for that of another test. */
const WITHIN_MS = 600_000;
const DEBIAN_INSTALL = ['install', '-yq', '--no-install-recommends'];
/** In the message of each failure for lack of a tool. */
const LACK = / is not installed, and tests need it\./;

/** The path of a tool. Installs it if it is missing and possible, because tests cannot run without. */
export async function toolPath(name: ToolName): Promise<string> {
  const tool = TOOLS[name];
  if (!tool.find() && !knownAsMissing().includes(name)) await install([tool]);
  const path = tool.find();
  if (path === undefined) throw new Error(lackOf(tool));
  return path;
}

/** Installs what is missing of some tools, in one step. @returns those that are still missing, and how to install them */
export async function installMissing(names: ReadonlySet<ToolName>): Promise<ReadonlyMap<ToolName, string>> {
  const missing = (): ToolName[] => [...names].filter((name) => !TOOLS[name].find());
  const before = missing();
  if (before.length > 0) await install(before.map((name) => TOOLS[name]));
  const after = missing();
  process.env[MISSING] = after.join();
  return new Map(after.map((name) => [name, lackOf(TOOLS[name])]));
}

/** The sentence in `message` about a tool that is missing. Undefined: this is the message of another failure. */
export const lackIn = (message: string): string | undefined =>
  message
    .split('\n')
    .find((line) => LACK.test(line))
    ?.replace(/^(?:\w*Error: )+/, '')
    .trim();

const knownAsMissing = (): readonly string[] => process.env[MISSING]?.split(',') ?? [];

function lackOf({ title, packages, otherwise }: Tool): string {
  const commands = [['apt-get', ...DEBIAN_INSTALL, ...packages], ...(otherwise ? [otherwise] : [])];
  return `${title} is not installed, and tests need it. Install it with: ${commands.map((words) => words.join(' ')).join('; or: ')}`;
}

async function install(tools: readonly Tool[]): Promise<void> {
  const say = ({ title }: Tool): unknown => process.stdout.write(`installing ${title}\n`);
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    await aptGet('update', '-q');
    // One at a time, because one that does not exist here would keep the others from being installed.
    for (const tool of tools) {
      say(tool);
      await aptGet(...DEBIAN_INSTALL, ...tool.packages);
    }
  }
  for (const tool of tools) {
    if (!tool.otherwise || tool.find()) continue;
    say(tool);
    await runCommand(tool.otherwise[0]!, tool.otherwise.slice(1), { quiet: true, withinMs: WITHIN_MS });
  }
}

async function aptGet(...args: readonly string[]): Promise<void> {
  await runCommand('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], {
    quiet: true,
    withinMs: WITHIN_MS,
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  });
}

function program(name: string): () => string | undefined {
  return () => {
    const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...USUAL_FOLDERS];
    return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  };
}

/** The folder of the programs of the newest PostgreSQL. */
function postgresPrograms(): string | undefined {
  const found = globSync(`${POSTGRES}/*/bin/initdb`).map((path) => join(path, '..'));
  const version = (folder: string): number => Number(folder.split('/').at(-2));
  return found.toSorted((a, b) => version(b) - version(a))[0];
}

if (import.meta.main) {
  const name = process.argv[2] ?? '';
  if (!Object.hasOwn(TOOLS, name)) throw new Error(`Name one of: ${Object.keys(TOOLS).join(', ')}`);
  process.stdout.write(`${await toolPath(name as ToolName)}\n`);
}
