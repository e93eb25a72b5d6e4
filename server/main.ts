import { pino, type Logger } from 'pino';
import { logRedaction } from './log-redaction.js';
import { FIRST_ACCOUNT } from './accounts/account-store.js';
import { dashboardLink } from './accounts/dashboard-login.js';
import { publicUrlOf, type Config } from './config/config.js';
import { checkListenHosts } from './config/listen-host.js';
import { attempt, contain } from './faults/contain.js';
import { every } from './faults/timers.js';
import { findPackageManager, watchPackageManager } from './parent-process/package-manager.js';
import { ServiceManager } from './parent-process/service-manager.js';
import { StartingListener } from './composition/starting-listener.js';
import { stopServer } from './composition/stop-server.js';
import { startWhenDatabaseAnswers } from './composition/wait-for-database.js';
import { createStreamServer, type StreamServer } from './composition/stream-server.js';
import { unknownVariables } from './config/unknown-variables.js';
import { endAtLastFault } from './faults/last-fault.js';
import { logNodeWarnings } from './faults/node-warnings.js';
import { LOOK_MS, ownSpareMemory } from './spare-memory.js';

/** How long the server may take to end its sessions after a fault of unknown extent. */
const END_WITHIN_MS = 10_000;

/**
 * Runs the server until SIGINT or SIGTERM, or until the npm that started it has ended. A second signal ends the wait for
 * clients that move to other servers. Prints a welcome text for people to stdout, beside the log.
 * @param env the environment of the process
 */
export async function serve(config: Config, env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const log = pino({ level: config.logLevel, base: null, ...logRedaction });
  logNodeWarnings((err) => log.warn({ err, warning: err.name }, 'Node warns of something'));
  const run = findPackageManager({ env });
  for (const { variable, meant } of unknownVariables(env)) {
    log.warn({ variable, meant }, 'the server does not read this variable of the environment');
  }
  await checkListenHosts(config);
  const manager = ServiceManager.find({
    env,
    onFault: (err) => log.warn({ err }, 'systemd could not be told that the server is alive'),
  });

  const stopping = new AbortController();
  const closing = new AbortController();
  const close = () => {
    // A third signal ends the process, if the stop hangs.
    process.removeListener('SIGINT', onSignal).removeListener('SIGTERM', onSignal);
    unwatch?.();
    manager?.close();
    stopping.abort();
    closing.abort();
  };
  const onSignal = () => (stopping.signal.aborted ? close() : stopping.abort());
  const unwatch =
    run &&
    watchPackageManager(run, () => {
      log.warn('npm, which started the server, has ended: the server stops');
      close();
    });
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  const starting = start(config, { signal: stopping.signal, log });
  endAtLastFault({
    onFault: (err) => log.fatal({ err }, 'the server ends because of a fault that belongs to no session'),
    async close() {
      close();
      const server = await starting.catch(() => undefined);
      await server?.close();
    },
    withinMs: END_WITHIN_MS,
  });
  try {
    const server = await starting;
    if (!server) return close();
    manager?.ready();
    const spare = ownSpareMemory((beforeBytes, afterBytes) =>
      log.info({ beforeBytes, afterBytes }, 'memory that a load had left was returned to the system'),
    );
    every('server', LOOK_MS, () => spare.check()).unref();
    onceAborted(stopping.signal, async () => {
      manager?.stopping();
      try {
        await stopServer(server, { signal: closing.signal, beforeClose: close });
      } catch (err) {
        log.error({ err }, 'the server could not be stopped cleanly');
        process.exitCode = 1;
      }
    });
  } catch (error) {
    // Else the watch would keep this process alive.
    close();
    throw error;
  }
}

interface StartOptions {
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/**
 * Creates the server when its database answers, and listens.
 * @returns undefined: the signal was aborted before
 */
async function start(config: Config, { signal, log }: StartOptions): Promise<StreamServer | undefined> {
  const waiting = new StartingListener();
  let server: StreamServer | undefined;
  try {
    server = await startWhenDatabaseAnswers(() => createStreamServer(config, { log }), {
      waitMs: config.databaseWaitS * 1_000,
      signal,
      onWaiting: () => waiting.listen(config, log),
      log,
    });
  } finally {
    await waiting.close();
  }
  if (!server) return undefined;
  try {
    const address = await server.listen();
    const origin = publicUrlOf({ ...config, host: address.address, port: address.port });
    process.stdout.write(welcome(origin, await firstLink(server, origin)));
    return server;
  } catch (error) {
    // The processes of the media engine would keep this process alive.
    await server.close();
    throw error;
  }
}

function onceAborted(signal: AbortSignal, act: () => Promise<void>): void {
  if (signal.aborted) attempt('server', act);
  else signal.addEventListener('abort', contain('server', act), { once: true });
}

/** Creates the first account and its login link. Undefined: there is an account already. */
async function firstLink({ accounts, dashboard }: StreamServer, origin: string): Promise<string | undefined> {
  if (!(await accounts.ensureFirstAccount())) return undefined;
  return dashboardLink(origin, await dashboard.createCode(FIRST_ACCOUNT));
}

function welcome(origin: string, link: string | undefined): string {
  const opening = link
    ? `Open the dashboard (this link works once, within a day):\n  ${link}`
    : 'Dashboard: get a login link with: npx streamgate dashboard';
  return `\nStreamgate is on ${origin}\n${opening}\n\n`;
}
