import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Cleanup } from './cleanup.js';
import { dataFolder } from './data-folder.js';
import { freePort } from './free-port.js';

const ROOT = join(import.meta.dirname, '../..');
const COMMAND = join(ROOT, 'server/bin/streamgate.js');

/**
 * Stands for what only the machine of an operator has: the installed package, its service and its users, and `curl`. All
 * else that a guide runs is the real program.
 */
const MACHINE = `
set -euo pipefail
npx() {
  [ "$1" = streamgate ] || return 127
  shift
  "$NODE" "$COMMAND" "$@"
}
curl() {
  "$NODE" --input-type=module --eval '
    const answer = await fetch(process.argv.at(-1)).catch(() => undefined);
    if (!answer?.ok) process.exit(22);
    console.log(await answer.text());' -- "$@"
}
systemctl() {
  case "$1" in
    start)
      "$NODE" "$COMMAND" >> "$MACHINE/log" 2>&1 &
      echo $! > "$MACHINE/pid"
      for _ in $(seq 300); do curl --fail "$ORIGIN/healthz" > "$MACHINE/health" && return; sleep 0.1; done
      cat "$MACHINE/log" >&2
      return 1 ;;
    stop)
      kill "$(cat "$MACHINE/pid")" 2> "$MACHINE/ended" || return 0
      while kill -0 "$(cat "$MACHINE/pid")" 2> "$MACHINE/ended"; do sleep 0.1; done ;;
  esac
}
install() {
  local words=()
  for word in "$@"; do case "$word" in --owner=* | --group=*) ;; *) words+=("$word") ;; esac; done
  command install "\${words[@]}"
}
`;

export interface Machine {
  /** For everything that the guide has in `/var/lib`, `/backup` and so on. */
  readonly folder: string;
  /** Of the server, as `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** The environment of the server and of all commands. */
  readonly env: Readonly<Record<string, string>>;
}

export async function newMachine(cleanup: Cleanup, env: Readonly<Record<string, string>> = {}): Promise<Machine> {
  const [port, folder] = [String(await freePort()), await dataFolder(cleanup)];
  const media = { MEDIA_UDP_PORT: '0', MEDIA_WORKERS: '1' };
  const own = { HOST: '127.0.0.1', PORT: port, DATA_DIR: join(folder, 'var/lib/streamgate'), ...media };
  return { folder, origin: `http://127.0.0.1:${port}`, env: { ...own, ...env } };
}

/** Runs the commands of a guide in docs/guides as they stand there, on a machine of the test. */
export class FollowedGuide {
  readonly #blocks: ReadonlyMap<string, readonly string[]>;
  readonly #named: ReadonlyMap<string, readonly string[]>;
  readonly #machine: Machine;

  private constructor(text: string, machine: Machine) {
    this.#blocks = codeBySection(text, /^ *```sh\n([^]*?)^ *```$/gm);
    this.#named = codeBySection(text, /`(streamgate [^`]+)`/g);
    this.#machine = machine;
  }

  /** Starts the server of the machine, which is stopped when the test ends. */
  static async open(name: string, machine: Machine, cleanup: Cleanup): Promise<FollowedGuide> {
    for (const folder of ['opt/streamgate', 'var/lib/streamgate', 'backup', 'safe'])
      await mkdir(join(machine.folder, folder), { recursive: true });
    await writeFile(join(machine.folder, 'log'), '');
    await writeFile(join(machine.folder, 'machine.sh'), MACHINE);
    const guide = new FollowedGuide(readFileSync(join(ROOT, 'docs/guides', `${name}.md`), 'utf8'), machine);
    cleanup.after(() => guide.shell('systemctl stop streamgate'));
    await guide.shell('systemctl start streamgate');
    return guide;
  }

  /**
   * Runs a block of a section: the first, if no other is named.
   * @param replaced what the guide has as examples, with what stands for it
   * @returns what the commands print
   */
  async run(heading: string, block = 0, replaced: Readonly<Record<string, string>> = {}): Promise<string> {
    const text = this.#blocks.get(heading)?.[block];
    if (text === undefined) throw new Error(`the guide has no block ${block} under ${heading}`);
    return await this.shell(this.#onThisMachine(text, replaced));
  }

  /** The commands of Streamgate that the sentences of a section name. */
  named(heading: string): readonly string[] {
    return (this.#named.get(heading) ?? []).map((command) => `npx ${command}`);
  }

  /** Runs commands that the guide describes in words. */
  async shell(commands: string): Promise<string> {
    const { folder, origin, env } = this.#machine;
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', `. "$MACHINE/machine.sh"\n${commands}`], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        NODE: process.execPath,
        COMMAND,
        MACHINE: folder,
        ORIGIN: origin,
        ...env,
      },
    });
    return stdout;
  }

  /** Paths and names of the guide become those of this machine. */
  #onThisMachine(text: string, replaced: Readonly<Record<string, string>>): string {
    const { folder, origin } = this.#machine;
    const examples: Record<string, string> = {
      'https://live.example.com': origin,
      '2030-01-31': '$(date +%F)',
      ...Object.fromEntries(['/opt/', '/var/lib/', '/backup/', '/safe/'].map((path) => [path, folder + path])),
      ...replaced,
    };
    let result = text;
    for (const [example, own] of Object.entries(examples)) result = result.replaceAll(example, own);
    return result;
  }
}

/** What a pattern finds in a Markdown text, by the heading that it is under. */
function codeBySection(text: string, pattern: RegExp): ReadonlyMap<string, readonly string[]> {
  const sections = text.split(/^#+ /m).slice(1);
  return new Map(
    sections.map((section) => {
      const [heading = ''] = section.split('\n');
      return [heading, [...section.matchAll(pattern)].map(([, code]) => code!)];
    }),
  );
}
