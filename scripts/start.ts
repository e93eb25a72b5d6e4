// `npm start`: builds what is missing, then runs the server as `npx streamgate` would.
import { join } from 'node:path';
import { build } from './build.ts';
import { root } from './run-command.ts';

const parent = process.ppid;
await build({ ifNeeded: true });
// npm does not pass signals on. When it was ended during the build, nobody wants the server any more.
if (process.ppid !== parent) process.exit();
process.argv.splice(1, 1, join(root, 'server/bin/streamgate.js'));
await import(join(root, 'server/bin/streamgate.js'));
