import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { Cleanup } from '../../support/cleanup.js';
import { FollowedGuide } from '../../support/followed-guide.js';
import { GuideMachine } from '../../support/guide-machine.js';

describe('the guide for recordings', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  it('makes a token that records, and limits the days and the space', async () => {
    const guide = new FollowedGuide('guides/recording', await GuideMachine.open(cleanup));
    await guide.run('Record');
    await guide.run('How long, and how much');
    const { tokens } = JSON.parse(await guide.shell('npx streamgate token list publish --json')).data;
    assert.deepEqual([tokens.length, tokens[0].record], [1, true]);
    const { retentionDays, quotaBytes } = JSON.parse(await guide.shell('npx streamgate account recording --json')).data;
    assert.deepEqual([retentionDays, quotaBytes], [30, 50_000_000_000]);
  });
});
