// `npm start`: builds what is missing, then runs the server as `npx streamgate` would.
import { join } from 'node:path';
import { build } from './build.ts';
import { root } from './run-command.ts';

await build({ ifNeeded: true });
process.argv.splice(1, 1, join(root, 'server/bin/streamgate.js'));
await import(join(root, 'server/bin/streamgate.js'));
