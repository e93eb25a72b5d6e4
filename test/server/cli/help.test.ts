import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { commands } from '../../../server/cli/commands.js';
import { runStreamgate } from '../../support/run-streamgate.js';

const streamgate = (...argv: string[]) => runStreamgate({}, ...argv);

describe('help', () => {
  for (const { name, summary, options = {} } of commands) {
    it(`of ${name} shows its usage, summary and options`, async () => {
      const words = name.split(' ');
      const { status, stdout } = await streamgate(...words, '--help');
      assert.equal(status, 0);
      assert.ok(stdout.startsWith(`Usage: streamgate ${name}`), stdout);
      assert.ok(stdout.includes(summary));
      for (const option of Object.keys(options)) assert.ok(stdout.includes(`--${option} `), option);
      assert.deepEqual(await streamgate(...words, '-h'), { status, stdout, stderr: '' });
      assert.deepEqual(await streamgate('help', ...words), { status, stdout, stderr: '' });
    });
  }

  it('without a command lists all commands and the exit statuses', async () => {
    for (const argv of [['help'], ['--help']]) {
      const { status, stdout } = await streamgate(...argv);
      assert.equal(status, 0);
      for (const { name } of commands) assert.ok(stdout.includes(`  ${name} `), name);
      assert.match(stdout, /Exit status: 0 done, 1 could not be done, 2 not understood; of explain 3/);
    }
  });

  it('of the first word of several commands lists those commands', async () => {
    const { status, stdout } = await streamgate('secret', '--help');
    assert.equal(status, 0);
    assert.deepEqual(
      [...stdout.matchAll(/^ {2}(\w+ \w+)/gm)].map(([, name]) => name),
      ['secret create', 'secret show', 'secret refresh', 'secret delete'],
    );
  });

  it('of an unknown command is refused', async () => {
    const { status, stdout, stderr } = await streamgate('tokn', 'create', '--help');
    assert.deepEqual([status, stdout], [2, '']);
    assert.equal(
      stderr,
      'There is no command: tokn create. Did you mean: token create?\nstreamgate help lists all commands.\n',
    );
  });
});

describe('--version', () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../server/package.json'), 'utf8'));

  it('shows the version of the package', async () => {
    assert.deepEqual(await streamgate('--version'), { status: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('shows it as JSON', async () => {
    const { stdout } = await streamgate('--version', '--json');
    assert.deepEqual(JSON.parse(stdout), { status: 'success', data: { version } });
  });

  it('is told by the help', async () => {
    assert.match((await streamgate('--help')).stdout, /--version +show the version/);
  });
});

describe('a wrong command line', () => {
  it('is refused with the mistyped option, a suggestion and the options of the command', async () => {
    const { status, stderr } = await streamgate('token', 'create', 'publish', '--strem', 'keynote');
    assert.equal(status, 2);
    assert.match(
      stderr,
      /^token create has no option --strem\. Did you mean --stream\?\n\nUsage: streamgate token create /,
    );
    assert.match(stderr, /--expires SECONDS\|never/);
    assert.ok(!stderr.includes('token list'), 'it shows other commands');
  });

  for (const [argv, fault] of [
    ['token list publish --account main --lable x', /^token list has no option --lable\n/],
    ['account list --account main', /^account list has no option --account\n/],
    ['token create publish -x', /^token create has no option -x/],
    ['token create publish --label', /--label.* argument missing/],
    ['token create view', /^KIND must be publish or subscribe\n/],
    ['token create publish --requires-auth yes', /^--requires-auth must be true or false\n/],
    ['token list publish --state activ', /^--state must be active, disabled, or expired\n/],
    ['webhook deliveries 1 --state gone', /^--state must be waiting, delivered, failed, or dropped\n/],
    ['sign 1 --stream keynote', /^sign needs --expires\n/],
    ['sign 1', /^sign needs --stream and --expires\n/],
    ['token show', /^Call it as: streamgate token show ID/],
  ] as const) {
    it(`is refused with the options of the command: ${argv}`, async () => {
      const { status, stdout, stderr } = await streamgate(...argv.split(' '));
      assert.deepEqual([status, stdout], [2, '']);
      assert.match(stderr, fault);
      const name = commands.find((command) => argv.startsWith(command.name))?.name;
      assert.ok(
        stderr.includes(`\n\nUsage: streamgate ${name} `) || stderr.includes(`\n\nUsage: streamgate ${name}\n`),
      );
      assert.ok(!stderr.includes('stream stop all'), 'it shows other commands');
    });
  }

  it('is refused with one line of JSON with --json', async () => {
    const { status, stdout, stderr } = await streamgate('token', 'create', 'publish', '--strem', 'x', '--json');
    assert.deepEqual([status, stderr, JSON.parse(stdout).data.code], [2, '', 'usage']);
  });
});
