import type { Logger } from 'pino';
import type { DatabaseClock } from '../cluster/database-clock.js';
import type { Config } from '../config/config.js';
import { DiskFullError } from '../errors.js';
import { certificateCheck } from '../health/certificate-check.js';
import { clockCheck } from '../health/clock-check.js';
import { databaseFileCheck } from '../health/database-file-check.js';
import { folderCheck } from '../health/folder-check.js';
import { HealthChecks, type Finding, type HealthCheck } from '../health/health-checks.js';
import { mediaPortFault } from '../health/media-port-fault.js';
import { ownAddress } from '../health/own-address.js';
import { rtmpCheck } from '../health/rtmp-check.js';
import { servedUntil } from '../health/served-certificate.js';
import type { HttpListener } from '../http-listener.js';
import type { RtmpListener } from '../ingest/rtmp/rtmp-listener.js';
import { monotonicNow } from '../monotonic-now.js';
import type { MediaEngine } from '../media/engine/media-engine.js';
import type { Pruning } from '../oversight/pruning.js';
import type { DatabaseMonitor } from '../store/availability/database-monitor.js';
import { DATABASE_FILE } from '../store/sqlite/sqlite-database.js';
import type { CertificateFollower } from '../tls/certificate-follower.js';
import type { OpenedRecording } from './open-recording.js';
import type { OpenedResources } from './opened-resources.js';
import type { OpenedWebhooks } from './open-webhooks.js';

export interface OpenHealthOptions {
  readonly config: Config;
  readonly monitor: DatabaseMonitor;
  readonly certificates: CertificateFollower | undefined;
  readonly listener: Pick<HttpListener, 'port'>;
  readonly ownEngine: Pick<MediaEngine, 'mediaPorts'>;
  readonly recorded: Pick<OpenedRecording, 'health'>;
  readonly webhooks: Pick<OpenedWebhooks, 'stuckForMs'>;
  readonly jobs: readonly Pick<Pruning, 'name' | 'isFailing'>[];
  readonly rtmp: RtmpListener | null;
  readonly clock: Pick<DatabaseClock, 'read' | 'offset'>;
  /** When something was stored last, before this start. */
  readonly storedOn: number | undefined;
  readonly now: () => number;
  readonly log: Logger;
}

/** How long nothing may be asked of the database for webhooks, in ms. Usually it is asked every second. */
const WEBHOOKS_STUCK_MS = 60_000;

/**
 * Begins to check the parts of the server that report no fault by themselves. docs/operating/health.md has
 * what exercises each part, and why some are not exercised.
 */
export function openHealth(opened: OpenedResources, options: OpenHealthOptions): HealthChecks {
  const { config, certificates, rtmp, clock, storedOn, now, log } = options;
  const clockOfMachine = clockCheck({
    machineNow: () => clock.read(),
    offset: () => clock.offset,
    storedOn,
    monotonicNow,
  });
  // With PostgreSQL, the clock that certificates are compared with is the one of the database.
  const isClockWrong = () => config.databaseUrl === undefined && clockOfMachine.check() !== undefined;
  const checks = new HealthChecks({
    checks: [
      ...dataFolderChecks(options),
      ...options.recorded.health,
      ...(certificates
        ? [certificateCheck({ expiresOn: () => servedExpiry(certificates, options), now, isClockWrong })]
        : []),
      ...(rtmp ? [rtmpCheck({ host: config.rtmpHost, port: rtmp.port })] : []),
      clockOfMachine,
      mediaPortsCheck(options),
      webhooksCheck(options),
      jobsCheck(options),
    ],
    now,
    log,
  });
  opened.add(() => checks.close());
  checks.start();
  return checks;
}

/** Before the server listens: that of the files. */
async function servedExpiry(
  { certificate }: CertificateFollower,
  { config: { host }, listener: { port } }: OpenHealthOptions,
): Promise<number> {
  return port === undefined ? certificate.expiresOn : await servedUntil(ownAddress(host), port);
}

/** With PostgreSQL nothing is written to the folder while the server runs: its heartbeats write to the database. */
function dataFolderChecks({ config: { databaseUrl, dataDir }, monitor }: OpenHealthOptions): HealthCheck[] {
  if (databaseUrl !== undefined) return [];
  // The monitor has the reserve of disk space, and knows when the disk has space again.
  const onFull = (cause: unknown) => void monitor.failed(new DiskFullError({ cause }));
  return [
    folderCheck({ component: 'data_folder', folder: dataDir, onFull }),
    databaseFileCheck(dataDir, DATABASE_FILE),
  ];
}

/** Whether packets that reach this machine reach each media process. */
function mediaPortsCheck({ ownEngine }: OpenHealthOptions): HealthCheck {
  return {
    component: 'media_ports',
    async check() {
      const ports = ownEngine.mediaPorts?.() ?? [];
      const faults = await Promise.all(ports.map(mediaPortFault));
      const index = faults.findIndex((fault) => fault !== undefined);
      if (index === -1) return undefined;
      const message = `Media does not arrive at UDP port ${ports[index]!.port}: ${faults[index]}`;
      return { level: 'problem', code: 'engine_unavailable', message } satisfies Finding;
    },
  };
}

/** Events wait in the database, so that nothing is lost. */
function webhooksCheck({ webhooks }: OpenHealthOptions): HealthCheck {
  return {
    component: 'webhooks',
    check() {
      if (webhooks.stuckForMs() < WEBHOOKS_STUCK_MS) return undefined;
      const message =
        'Nothing was sent to webhooks for a minute: the database was not asked what is due, or did not say';
      return { level: 'warning', code: 'webhooks_stuck', message };
    },
  };
}

/** The log has why one fails. Jobs that only read the database again are not here: it is reported by itself. */
function jobsCheck({ jobs }: OpenHealthOptions): HealthCheck {
  return {
    component: 'jobs',
    check() {
      const failing = jobs.filter(({ isFailing }) => isFailing).map(({ name }) => name);
      if (failing.length === 0) return undefined;
      const message = `These jobs failed at their last run: ${failing.join(', ')}`;
      return { level: 'warning', code: 'job_failed', message };
    },
  };
}
