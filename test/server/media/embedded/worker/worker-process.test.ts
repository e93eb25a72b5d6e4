import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import type { Sandbox } from '../../../../../server/process-sandbox.js';
import { createSocketDirectory } from '../../../../../server/media/embedded/relay/socket-directory.js';
import type { WorkerFigures } from '../../../../../server/media/embedded/worker/worker-figures.js';
import { WorkerProcess } from '../../../../../server/media/embedded/worker/worker-process.js';
import { workerSandbox } from '../../../../../server/media/embedded/worker/worker-sandbox.js';
import { sdpOffer } from '../../../../support/media/offer.js';
import { until } from '../../../../support/media/until.js';
import { whenThereIsRoom } from '../../../../support/when-there-is-room.js';
import { readOffer } from '../../../../../server/media/sdp/offer.js';

async function startWorker(t: TestContext, responseTimeoutMs: number, sandbox?: Sandbox) {
  const directory = await createSocketDirectory();
  const relayPath = directory.newPath();
  const { process: worker } = await WorkerProcess.start({
    sfu: { bindAddress: '127.0.0.1', udpPort: 0 },
    relayPath,
    sandbox,
    responseTimeoutMs,
  });
  t.after(async () => {
    if (worker.pid !== undefined) process.kill(worker.pid, 'SIGCONT');
    await worker.close();
    await directory.remove();
  });
  const figures: WorkerFigures[] = [];
  const exits: string[] = [];
  worker.on('notification', (message) => message.type === 'figures' && figures.push(message.figures));
  worker.on('exit', (_expected, how) => exits.push(how));
  return { worker, figures, exits };
}

const view = (stream: string) => ({ type: 'view', stream, offer: readOffer(sdpOffer()), options: {} }) as const;

it('a worker that answers too late is not killed: the call fails, and its session is closed', async (t) => {
  const { worker, figures, exits } = await startWorker(t, 1_000);
  const pid = worker.pid!;
  process.kill(pid, 'SIGSTOP');
  await assert.rejects(worker.request('viewing', view('late')), { code: 'engine_unavailable' });
  process.kill(pid, 'SIGCONT');
  await until('the late session was opened and closed', () => figures.at(-1)?.streams === 0);
  // On a busy machine, another answer may be late.
  const { session } = await whenThereIsRoom(() => worker.request('viewing', view('in time')));
  assert.ok(session);
  assert.deepEqual(exits, []);
});

it('the young generation of its heap is small, with a sandbox and without', async (t) => {
  for (const sandbox of [undefined, workerSandbox(undefined)]) {
    const { worker } = await startWorker(t, 1_000, sandbox);
    // `ps` shows the arguments on Linux and on macOS.
    const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'args=', '-p', String(worker.pid)]);
    assert.match(stdout, /--max-semi-space-size=4/);
  }
});

it('the memory of sessions that never connect goes back to the system', async (t) => {
  // Elsewhere there is no /proc, and no glibc.
  if (process.platform !== 'linux') return;
  const sessions = 200;
  const { worker, figures } = await startWorker(t, 10_000);
  const kilobytes = async (): Promise<number> => {
    const memory = await readFile(`/proc/${worker.pid}/smaps_rollup`, 'utf8');
    return Number(/^Private_Dirty:\s+(\d+)/m.exec(memory)![1]);
  };
  const ids: string[] = [];
  // The worker refuses some of them while its event loop is late.
  await until('the sessions are open', async () => {
    const opened = await worker.request('viewing', view('watched')).catch(() => undefined);
    if (opened) ids.push(opened.session);
    return ids.length === sessions;
  });
  const most = await kilobytes();
  for (const session of ids) await worker.request('done', { type: 'close-session', session });
  await until('the sessions are closed', () => figures.at(-1)?.streams === 0);
  // The library closes on threads of its own, which nothing tells of.
  await until('memory goes back', async () => most - (await kilobytes()) > 20 * sessions);
});
