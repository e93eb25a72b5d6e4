import { TokenDirectory } from '../../server/tokens/token-directory.js';
import { TokenService } from '../../server/tokens/token-service.js';
import type { TokenStore } from '../../server/tokens/token-store.js';

export const WRITTEN = { accountId: 'acme', kind: 'subscribe' } as const;

/** The last acknowledged state of a token. A deleted token has the label `deleted`. */
export interface AcknowledgedChange {
  readonly id: number;
  readonly label: string;
  readonly token: string;
  readonly bound: readonly string[];
}

/** Writes until the store fails, and reports each acknowledged write. */
export async function writeTokens(
  store: TokenStore,
  acknowledge: (change: AcknowledgedChange) => void,
): Promise<never> {
  const service = new TokenService({ store, directory: new TokenDirectory() });
  for (let turn = 0; ; turn += 1) {
    const streams = [{ streamName: `s${turn}`, isRegex: false }];
    const { id, token } = await service.create(WRITTEN, { label: 'new', streams, bindIpsOnUsage: 2 });
    const bound: string[] = [];
    const report = (label: string) => acknowledge({ id, label, token, bound: [...bound] });
    report('new');
    for (const address of ['192.0.2.1', '192.0.2.2']) {
      await service.bindAddress(id, address);
      bound.push(address);
      report('new');
    }
    if (turn % 3 === 1) {
      await service.update(WRITTEN, id, { label: 'changed' });
      report('changed');
    }
    if (turn % 3 === 2) {
      await service.delete(WRITTEN, id);
      report('deleted');
    }
  }
}
