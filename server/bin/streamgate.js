#!/usr/bin/env node
// Plain JavaScript that old versions of Node can parse. It reports an old version before better-sqlite3 13 ends the
// process on Node 20 with a segmentation fault and no message.
import { existsSync } from 'node:fs';

const NEEDED = [22, 14];
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const cli = new URL('../dist/server/cli/cli.js', import.meta.url);

if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  process.stderr.write(
    `streamgate needs Node ${NEEDED.join('.')} or later, and this is Node ${process.versions.node}.\n` +
      'In a clone of the repository, npm start uses its own Node.\n',
  );
  process.exitCode = 1;
} else if (!existsSync(cli)) {
  process.stderr.write('streamgate is not built yet. In a clone of the repository: npm run build\n');
  process.exitCode = 1;
} else {
  await import(cli.href);
}
