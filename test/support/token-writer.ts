// A process that creates, changes and deletes tokens until it is killed, and says on stdout what was acknowledged.
import { openDatabase } from '../../server/store/database.js';
import { openKeys } from '../../server/store/key-file.js';
import { SqlAccountStore } from '../../server/store/sql-account-store.js';
import { SqlTokenStore } from '../../server/store/sql-token-store.js';
import { TokenDirectory } from '../../server/tokens/token-directory.js';
import { TokenService } from '../../server/tokens/token-service.js';
import { ValueSeal } from '../../server/tokens/value-seal.js';

const folder = process.argv[2]!;
const db = await openDatabase(folder);
await new SqlAccountStore(db).create('acme');
const store = new SqlTokenStore(db, new ValueSeal(openKeys(folder).sealKey));
const service = new TokenService({ store, directory: new TokenDirectory() });
const scope = { accountId: 'acme', kind: 'subscribe' } as const;

for (let turn = 0; ; turn += 1) {
  const streams = [{ streamName: `s${turn}`, isRegex: false }];
  const token = await service.create(scope, { label: 'new', streams });
  acknowledge(token.id, 'new', token.token);
  if (turn % 3 === 1) {
    await service.update(scope, token.id, { label: 'changed' });
    acknowledge(token.id, 'changed', token.token);
  }
  if (turn % 3 === 2) {
    await service.delete(scope, token.id);
    acknowledge(token.id, 'deleted', '');
  }
}

function acknowledge(...said: readonly unknown[]): void {
  process.stdout.write(`${JSON.stringify(said)}\n`);
}
