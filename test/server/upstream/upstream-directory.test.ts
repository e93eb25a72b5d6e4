import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UpstreamDirectory } from '../../../server/upstream/upstream-directory.js';
import type { Upstream } from '../../../server/upstream/upstream.js';

const ALL: Upstream = {
  accountId: 'acme',
  streamName: null,
  software: 'mediamtx',
  urls: {
    publish: 'https://mtx.example/{name}/whip',
    view: 'https://mtx.example/{name}/whep',
    status: 'https://mtx.example/{name}',
  },
  tokens: { publish: null, view: null, status: null },
  updatedOn: 1,
};

describe('the directory of upstreams', () => {
  it('keeps a change although what was read before comes later', async () => {
    let stored: readonly Upstream[] = [];
    const first = Promise.withResolvers<void>();
    const answers = [first.promise];
    const directory = new UpstreamDirectory({
      async all() {
        const found = stored;
        await answers.shift();
        return found;
      },
    });
    const before = directory.refresh();
    stored = [ALL];
    const after = directory.refresh();
    setImmediate(() => first.resolve());
    await Promise.all([before, after]);
    assert.deepEqual(directory.find('acme/show'), ALL);
  });

  it('reads again after a read that failed', async () => {
    let isAway = true;
    const directory = new UpstreamDirectory({
      async all() {
        if (isAway) throw new Error('the database does not answer');
        return [ALL];
      },
    });
    await assert.rejects(directory.refresh());
    isAway = false;
    await directory.refresh();
    assert.deepEqual(directory.find('acme/show'), ALL);
  });
});
