import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ManagementClient } from '../../src/management.js';
import { Cleanup } from '../support/cleanup.js';
import { streamServer, type TestServer } from '../support/stream-server.js';

describe('the tables of ManagementClient', () => {
  const cleanup = new Cleanup();
  let server: TestServer;
  let client: ManagementClient;
  beforeEach(async () => {
    server = await streamServer(cleanup);
    client = new ManagementClient({ endpoint: server.origin, secret: await server.server.secrets.create('main') });
  });
  afterEach(() => cleanup.run());

  const rowsOf = (csv: string) => csv.trimEnd().split('\r\n');

  it('have every page of a list once, below one header row', async () => {
    for (let made = 0; made < 7; made++) await server.token('subscribe', { label: `viewer ${made}` });
    const query = { itemsOnPage: 3, sortBy: 'Name', isDescending: false } as const;
    const [header, ...rows] = rowsOf(await client.subscribeTokens.csv(query));
    assert.match(header!, /label/);
    assert.deepEqual(
      rows.map((row) => /viewer \d/.exec(row)?.[0]),
      Array.from({ length: 7 }, (_, made) => `viewer ${made}`),
    );
  });

  it('have a header row alone where there is nothing', async () => {
    const tables = [
      client.publishTokens.csv(),
      client.sessions.csv('main'),
      client.statistics.streamsCsv(),
      client.statistics.tokensCsv(),
      client.oversight.refusalsCsv(),
    ];
    for (const csv of await Promise.all(tables)) assert.equal(rowsOf(csv).length, 1, csv);
    assert.match(await client.oversight.auditCsv(), /secret/);
  });

  it('are refused as every call is', async () => {
    const stranger = new ManagementClient({ endpoint: server.origin, secret: 'x'.repeat(64) });
    await assert.rejects(stranger.publishTokens.csv(), { name: 'ManagementError', status: 401 });
  });

  it('follow no link to another server', async () => {
    const calls: string[] = [];
    const answer: typeof fetch = async (input) => {
      calls.push(String(input));
      const headers = { 'content-type': 'text/csv; charset=utf-8', link: '<//evil.example/api>; rel="next"' };
      return new Response('a\r\n1\r\n', { headers });
    };
    const other = new ManagementClient({ endpoint: 'https://live.example.com', secret: 'x', fetch: answer });
    assert.equal(await other.publishTokens.csv(), 'a\r\n1\r\n');
    assert.deepEqual(calls, ['https://live.example.com/api/publish_token/list']);
  });

  it('come from this service alone', async () => {
    const page: typeof fetch = async () => new Response('<html>', { headers: { 'content-type': 'text/html' } });
    const other = new ManagementClient({ endpoint: 'https://live.example.com', secret: 'x', fetch: page });
    await assert.rejects(other.publishTokens.csv(), { code: 'malformed_answer' });
  });
});
