import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolPath } from '../../scripts/tools.js';
import { listening } from './listening.js';
import { freePort } from './free-port.js';
import { endProgram, requireRunning } from './program.js';

/** Of Debian's package. */
const LIBRARIES = '/usr/lib/x86_64-linux-gnu/janus';

export interface TestJanus {
  /** At which its media arrives. */
  readonly mediaAddress: string;
  /** Of its websocket API. */
  readonly url: string;
  readonly apiSecret: string;
  readonly roomKey: string;
  /** Its output so far. */
  output(): string;
  /** Kills it, and starts it again with the same settings. */
  restart(): Promise<void>;
  kill(): Promise<void>;
  /** Suspends it. Its connections stay open without answers. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

/**
 * Starts Janus. Its API listens on the loopback address. Its media uses the other addresses of this machine, because
 * Janus leaves out the loopback address.
 * @param like one with the same secrets. Absent: new ones
 */
export async function startJanus(like?: Pick<TestJanus, 'apiSecret' | 'roomKey'>): Promise<TestJanus> {
  const program = await toolPath('janus');
  const folder = mkdtempSync(join(tmpdir(), 'streamgate-janus-'));
  const port = await freePort();
  const { apiSecret, roomKey } = like ?? { apiSecret: randomSecret(), roomKey: randomSecret() };
  writeFileSync(join(folder, 'janus.jcfg'), mainSettings(folder, apiSecret), { mode: 0o600 });
  writeFileSync(join(folder, 'janus.transport.websockets.jcfg'), websocketSettings(port), { mode: 0o600 });
  writeFileSync(join(folder, 'janus.plugin.videoroom.jcfg'), `general: { admin_key = "${roomKey}" }\n`, {
    mode: 0o600,
  });

  let output = '';
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(program, ['-F', folder, '-C', join(folder, 'janus.jcfg')], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    await listening(port, () => requireRunning(child, output));
    return child;
  };
  let server = await start();
  const kill = (): Promise<void> => endProgram(server, 'SIGKILL');
  return {
    mediaAddress: firstAddress(),
    url: `ws://127.0.0.1:${port}`,
    apiSecret,
    roomKey,
    output: () => output,
    kill,
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
    async restart() {
      await kill();
      server = await start();
    },
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const randomSecret = (): string => randomBytes(24).toString('hex');

/** Of this machine, not the loopback address. */
function firstAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const found = addresses.find(({ internal, family }) => !internal && family === 'IPv4');
  if (!found) throw new Error('these tests need a network address beside the loopback address, for the media of Janus');
  return found.address;
}

function mainSettings(folder: string, apiSecret: string): string {
  const unused = ['http', 'mqtt', 'nanomsg', 'pfunix', 'rabbitmq'].map((name) => `libjanus_${name}.so`).join();
  return `
general: {
  configs_folder = "${folder}"
  plugins_folder = "${LIBRARIES}/plugins"
  transports_folder = "${LIBRARIES}/transports"
  api_secret = "${apiSecret}"
  reclaim_session_timeout = 10
  debug_colors = false
}
plugins: {
  disable = "${OTHER_PLUGINS.map((name) => `libjanus_${name}.so`).join()}"
}
transports: {
  disable = "${unused}"
}
`;
}

const OTHER_PLUGINS =
  'audiobridge duktape echotest lua nosip recordplay sip streaming textroom videocall voicemail'.split(' ');

const websocketSettings = (port: number): string => `
general: {
  json = "compact"
  ws = true
  ws_ip = "127.0.0.1"
  ws_port = ${port}
  wss = false
}
admin: {
  admin_ws = false
}
`;
