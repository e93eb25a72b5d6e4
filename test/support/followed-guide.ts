import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { GuideMachine } from './guide-machine.js';

const DOCS = join(import.meta.dirname, '../../docs');

/** Runs the commands of a guide in docs as they stand there, on a machine of the test. */
export class FollowedGuide {
  readonly #blocks: ReadonlyMap<string, readonly string[]>;
  readonly #named: ReadonlyMap<string, readonly string[]>;
  readonly #machine: GuideMachine;

  /** @param name path of the file in docs, without `.md` */
  constructor(name: string, machine: GuideMachine) {
    const text = readFileSync(join(DOCS, `${name}.md`), 'utf8');
    this.#blocks = codeBySection(text, /^ *```sh\n([^]*?)^ *```$/gm);
    this.#named = codeBySection(text, /`(streamgate [^`]+)`/g);
    this.#machine = machine;
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
    const { folder, env, shell } = this.#machine;
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', `. "$COMMANDS"\n${commands}`], {
      cwd: folder,
      env: { PATH: process.env['PATH'], ...shell, ...env },
    });
    return stdout;
  }

  /** Paths and names of the guide become those of this machine. */
  #onThisMachine(text: string, replaced: Readonly<Record<string, string>>): string {
    const { folder, origin } = this.#machine;
    const examples: Record<string, string> = {
      'https://live.example.com': origin,
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
