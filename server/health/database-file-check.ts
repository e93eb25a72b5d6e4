import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { HealthCheck } from './health-checks.js';

/**
 * Whether the file in the data folder is still the one that the server has open. What is written to a file that was
 * removed or replaced is lost with the process, and the server does not see what commands write to the new one.
 */
export function databaseFileCheck(dataDir: string, name: string): HealthCheck {
  const path = join(dataDir, name);
  const opened = identityOf(path);
  return {
    component: 'database_file',
    async check() {
      if ((await identityOf(path)) === (await opened)) return undefined;
      const message = 'The file of the database was removed or replaced while the server runs: what it saves is lost';
      return { level: 'problem', code: 'database_replaced', message };
    },
  };
}

/** Undefined: there is none, or it cannot be looked at. */
async function identityOf(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && `${found.dev}:${found.ino}`;
}
