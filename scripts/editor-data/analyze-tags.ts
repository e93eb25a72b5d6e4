import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { root, runCommand } from '../run-command.ts';
import { publicManifest } from './manifest.ts';
import { tagsOf, type Tag } from './tag.ts';

/** The tags, analyzed from their sources. Needs no build. */
export async function analyzeTags(): Promise<readonly Tag[]> {
  const folder = mkdtempSync(join(tmpdir(), 'streamgate-manifest-'));
  try {
    const { ok, output } = await runCommand(
      'custom-elements-manifest',
      ['analyze', '--quiet', '--outdir', relative(root, folder)],
      { quiet: true },
    );
    if (!ok) throw new Error(`the tags could not be analyzed:\n${output}`);
    const analyzed = JSON.parse(readFileSync(join(folder, 'custom-elements.json'), 'utf8'));
    return tagsOf(publicManifest(analyzed, typeSources()));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The text of all sources, which define the types that a manifest names. */
export function typeSources(): string[] {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(root, 'src', file), 'utf8'));
}
