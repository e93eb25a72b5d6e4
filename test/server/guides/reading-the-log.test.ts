import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { pino } from 'pino';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { readText } from '../../support/deploy.js';

const cleanup = new Cleanup();
after(() => cleanup.run());

it('docs/operating/logs.md has commands that find what is wrong, one session and one stream in the log', async () => {
  const page = readText('docs/operating/logs.md');
  const [, entries] = /Each session has two entries:\n\n```json\n([^]*?)```/.exec(page)!;
  const [, commands] = /## Read the log\n[^]*?```sh\n([^]*?)```/.exec(page)!;
  let written = entries!;
  const log = pino({ base: null, timestamp: false }, { write: (line) => (written += line) });
  log.info('streamgate is listening');
  for (const level of ['warn', 'error', 'fatal'] as const) log[level](`a ${level}`);
  const file = join(await dataFolder(cleanup), 'log');
  writeFileSync(file, written);
  const found = commands!
    .trim()
    .split('\n')
    .map((command) =>
      execFileSync('sh', ['-c', command.replace('journalctl -u streamgate -o cat', `cat ${file}`)], {
        encoding: 'utf8',
      })
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).msg),
    );
  const session = ['session opened', 'session ended'];
  assert.deepEqual(found, [['a warn', 'a error', 'a fatal'], session, session]);
});
