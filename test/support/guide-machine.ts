import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { createStreamServer, type StreamServer } from '../../server/composition/stream-server.js';
import { readConfig } from '../../server/config/config.js';
import type { Cleanup } from './cleanup.js';
import { dataFolder } from './data-folder.js';
import { freePort } from './free-port.js';
import { FakeEngine } from './media/fake-engine.js';
import { runStreamgate, type CliAnswer } from './run-streamgate.js';

/**
 * Stands for what only the machine of an operator has: the installed package, its service and its users, `curl` and the
 * day. The test does what the first three are asked for, because each process of Node would take a second. All else that
 * a guide runs is the real program.
 */
const COMMANDS = `
set -euo pipefail
ask() {
  local out err status
  exec 3<> "/dev/tcp/127.0.0.1/$HELPER"
  { env -0; printf '\\0%s\\0' "$#"; printf '%s\\0' "$@"; } >&3
  IFS= read -r -d '' out <&3
  IFS= read -r -d '' err <&3
  IFS= read -r -d '' status <&3
  exec 3>&-
  printf '%s' "$out"
  printf '%s' "$err" >&2
  return "$status"
}
npx() { ask npx "$@"; }
curl() { ask curl "$@"; }
systemctl() { ask systemctl "$@"; }
date() { echo 2030-01-31; }
install() {
  local words=()
  for word in "$@"; do case "$word" in --owner=* | --group=*) ;; *) words+=("$word") ;; esac; done
  command install "\${words[@]}"
}
`;

type Environment = Readonly<Record<string, string>>;

/** A machine on which the commands of a guide run. Its service is a server in this process. */
export class GuideMachine {
  /** For everything that the guide has in `/var/lib`, `/backup` and so on. */
  readonly folder: string;
  /** Of the server, as `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** The environment of the server and of all commands. */
  readonly env: Environment;
  readonly #helper = createServer((socket) => void this.#help(socket));
  #service: StreamServer | undefined;

  /** Starts the server, which is stopped when the test ends. */
  static async open(cleanup: Cleanup, env: Environment = {}): Promise<GuideMachine> {
    const machine = new GuideMachine(await dataFolder(cleanup), String(await freePort()), env);
    for (const folder of ['opt/streamgate', 'var/lib/streamgate', 'backup', 'safe'])
      await mkdir(join(machine.folder, folder), { recursive: true });
    await writeFile(join(machine.folder, 'commands.sh'), COMMANDS);
    machine.#helper.listen(0, '127.0.0.1');
    await once(machine.#helper, 'listening');
    cleanup.after(() => machine.#helper.close());
    cleanup.after(() => machine.#service?.close());
    await machine.#start(machine.env);
    return machine;
  }

  private constructor(folder: string, port: string, env: Environment) {
    this.folder = folder;
    this.origin = `http://127.0.0.1:${port}`;
    this.env = { HOST: '127.0.0.1', PORT: port, DATA_DIR: join(folder, 'var/lib/streamgate'), ...env };
  }

  /** Variables with which a shell finds its commands. */
  get shell(): Environment {
    return { COMMANDS: join(this.folder, 'commands.sh'), HELPER: String((this.#helper.address() as AddressInfo).port) };
  }

  get log(): string {
    return join(this.folder, 'log');
  }

  async #help(socket: Socket): Promise<void> {
    let request = '';
    for await (const part of socket.setEncoding('utf8')) {
      request += part;
      // No variable is empty, so two zeros end the environment.
      const end = request.indexOf('\0\0');
      const [count, ...argv] = request.slice(end + 2).split('\0');
      if (end < 0 || argv.length <= Number(count)) continue;
      const variables = request.slice(0, end).split('\0');
      const env = Object.fromEntries(
        variables.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      );
      const { stdout, stderr, status } = await this.#run(argv.slice(0, Number(count)), env);
      socket.end([stdout, stderr, status, ''].join('\0'));
      return;
    }
  }

  async #run([program, ...argv]: readonly string[], env: Environment): Promise<CliAnswer> {
    try {
      if (program === 'npx' && argv[0] === 'streamgate') return await runStreamgate(env, ...argv.slice(1));
      if (program === 'curl') return await fetched(argv.at(-1)!);
      if (program === 'systemctl' && argv[0] === 'start') await this.#start(env);
      else if (program === 'systemctl' && argv[0] === 'stop') await this.#stop();
      else return { status: 127, stdout: '', stderr: `${program} ${argv.join(' ')} is not on this machine\n` };
      return { status: 0, stdout: '', stderr: '' };
    } catch (error) {
      return { status: 1, stdout: '', stderr: `${String(error)}\n` };
    }
  }

  async #start(env: Environment): Promise<void> {
    const log = pino(pino.destination({ dest: this.log, sync: true }));
    const service = await createStreamServer(readConfig(env), { engine: new FakeEngine(), log });
    this.#service = service;
    await service.accounts.ensureFirstAccount();
    await service.listen();
  }

  async #stop(): Promise<void> {
    const service = this.#service;
    this.#service = undefined;
    await service?.close();
  }
}

async function fetched(url: string): Promise<CliAnswer> {
  const answer = await fetch(url);
  return { status: answer.ok ? 0 : 22, stdout: `${await answer.text()}\n`, stderr: '' };
}
