#!/usr/bin/env -S node --max-semi-space-size=8
// Plain JavaScript that old versions of Node can parse: they have no node:sqlite, and would report only that.
import { existsSync, readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const needed = engines.node.replace('>=', '');
const [neededMajor, neededMinor] = needed.split('.').map(Number);
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const cli = new URL('../dist/server/cli/cli.js', import.meta.url);

if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  process.stderr.write(
    `streamgate needs Node ${needed} or later, and this is Node ${process.versions.node}.\n` +
      'In a clone of the repository, npm start uses its own Node.\n',
  );
  process.exitCode = 1;
} else if (!existsSync(cli)) {
  process.stderr.write('streamgate is not built yet. In a clone of the repository: npm run build\n');
  process.exitCode = 1;
} else {
  withoutWarningOfSqlite();
  await import(cli.href);
}

/** Node 22 and early versions of 24 warn that their SQLite may change. What is used of it here is the same in Node 26. */
function withoutWarningOfSqlite() {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    if (rest[0] === 'ExperimentalWarning' && String(warning).startsWith('SQLite')) return;
    emitWarning.call(process, warning, ...rest);
  };
}
