import { execFileSync } from 'node:child_process';
import type { BrowserContext, Page } from '@playwright/test';
import { Cleanup } from '../../support/cleanup.ts';
import { clusterProcess } from '../../support/cluster.ts';
import { startPostgres } from '../../support/postgres.ts';
import { RestTokens } from '../../support/rest-tokens.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import { TcpGate } from '../../support/tcp-gate.ts';
import { mediaProcesses } from '../support/media-processes.ts';
import {
  expectMovingPicture,
  goLive,
  openBroadcaster,
  openViewer,
  phaseOf,
  type StreamAddress,
  type Tag,
} from '../support/pages.ts';
import { expect, test } from '../support/test.ts';

/** Clients notice within ten seconds after the last media. The rest is for a slow machine. */
const NOTICED_WITHIN_MS = 15_000;
/** Media processes whose server hangs send on until the name may be given to another server. */
const MEDIA_GOES_ON_MS = 5_000;
/** The name is free after eight seconds, and a lost connection is resumed for five before another server is asked. */
const BACK = { timeout: 60_000 };

/** A server hangs as a whole where its container is paused, and without its media processes where its loop is stuck. */
function signal(server: ServerProcess, name: NodeJS.Signals, { withMedia = true } = {}): void {
  const listed = withMedia
    ? execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)], { encoding: 'utf8' })
    : '';
  for (const pid of [server.pid, ...listed.trim().split(/\s+/).filter(Boolean).map(Number)]) process.kill(pid, name);
}

/** A change of the phase, in milliseconds since 1970. */
interface Change {
  readonly name: string;
  readonly error: string | undefined;
  readonly at: number;
}

/** Notes the phases of the tag from now on. */
async function notePhases(page: Page, tag: Tag): Promise<() => Promise<readonly Change[]>> {
  await page.evaluate((name) => {
    interface Phased extends Element {
      readonly phase: { readonly name: string; readonly error?: Error };
    }
    const element = document.querySelector(name) as unknown as Phased;
    const changes: Change[] = [];
    element.addEventListener('stream-phase-change', () =>
      changes.push({ name: element.phase.name, error: element.phase.error?.message, at: Date.now() }),
    );
    Object.assign(globalThis, { changes });
  }, tag);
  return () => page.evaluate(() => (globalThis as unknown as { changes: Change[] }).changes);
}

interface Clients {
  readonly broadcaster: Page;
  readonly viewer: Page;
}

async function clientsOf(
  context: BrowserContext,
  { viewToken, ...address }: StreamAddress & { readonly viewToken?: string },
): Promise<Clients> {
  const [broadcaster, viewer] = [await context.newPage(), await context.newPage()];
  await openBroadcaster(broadcaster, address);
  await goLive(broadcaster);
  await openViewer(viewer, { ...address, token: viewToken });
  await expectMovingPicture(viewer);
  return { broadcaster, viewer };
}

/** Runs `hang`, and waits until both say that the connection is lost, and why. */
async function bothNotice(
  { broadcaster, viewer }: Clients,
  hang: () => void,
  withinMs = NOTICED_WITHIN_MS,
): Promise<void> {
  const logs = [await notePhases(broadcaster, 'stream-broadcaster'), await notePhases(viewer, 'stream-viewer')];
  hang();
  const hungAt = Date.now();
  for (const log of logs) {
    const lost = async () => (await log()).find(({ name }) => name === 'reconnecting');
    await expect.poll(lost, { timeout: withinMs, message: 'it says so' }).toBeDefined();
    expect((await lost())!.at - hungAt).toBeLessThan(withinMs);
  }
}

async function bothComeBack({ broadcaster, viewer }: Clients): Promise<void> {
  await expect.poll(() => phaseOf(broadcaster, 'stream-broadcaster'), BACK).toBe('live');
  await viewer.bringToFront();
  await expect.poll(() => phaseOf(viewer, 'stream-viewer'), BACK).toBe('live');
  await expectMovingPicture(viewer);
}

test('when the server hangs as a whole, both say so, and come back when it wakes', async ({
  server,
  address,
  context,
}) => {
  const clients = await clientsOf(context, address);
  await bothNotice(clients, () => signal(server, 'SIGSTOP'));
  signal(server, 'SIGCONT');
  await bothComeBack(clients);
});

test('when a media process hangs, the server ends it, and both come back', async ({ server, address, context }) => {
  const clients = await clientsOf(context, address);
  await bothNotice(clients, () => process.kill([...mediaProcesses(server).values()].at(-1)!, 'SIGSTOP'));
  await bothComeBack(clients);
});

for (const withMedia of [true, false]) {
  const what = withMedia ? 'one of two servers hangs' : 'one of two servers hangs, and its media processes do not';
  test(`when ${what}, both say so, and go to the other`, async ({ context, streamName }) => {
    const cleanup = new Cleanup();
    const postgres = await startPostgres();
    cleanup.after(() => postgres.stop());
    const databaseUrl = await postgres.newDatabase();
    const [one, other] = [await clusterProcess(databaseUrl), await clusterProcess(databaseUrl)];
    cleanup.after(() => one.stop());
    cleanup.after(() => other.stop());
    // As a load balancer in front of both servers.
    const gate = await TcpGate.open(cleanup, one.origin);
    const origin = new URL(gate.urlOf(one.origin)).origin;
    const { secret } = await one.cli('secret', 'create', '--account', 'main');
    const tokens = new RestTokens(one.origin, String(secret));
    const token = await tokens.publish(streamName);
    const viewToken = await tokens.subscribe(streamName);
    const clients = await clientsOf(context, { origin, streamName, token, viewToken });
    cleanup.after(() => signal(one, 'SIGCONT', { withMedia }));
    const hang = () => {
      gate.leadTo(other.origin);
      signal(one, 'SIGSTOP', { withMedia });
    };
    await bothNotice(clients, hang, NOTICED_WITHIN_MS + (withMedia ? 0 : MEDIA_GOES_ON_MS));
    await bothComeBack(clients);
    await cleanup.run();
  });
}
