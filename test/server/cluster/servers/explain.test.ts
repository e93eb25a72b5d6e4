import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { ManagementClient } from '../../../../src/management.js';
import type { ExplainRequest, Explanation } from '../../../../src/wire/management/explain.js';
import { Cleanup } from '../../../support/cleanup.js';
import { clusterNode } from '../../../support/cluster.js';
import { until } from '../../../support/media/until.js';
import type { TestServer } from '../../../support/stream-server.js';
import { suitePostgres } from '../../../support/suite-postgres.js';
import { websocketSessions } from '../../../support/websocket-sessions.js';

const RULE_WITH_TIME = 'token-not-expired';

describe('explain on servers that share a database', () => {
  const cleanup = new Cleanup();
  const postgres = suitePostgres();
  afterEach(() => cleanup.run());

  const open = async () => {
    const databaseUrl = await postgres.migratedDatabase();
    const nodes: readonly TestServer[] = [
      await clusterNode(cleanup, databaseUrl),
      await clusterNode(cleanup, databaseUrl),
      await clusterNode(cleanup, databaseUrl),
    ];
    const secret = await nodes[0]!.server.secrets.create('main');
    const clients = nodes.map(({ origin }) => new ManagementClient({ endpoint: origin, secret }));
    const create = async (kind: 'publish' | 'subscribe', fields: object = {}) =>
      await nodes[0]!.server.tokens.create(
        { accountId: 'main', kind },
        { label: '', streams: [{ streamName: 'main', isRegex: false }], ...fields },
      );
    /** What every server says. Waits until each of them gives this reason. */
    const explained = async (request: Omit<ExplainRequest, 'streamName'>, reason: string | null) => {
      const said = await Promise.all(
        clients.map(async (client, index) => {
          let last: Explanation | undefined;
          await until(`server ${index} says ${reason}`, async () => {
            last = await client.oversight.explain({ streamName: 'main', ...request });
            return last.reason === reason;
          });
          return withoutTime(last!);
        }),
      );
      return said;
    };
    const agree = async (request: Omit<ExplainRequest, 'streamName'>, reason: string | null) => {
      const [first, ...others] = await explained(request, reason);
      for (const other of others) assert.deepEqual(other, first);
    };
    return { nodes, create, agree };
  };

  it('says the same of a stream that one of them has, before it begins, while it is live and after it', async () => {
    const { nodes, create, agree } = await open();
    const publish = await create('publish');
    const anybody = { kind: 'subscribe' } as const;
    const same = { kind: 'publish', tokenId: publish.id } as const;
    await agree(anybody, 'stream_not_live');
    await agree(same, null);

    const sessions = websocketSessions(() => nodes[0]!);
    const { publisher } = await sessions.publish({}, {}, publish.token);
    await agree(same, 'stream_in_use');
    await agree(anybody, 'stream_not_live');
    nodes[0]!.engine.sendFrame('main/main');
    await agree(anybody, null);

    await nodes[1]!.server.tokens.update({ accountId: 'main', kind: 'publish' }, publish.id, {
      subscribeRequiresAuth: true,
    });
    await agree(anybody, 'token_missing');

    // Nobody without a token learns whether a protected stream is live.
    await publisher.command('unpublish');
    await agree(anybody, 'token_missing');
    await agree(same, null);
  });

  it('says the same of a token whose places are taken by viewers at one of them', async () => {
    const { nodes, create, agree } = await open();
    const limited = await create('subscribe', { maxSessions: 1 });
    const request = { kind: 'subscribe', tokenId: limited.id, ip: '192.0.2.1', origin: 'https://a.example' } as const;
    await agree(request, null);
    const { viewer } = await websocketSessions(() => nodes[2]!).view({}, limited.token);
    await agree(request, 'token_full');
    await viewer.command('unview');
    await agree(request, null);
  });
});

/** Each server looks at its clock when it is asked. */
function withoutTime({ rules, ...explanation }: Explanation): object {
  return {
    ...explanation,
    rules: rules.map(({ looked_at, ...rule }) => {
      const { now: _now, ...facts } = looked_at;
      return { ...rule, looked_at: rule.rule === RULE_WITH_TIME ? facts : looked_at };
    }),
  };
}
