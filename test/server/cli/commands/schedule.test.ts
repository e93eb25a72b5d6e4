import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { runCli } from '../../../../server/cli/run-cli.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';
import { streamServer } from '../../../support/stream-server.js';

describe('streamgate schedule', () => {
  const cleanup = new Cleanup();
  let env: Record<string, string>;

  before(async () => {
    env = { DATA_DIR: await dataFolder(cleanup) };
    await streamServer(cleanup, env);
  });
  after(() => cleanup.run());

  const streamgate = async (...argv: string[]) => {
    const output = { stdout: '', stderr: '' };
    const status = await runCli(['schedule', ...argv], {
      env,
      stdout: (text) => (output.stdout += text),
      stderr: (text) => (output.stderr += text),
    });
    return { status, ...output };
  };
  const json = async (...argv: string[]) => JSON.parse((await streamgate(...argv, '--json')).stdout).data;
  const add = (title: string, start: string, ...more: string[]) =>
    json('add', '--stream', 'main', '--title', title, '--start', start, ...more);

  it('prints a scheduled stream with the path of its page', async () => {
    const { id } = await add('Keynote', '2099-12-05T20:00:00+01:00', '--end', '2099-12-05T21:00:00+01:00');
    const { stdout } = await streamgate('show', id);
    assert.deepEqual(stdout.split('\n'), [
      `id\t${id}`,
      'title\tKeynote',
      'stream\tmain',
      'start\t2099-12-05T19:00:00.000Z',
      'end\t2099-12-05T20:00:00.000Z',
      'state\tscheduled',
      `page\t/scheduled/${id}`,
      'description\t-',
    ]);
    await streamgate('remove', id);
  });

  it('changes the given fields; an empty value removes the end and the description', async () => {
    const { id } = await add('Keynote', '2099-12-05T20:00:00Z', '--end', '2099-12-05T21:00:00Z', '--description', 'a');
    const changed = await json('change', id, '--title', 'Opening', '--end', '', '--description', '');
    assert.deepEqual(
      [changed.title, changed.startsOn, changed.endsOn, changed.description],
      ['Opening', '2099-12-05T20:00:00.000Z', null, null],
    );
    assert.deepEqual(await json('remove', id), { id, removed: true });
    assert.equal((await json('show', id)).code, 'scheduled_stream_not_found');
  });

  it('lists what is to come, or with --past what is over', async () => {
    const next = await add('Next', '2099-12-05T20:00:00Z');
    const last = await add('Last', '2001-12-05T20:00:00Z');
    const { stdout, stderr } = await streamgate('list');
    assert.equal(stdout, `${next.id}\t2099-12-05T20:00:00.000Z\t-\tscheduled\tmain\tNext`);
    assert.match(stderr, /1 of 1/);
    assert.equal(
      (await streamgate('list', '--past')).stdout,
      `${last.id}\t2001-12-05T20:00:00.000Z\t-\tover\tmain\tLast`,
    );
    assert.match((await streamgate('list', '--past', '--csv')).stdout, /^id,streamName,[^\n]*\r\n[^\n]*,Last,/);
    assert.doesNotMatch((await streamgate('list', '--csv')).stdout, /Last/);
  });

  it('names the wrong field', async () => {
    const { code, message } = await add('Keynote', 'tomorrow');
    assert.equal(code, 'invalid_request');
    assert.match(message, /startsOn: must be a time such as/);
    assert.equal(
      (await add('Keynote', '2099-12-05T20:00:00Z', '--end', '2099-12-05T20:00:00Z')).code,
      'invalid_request',
    );
    assert.equal((await streamgate('add', '--title', 'Keynote')).status, 2);
  });
});
