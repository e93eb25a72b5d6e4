import { after, before } from 'node:test';
import { startPostgres, type TestPostgres } from './postgres.js';

/** A PostgreSQL server that runs for one suite, or for one file. Call it where hooks are declared; use it in tests. */
export function suitePostgres(): TestPostgres {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());
  return {
    get adminUrl() {
      return server.adminUrl;
    },
    newDatabase: () => server.newDatabase(),
    kill: (signal) => server.kill(signal),
    freeze: () => server.freeze(),
    thaw: () => server.thaw(),
    start: () => server.start(),
    stop: () => server.stop(),
    replica: () => server.replica(),
  };
}
