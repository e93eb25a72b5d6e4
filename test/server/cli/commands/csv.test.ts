import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runCli } from '../../../../server/cli/run-cli.js';
import { openDatabase } from '../../../../server/store/database.js';
import { SqlSessionStore } from '../../../../server/store/tables/sql-session-store.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';
import { streamServer } from '../../../support/stream-server.js';
import { aStoredSession } from '../../store/tables/session-store.contract.js';

/** More than the 100 of a page. */
const TICKETS = 130;

describe('streamgate with --csv', () => {
  const cleanup = new Cleanup();
  let folder: Record<string, string>;
  let server: Record<string, string>;

  before(async () => {
    folder = { DATA_DIR: await dataFolder(cleanup) };
    const streams = await streamServer(cleanup, folder);
    const db = await openDatabase(streams.dataDir);
    cleanup.after(() => db.destroy());
    await new SqlSessionStore(db).save([aStoredSession({ accountId: 'main', streamName: 'keynote' })]);
    server = {
      STREAMGATE_SECRET: await streams.server.secrets.create('main'),
      STREAMGATE_ENDPOINT: streams.origin,
    };
    const table = join(streams.dataDir, 'tickets.csv');
    const rows = Array.from({ length: TICKETS }, (_none, index) => `"=ticket, ${index}",keynote\n`);
    await writeFile(table, `label,streams\n${rows.join('')}`);
    assert.equal((await streamgate(server, ['token', 'import', 'subscribe', table])).status, 0);
  });
  after(() => cleanup.run());

  const streamgate = async (env: Record<string, string>, argv: readonly string[]) => {
    const output = { stdout: '', stderr: '' };
    const status = await runCli(argv, {
      env,
      stdout: (text) => (output.stdout += `${text}\n`),
      stderr: (text) => (output.stderr += text),
    });
    return { status, ...output };
  };

  for (const [where, envOf] of [
    ['of the server', () => server],
    ['of the data folder', () => folder],
  ] as const) {
    for (const [command, column] of [
      ['token list publish', 'label'],
      ['token list subscribe --name keynote', 'label'],
      ['session list keynote', 'openedOn'],
      ['stats streams', 'streamName'],
      ['stats tokens', 'tokenId'],
      ['refusals', 'reason'],
      ['audit', 'action'],
      ['schedule list', 'startsOn'],
    ] as const) {
      it(`${command} prints a table ${where}, with rows that all end alike`, async () => {
        const { status, stdout, stderr } = await streamgate(envOf(), [...command.split(' '), '--csv']);
        assert.deepEqual([status, stderr], [0, '']);
        const [header = ''] = stdout.split('\r\n');
        assert.ok(header.split(',').includes(column), header);
        assert.match(stdout, /[^\n\r]\r\n$/);
        assert.doesNotMatch(stdout, /(?<!\r)\n/);
      });
    }

    it(`token list prints all pages ${where}, without the values of the tokens`, async () => {
      const { stdout } = await streamgate(envOf(), ['token', 'list', 'subscribe', '--csv']);
      assert.equal(stdout.trimEnd().split('\r\n').length, TICKETS + 1);
      const listed = await streamgate(envOf(), ['token', 'list', 'subscribe', '--json']);
      const { tokens } = JSON.parse(listed.stdout).data;
      assert.ok(tokens.length > 0);
      for (const { Token } of tokens) assert.ok(Token && !stdout.includes(Token));
    });
  }

  it('token list prints only the tokens with a name', async () => {
    const named = async (name: string) => {
      const argv = ['token', 'list', 'subscribe', '--filter', 'TokenName', '--name', name, '--csv'];
      return (await streamgate(server, argv)).stdout.trimEnd().split('\r\n').length - 1;
    };
    assert.deepEqual([await named('=ticket, 7'), await named('keynote')], [1, 0]);
  });

  it('with --json the table is a text of the answer', async () => {
    const { stdout } = await streamgate(server, ['token', 'list', 'publish', '--csv', '--json']);
    assert.match(JSON.parse(stdout).data.csv, /^id,label,.*\r\n$/);
  });

  it('token import prints a table of links: one for each stream name, and none for patterns alone', async () => {
    const cleaned = { DATA_DIR: await dataFolder(cleanup), PUBLIC_URL: 'https://live.example' };
    await streamgate(cleaned, ['account', 'create', 'main']);
    const file = join(cleaned.DATA_DIR, 'tickets.csv');
    await writeFile(
      file,
      'label,streams\n"Ann, =A1","key note; talk"\nBo,"[{""streamName"":""room-.*"",""isRegex"":true}]"\n',
    );
    const { stdout } = await streamgate(cleaned, ['token', 'import', 'subscribe', file, '--csv']);
    const [header, ...rows] = stdout.trimEnd().split('\r\n');
    assert.equal(header, 'id,label,streamName,link,token');
    const values = rows.map((row) => row.slice(row.lastIndexOf(',') + 1));
    assert.ok(values.every((value) => /^[0-9a-f]{64}$/.test(value)));
    const link = (name: string) => `https://live.example/viewer?streamId=main%2F${name}#token=${values[0]}`;
    assert.deepEqual(rows, [
      `1,"Ann, =A1",key note,${link('key+note')},${values[0]}`,
      `1,"Ann, =A1",talk,${link('talk')},${values[0]}`,
      `2,Bo,,,${values[2]}`,
    ]);
    const checked = await streamgate(cleaned, ['token', 'import', 'subscribe', file, '--csv', '--check']);
    assert.deepEqual([checked.stdout.trim(), checked.stderr], ['', '2 tokens could be created']);
  });

  it('a table that token list prints can be imported', async () => {
    const { stdout } = await streamgate(folder, ['token', 'list', 'subscribe', '--search', 'ticket, 12', '--csv']);
    const file = join(folder['DATA_DIR']!, 'listed.csv');
    await writeFile(file, stdout);
    const other = { DATA_DIR: await dataFolder(cleanup) };
    await streamgate(other, ['account', 'create', 'main']);
    assert.equal((await streamgate(other, ['token', 'import', 'subscribe', file])).stderr, '11 tokens created');
    const listed = await streamgate(other, ['token', 'list', 'subscribe', '--search', 'ticket', '--json']);
    const labels = JSON.parse(listed.stdout).data.tokens.map(({ label }: { label: string }) => label);
    assert.ok(labels.includes('=ticket, 12') && labels.includes('=ticket, 129'), labels.join());
  });
});
