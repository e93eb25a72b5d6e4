import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the build puts the pages and what they load; the same whether this runs from source or compiled. */
export function publicDir(): string {
  const packageJson = fileURLToPath(import.meta.resolve('@streamgate/server/package.json'));
  return join(dirname(packageJson), 'dist', 'public');
}
