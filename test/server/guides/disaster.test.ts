import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { Cleanup } from '../../support/cleanup.js';
import { FollowedGuide } from '../../support/followed-guide.js';
import { GuideMachine } from '../../support/guide-machine.js';
import { until } from '../../support/media/until.js';
import { askDirector } from '../../support/stream-server.js';

describe('the guide for what is lost', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  it('shuts out who has the database and the key', async () => {
    const on = await GuideMachine.open(cleanup, { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' });
    const guide = new FollowedGuide('operating/disaster', on);
    const data = async (command: string) => JSON.parse(await guide.shell(`npx streamgate ${command} --json`)).data;
    const token = await data('token create publish --stream main');
    const { secret } = await data('secret create');
    const key = await data('key create --name robot --scope tokens');
    const webhook = await data('webhook add http://127.0.0.1:9/hooks --event stream.started');
    const publishes = async (value: string) =>
      (await askDirector(on, 'publish', value, { streamName: 'main' })).status === 200;
    const manages = async (value: string) =>
      (await fetch(`${on.origin}/api/publish_token/${token.id}`, { headers: { authorization: `Bearer ${value}` } })).ok;
    assert.deepEqual(
      [await publishes(token.token), await manages(secret), await manages(key.value)],
      [true, true, true],
    );

    const heading = 'Somebody else has the database and the key';
    const commands = guide.named(heading);
    assert.equal(commands.length, 5);
    for (const command of commands) {
      const id = command.includes(' key ') ? key.id : command.includes(' webhook ') ? webhook.id : token.id;
      await guide.shell(command.replace(' ID', ` ${id}`));
    }
    await until('the server has noticed', async () => !(await publishes(token.token)));
    assert.deepEqual([await manages(secret), await manages(key.value)], [false, false]);
    const { signingKey } = await data(`webhook show ${webhook.id}`);
    assert.notEqual(signingKey, webhook.signingKey);
  });
});
