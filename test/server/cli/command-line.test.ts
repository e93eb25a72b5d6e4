import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseCommandLine } from '../../../server/cli/command-line.js';
import { UsageError } from '../../../server/cli/command.js';
import { commands } from '../../../server/cli/commands.js';

const parse = (commandLine: string) => {
  const parsed = parseCommandLine(commandLine.split(' ').filter(Boolean));
  assert.ok(!('shows' in parsed), 'it is a help text');
  return { ...parsed, name: parsed.command.name };
};

describe('parseCommandLine', () => {
  it('reads the command, its operands and its options', () => {
    const { name, operands, options } = parse('token create publish --stream a --label x --stream b --label y');
    assert.deepEqual([name, operands], ['token create', ['publish']]);
    assert.deepEqual(
      [options.all('stream'), options.all('label'), options.one('label')],
      [['a', 'b'], ['x', 'y'], 'y'],
    );
    assert.deepEqual([options.all('pattern'), options.one('pattern')], [undefined, undefined]);
  });

  it('finds the command with the longest name', () => {
    assert.equal(parse('stream stop main/keynote').name, 'stream stop');
    assert.equal(parse('stream stop all').name, 'stream stop all');
    assert.equal(parse('refusals').name, 'refusals');
    assert.equal(parse('refusals unknown-account').name, 'refusals unknown-account');
  });

  it('runs the first command if none is named', () => {
    assert.equal(parse('').name, commands[0].name);
    assert.equal(parse('--json').name, commands[0].name);
  });

  it('accepts --account and --json anywhere', () => {
    for (const line of [
      '--account main --json token list publish --name a',
      'token --account main list publish --name a --json',
      'token list publish --name a --account other --account main',
    ]) {
      const { name, account, operands, options } = parse(line);
      assert.deepEqual([name, account, operands, options.one('name')], ['token list', 'main', ['publish'], 'a'], line);
    }
  });

  it('accepts an empty value, a value that begins with a hyphen, and --name=VALUE', () => {
    const { options } = parseOrFail(['token', 'update', '1', '--origin', '', '--label', '-x', '--expires=60']);
    assert.deepEqual([options.all('origin'), options.one('label'), options.one('expires')], [[''], '-x', '60']);
  });

  it('accepts an option without a value before and after operands', () => {
    for (const line of ['token list --csv publish --name a', 'token list publish --name a --csv']) {
      const { name, operands, options } = parse(line);
      assert.deepEqual(
        [name, operands, options.one('csv'), options.one('name')],
        ['token list', ['publish'], 'true', 'a'],
      );
    }
    assert.equal(parse('token list publish').options.one('csv'), undefined);
    assert.throws(() => parse('token list publish --csv=true'), UsageError);
  });

  it('keeps no values between command lines', () => {
    parse('token create publish --stream a --account main');
    const { account, options } = parse('token create publish');
    assert.deepEqual([account, options.all('stream')], [undefined, undefined]);
  });

  it('returns a command, returns help or the version, or throws a UsageError, for any command line', () => {
    const words = commands.flatMap(({ name, options = {} }) => [
      ...name.split(' '),
      ...Object.keys(options).map((option) => `--${option}`),
    ]);
    const shown = { usage: /^Usage: streamgate/, version: /^\d+\.\d+\.\d+/ };
    const word = fc.oneof(
      fc.constantFrom(...words, 'help', '--help', '-h', '--version', '--json', '--account', '--', '-', ''),
      fc.string({ maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (argv) => {
        try {
          const parsed = parseCommandLine(argv);
          assert.ok('shows' in parsed ? shown[parsed.shows].test(parsed.text) : commands.includes(parsed.command));
        } catch (error) {
          assert.ok(error instanceof UsageError, String(error));
          assert.ok(error.message.length > 0 && !error.message.startsWith('error:'));
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

function parseOrFail(argv: readonly string[]) {
  const parsed = parseCommandLine(argv);
  assert.ok(!('shows' in parsed));
  return parsed;
}
