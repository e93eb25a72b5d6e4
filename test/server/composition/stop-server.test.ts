import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stopServer } from '../../../server/composition/stop-server.js';

describe('a server that is stopped', () => {
  const { signal } = new AbortController();

  const stopped = async (drain: () => Promise<void>) => {
    const did: string[] = [];
    const server = {
      drain: async () => {
        did.push('drain');
        await drain();
      },
      close: async () => void did.push('close'),
    };
    const failure = await stopServer(server, { signal, beforeClose: () => did.push('before close') }).then(
      () => undefined,
      (error: Error) => error.message,
    );
    return { did, failure };
  };

  it('lets clients move, then closes', async () => {
    assert.deepEqual(await stopped(async () => {}), {
      did: ['drain', 'before close', 'close'],
      failure: undefined,
    });
  });

  it('closes although clients could not be told, and says so', async () => {
    assert.deepEqual(await stopped(async () => Promise.reject(new Error('the database is away'))), {
      did: ['drain', 'before close', 'close'],
      failure: 'the database is away',
    });
  });
});
