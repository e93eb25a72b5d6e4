import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import type * as z from 'zod/mini';
import { endpoints } from '../../../../server/http/endpoints/endpoints.js';
import { eventNames, whepPath, whepQuery, whipPath, whipQuery } from '../../../../server/ingest/ingest-request.js';
import * as commandData from '../../../../server/signalling/command-data.js';
import { accountId } from '../../../../src/wire/identifiers.js';
import { layerChoice } from '../../../../src/wire/websocket/layer-choice.js';
import { Cleanup } from '../../../support/cleanup.js';
import { ask, managementApp } from '../../../support/management-app.js';
import { askDirector } from '../../../support/stream-server.js';

/** What PostgreSQL cannot keep, and what UTF-8 turns into something else. */
const UNFIT = { 'a NUL': 'a\0b', 'half a surrogate pair': 'a\ud800b', 'the other half': '\udc00' };

type Schema = z.core.$ZodType & { _zod: { def: z.core.$ZodTypes['_zod']['def'] } };

/** Every place below a schema where a client may write a text, with what reads it. */
function textsOf(schema: z.core.$ZodType, path: string): [path: string, schema: z.core.$ZodType][] {
  const { def } = (schema as Schema)._zod;
  switch (def.type) {
    case 'string':
    case 'unknown':
      return [[path, schema]];
    case 'object':
      return Object.entries(def.shape).flatMap(([name, field]) => textsOf(field, `${path}.${name}`));
    case 'array':
      return textsOf(def.element, `${path}[]`);
    case 'record':
      return [...textsOf(def.keyType, `${path} key`), ...textsOf(def.valueType, `${path} value`)];
    case 'union':
      return def.options.flatMap((option, index) => textsOf(option, `${path}|${index}`));
    case 'optional':
    case 'nullable':
    case 'default':
      return textsOf(def.innerType, path);
    case 'pipe':
      // What comes after the text may refuse it as well.
      return (def.in as Schema)._zod.def.type === 'string' ? [[path, schema]] : textsOf(def.in, path);
    case 'number':
    case 'boolean':
    case 'enum':
    case 'literal':
    case 'null':
      return [];
    default:
      throw new Error(`${path}: this test does not know what a ${def.type} reads`);
  }
}

const isSchema = (value: unknown): value is z.core.$ZodType =>
  typeof value === 'object' && value !== null && '_zod' in value;

// Headers are not among them: Node refuses a request with a NUL in one.
const read: [string, z.core.$ZodType][] = [
  ...endpoints.flatMap(({ id, body, bodyType, query, params }) =>
    Object.entries({ body: bodyType === undefined ? body : undefined, query, params }).flatMap(
      ([part, schema]): [string, z.core.$ZodType][] => (schema ? [[`${id} ${part}`, schema]] : []),
    ),
  ),
  ...Object.entries({ whipPath, whipQuery, whepPath, whepQuery, eventNames, layerChoice, accountId }),
  ...Object.entries<unknown>(commandData).flatMap(([name, value]): [string, z.core.$ZodType][] =>
    isSchema(value) ? [[name, value]] : [],
  ),
];
const texts = read.flatMap(([name, schema]) => textsOf(schema, name));

describe('every text that a client may send', () => {
  it('is among those of this test', () => {
    for (const known of [
      'authorizeViewer body.streamAccountId',
      'authorizeViewer body.view.layer.encodingId',
      'createPublishToken body.label',
      'createPublishToken body.streams[].streamName',
      'createPublishToken body.allowedOrigins[]',
      'updateSubscribeToken body.removeTokenStreams[]',
      'explain body.origin',
      'login body.code',
      'whepPath.accountId',
      'publishData.sdp',
    ])
      assert.ok(
        texts.some(([path]) => path === known),
        `${known} is not among ${texts.map(([path]) => path).join(', ')}`,
      );
  });

  for (const [what, unfit] of Object.entries(UNFIT)) {
    it(`is refused with ${what} in it`, () => {
      const taken = texts.filter(([, schema]) => (schema as z.ZodMiniType).safeParse(unfit).success);
      assert.deepEqual(
        taken.map(([path]) => path),
        [],
      );
    });
  }
});

describe('a text with a NUL in it', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  it('is refused wherever it would be kept', async () => {
    const app = await managementApp(cleanup);
    const viewer = await askDirector(app, 'subscribe', undefined, { streamName: 'main', streamAccountId: '\0' });
    const label = await ask(app, 'POST', '/api/publish_token', { label: '\0' });
    const name = await ask(app, 'GET', '/api/refusals?streamName=%00');
    const whip = await fetch(`${app.origin}/api/whip/%00`, {
      method: 'POST',
      headers: { 'content-type': 'application/sdp', authorization: 'Bearer x' },
      body: 'v=0',
    });
    assert.deepEqual([viewer.status, label.status, name.status, whip.status], [400, 400, 400, 400]);
    assert.deepEqual([viewer.body.data.code, label.body.data.code], ['invalid_request', 'invalid_request']);
    assert.equal(whip.headers.get('streamgate-code'), 'invalid_request');
  });
});
