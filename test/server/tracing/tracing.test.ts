import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { ConfigError } from '../../../server/config/config-error.js';
import { readConfig } from '../../../server/config/config.js';
import { createStreamServer } from '../../../server/composition/stream-server.js';
import {
  openTelemetrySpans,
  OpenTelemetryError,
  remoteParent,
  VERSIONS,
} from '../../../server/tracing/open-telemetry.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { askDirector, streamServer } from '../../support/stream-server.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const CALLER = { traceparent: `00-${TRACE}-${PARENT}-01` };

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: number;
}

/** A collector that takes OTLP/HTTP with JSON. */
async function collector(cleanup: Cleanup) {
  const spans: SentSpan[] = [];
  const services = new Set<unknown>();
  const server = createServer(async (req, res) => {
    assert.deepEqual([req.method, req.url], ['POST', '/v1/traces']);
    for (const { resource, scopeSpans } of JSON.parse(await text(req)).resourceSpans) {
      services.add(attributesOf(resource.attributes)['service.name']);
      for (const { spans: some } of scopeSpans) {
        for (const span of some) {
          spans.push({ ...span, attributes: attributesOf(span.attributes), status: span.status.code });
        }
      }
    }
    res.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.after(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, spans, services };
}

function attributesOf(list: readonly { readonly key: string; readonly value: object }[]): Record<string, unknown> {
  return Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]));
}

describe('a server with OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  const open = async (env: Record<string, string> = {}) => {
    const { url, spans, services } = await collector(cleanup);
    const app = await streamServer(cleanup, { OTEL_EXPORTER_OTLP_ENDPOINT: url, ...env });
    /** Those that were sent before the server stopped. */
    const sent = async () => {
      await app.server.close();
      return spans;
    };
    return { app, sent, services };
  };

  it('sends a span for each request, with its route, its status and its id, and no secret', async () => {
    const { app, sent, services } = await open({ OTEL_SERVICE_NAME: 'live' });
    const token = await app.token('publish');
    const granted = await askDirector(app, 'publish', token);
    const refused = await askDirector(app, 'subscribe', 'no-such-token');
    const missing = await fetch(`${app.origin}/api/publish_token/7?secret=hidden`);
    const spans = await sent();
    const requests = spans.filter(({ attributes }) => attributes['http.request.method'] !== undefined);
    assert.deepEqual(
      requests.map(({ name, attributes }) => [
        name,
        attributes['http.response.status_code'],
        attributes['streamgate.request_id'],
      ]),
      [
        ['POST /api/director/publish', 200, granted.headers.get('x-request-id')],
        ['POST /api/director/subscribe', 401, refused.headers.get('x-request-id')],
        ['GET /api/publish_token/:id', 401, missing.headers.get('x-request-id')],
      ],
    );
    assert.deepEqual([...services], ['live']);
    for (const secret of [token, 'no-such-token', 'hidden', '127.0.0.1']) {
      assert.ok(!JSON.stringify(spans).includes(secret), secret);
    }
  });

  it('sends what the database does for a request as its children, and nothing that no request waits for', async () => {
    const { app, sent } = await open();
    const secret = await app.server.secrets.create('main');
    await fetch(`${app.origin}/api/publish_token/list?sortBy=AddedOn&page=1&itemsOnPage=10`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    const spans = await sent();
    const request = spans.find(({ name }) => name === 'GET /api/publish_token/list')!;
    const steps = spans.filter(({ name }) => name.startsWith('database '));
    assert.ok(steps.some(({ name }) => name === 'database select'));
    for (const { parentSpanId, traceId } of steps) {
      assert.deepEqual([parentSpanId, traceId], [request.spanId, request.traceId]);
    }
  });

  it('continues the trace of a trusted proxy, and of nobody else', async () => {
    for (const [proxies, continues] of [
      ['127.0.0.1', true],
      ['192.0.2.1', false],
    ] as const) {
      const { app, sent } = await open({ TRUSTED_PROXIES: proxies });
      await fetch(`${app.origin}/healthz`, { headers: CALLER });
      const [span] = await sent();
      assert.equal(span!.traceId === TRACE && span!.parentSpanId === PARENT, continues, proxies);
    }
  });

  it('marks the answers of a server that fails', async (test) => {
    const { app, sent } = await open();
    test.mock.method(app.server.tokens, 'list', () => Promise.reject(new Error('broken')));
    const secret = await app.server.secrets.create('main');
    const headers = { authorization: `Bearer ${secret}` };
    assert.equal((await fetch(`${app.origin}/api/publish_token/list`, { headers })).status, 500);
    const request = (await sent()).find(({ name }) => name === 'GET /api/publish_token/list')!;
    assert.equal(request.status, 2);
  });

  it('sends only the part of the traces that is wanted', async () => {
    const { app, sent } = await open({ OTEL_TRACES_SAMPLER_ARG: '0' });
    await fetch(`${app.origin}/healthz`);
    assert.deepEqual(await sent(), []);
  });

  it('serves and stops although the collector does not answer', async () => {
    const app = await streamServer(cleanup, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
    assert.equal((await fetch(`${app.origin}/healthz`)).status, 200);
    await app.server.close();
  });

  it('does not start with an address that is none', async () => {
    const env = { DATA_DIR: await dataFolder(cleanup), OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' };
    await assert.rejects(async () => await createStreamServer(readConfig(env)), ConfigError);
  });
});

describe('the packages of OpenTelemetry', () => {
  const options = { endpoint: 'http://127.0.0.1:9', serviceName: 'streamgate', ratio: 1 };

  it('are named, with the command that installs them, if one is missing or of another version', async () => {
    const load = (missing: string) => async (name: string) => {
      if (name === missing) throw new Error('not found');
      return (await import(name)) as unknown;
    };
    for (const name of Object.keys(VERSIONS)) {
      await assert.rejects(openTelemetrySpans({ ...options, load: load(name) }), (error: unknown) => {
        assert.ok(error instanceof OpenTelemetryError);
        assert.match(error.message, /: npm install /);
        for (const [each, version] of Object.entries(VERSIONS)) assert.ok(error.message.includes(`${each}@${version}`));
        return error.message.startsWith(`the package ${name} cannot be loaded`);
      });
    }
    await assert.rejects(openTelemetrySpans({ ...options, load: async () => ({}) }), /has no ROOT_CONTEXT/);
  });

  it('are the optional peers of the server, in the versions that the message and the docs name', () => {
    const read = (path: string) => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');
    const { peerDependencies, peerDependenciesMeta } = JSON.parse(read('server/package.json'));
    for (const [name, version] of Object.entries(VERSIONS)) {
      assert.deepEqual([peerDependencies[name], peerDependenciesMeta[name]], [version, { optional: true }]);
      assert.ok(read('docs/operating/monitoring.md').includes(`${name}@${version}`), name);
    }
  });
});

describe('the header traceparent', () => {
  const hex = (length: number) =>
    fc
      .array(fc.constantFrom(...'0123456789abcdef'), { minLength: length, maxLength: length })
      .map((all) => all.join(''));

  it('is read', () => {
    fc.assert(
      fc.property(hex(32), hex(16), hex(2), (traceId, spanId, flags) => {
        fc.pre(/[1-9a-f]/.test(traceId) && /[1-9a-f]/.test(spanId));
        const traceFlags = Number.parseInt(flags, 16) % 2;
        assert.deepEqual(remoteParent(`00-${traceId}-${spanId}-${flags}`), {
          traceId,
          spanId,
          traceFlags,
          isRemote: true,
        });
      }),
    );
  });

  it('is ignored if it is something else', () => {
    const others = [
      '',
      'x',
      `00-${TRACE}-${PARENT}`,
      `ff-${TRACE}-${PARENT}-01`,
      `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    ];
    const empty = [`00-${'0'.repeat(32)}-${PARENT}-01`, `00-${TRACE}-${'0'.repeat(16)}-01`];
    for (const header of [...others, ...empty]) assert.equal(remoteParent(header), undefined, header);
    fc.assert(fc.property(fc.string(), (header) => remoteParent(header) === undefined));
  });
});
