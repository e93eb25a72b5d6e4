import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { folderOf } from '../../scripts/framework-apps.ts';
import { endProgram, printed } from '../support/program.ts';

/** `start` runs the build. `dev` compiles on request, mounts every component twice, and reports hydration errors. */
export type NextMode = 'start' | 'dev';

/** The application with its own server, which renders the page. */
export class NextApp {
  readonly origin: string;
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess, origin: string) {
    this.#process = process;
    this.origin = origin;
  }

  static async run(mode: NextMode): Promise<NextApp> {
    const home = folderOf('next');
    const script = join(home, 'node_modules/next/dist/bin/next');
    const child = spawn(process.execPath, [script, mode, '--port', '0', '--hostname', 'localhost'], {
      cwd: home,
      env: { ...process.env, NODE_ENV: undefined, NEXT_TELEMETRY_DISABLED: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    const [, address] = await printed(child, /Local: +(http:\/\/localhost:\d+)[^]*Ready/, () => output);
    return new NextApp(child, address!);
  }

  async close(): Promise<void> {
    await endProgram(this.#process);
  }
}
