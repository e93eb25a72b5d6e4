// `npm start` builds if a source has changed, and then runs the server as `npx streamgate` does.
import { join } from 'node:path';
import { build } from './build.ts';
import { root } from './run-command.ts';

const parent = process.ppid;
await build({ ifNeeded: true });
// npm does not forward signals. If npm ended during the build, the server must not start.
if (process.ppid !== parent) process.exit();
process.argv.splice(1, 1, join(root, 'server/bin/streamgate.js'));
await import(join(root, 'server/bin/streamgate.js'));
