// Writes the software bill of materials of a tarball, in CycloneDX: node scripts/write-sbom.ts TARBALL FILE
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const LONGEST_BYTES = 64 * 2 ** 20;

/**
 * The bill of what somebody gets who installs the tarball. `npm sbom` in the workspace would leave out packages, and
 * needs those of the tests.
 */
export async function writeSbom(tarball: string, file: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'streamgate-sbom-'));
  const npm = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('npm', args, { cwd: folder, maxBuffer: LONGEST_BYTES })).stdout;
  try {
    writeFileSync(join(folder, 'package.json'), '{"name":"release","version":"0.0.0","private":true}');
    await npm('install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', resolve(tarball));
    writeFileSync(file, await npm('sbom', '--sbom-format=cyclonedx'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const [, , tarball, file] = process.argv;
if (import.meta.main && tarball && file) await writeSbom(tarball, file);
