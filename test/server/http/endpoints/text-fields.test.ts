import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import * as z from 'zod/mini';
import { endpoints } from '../../../../server/http/endpoints/endpoints.js';
import * as commandData from '../../../../server/signalling/command-data.js';
import { accountId } from '../../../../src/wire/text.js';
import { Cleanup } from '../../../support/cleanup.js';
import { ask, managementApp } from '../../../support/management-app.js';
import { askDirector } from '../../../support/stream-server.js';

/** Text that PostgreSQL cannot store, or that UTF-8 cannot encode. */
const UNFIT = { 'a NUL': 'a\0b', 'half a surrogate pair': 'a\ud800b', 'the other half': '\udc00' };

/** Each field accepts at least one of these texts. */
const ID = '0'.repeat(32);
const FIT = [
  'CH',
  'main',
  '1',
  'main/main',
  'true',
  'h264',
  'key_0123456789ab',
  'ses_0123456789ab',
  'mem_0123456789ab',
  'pky_0123456789ab',
  '123456',
  '#e5484d',
  'https://example.com/hooks',
  'correct horse battery',
  'left',
  'playlist.m3u8',
  'part-1-0.m4s',
  '2026-11',
  '2026-11-20T13:00:00Z',
  'kX3v9sQp0ZbT7mWcY1aRdg',
  ID,
  `1-${ID}`,
];

type JsonSchema = z.core.JSONSchema.JSONSchema;
type Path = readonly (string | number)[];

/** A text inside a request: the schema of the request, and where the text is. */
interface TextField {
  readonly name: string;
  readonly schema: z.ZodMiniType;
  readonly path: Path;
  /** The schema describes any JSON, and accepts only certain values. */
  readonly isUnknown: boolean;
}

/** Every text field of a request. Words of a list are not included. */
function textFieldsOf(name: string, schema: z.ZodMiniType): TextField[] {
  const fields = (json: JsonSchema, path: Path): TextField[] => {
    assert.equal(json.$ref, undefined, `${name}: this test does not follow references`);
    if (json.anyOf) return json.anyOf.flatMap((option) => fields(option, path));
    if (json.enum !== undefined || json.const !== undefined) return [];
    if (json.type === 'object') {
      assert.ok(typeof json.additionalProperties !== 'object', `${name}: this test does not check records`);
      return Object.entries(json.properties ?? {}).flatMap(([key, value]) => fields(schemaOf(value), [...path, key]));
    }
    if (json.type === 'array') return fields(schemaOf(json.items), [...path, 0]);
    if (json.type !== undefined && json.type !== 'string') return [];
    const suffix = path.map((key) => (typeof key === 'number' ? '[]' : `.${key}`)).join('');
    return [{ name: name + suffix, schema, path, isUnknown: json.type === undefined }];
  };
  // Without the metadata of zod-openapi, which would put some schemas behind a $ref.
  return fields(z.toJSONSchema(schema, { io: 'input', metadata: z.registry() }), []);
}

function schemaOf(value: JsonSchema['items'] | boolean): JsonSchema {
  assert.ok(typeof value === 'object' && !Array.isArray(value));
  return value as JsonSchema;
}

/** Whether the schema accepts this text in this field. Other required fields are missing, which does not count. */
function accepts({ schema, path }: TextField, text: string): boolean {
  const request = path.reduceRight<unknown>((value, key) => (key === 0 ? [value] : { [key]: value }), text);
  const { error } = schema.safeParse(request);
  return !error?.issues.some((issue) => issue.path.every((key, index) => key === path[index]));
}

// Headers are not included: Node refuses a request with a NUL in a header.
const schemas: [string, z.ZodMiniType][] = [
  ...endpoints.flatMap(({ id, body, bodyType, query, params }) =>
    Object.entries({ body: bodyType === undefined ? body : undefined, query, params }).flatMap(
      ([part, schema]): [string, z.ZodMiniType][] => (schema ? [[`${id} ${part}`, schema]] : []),
    ),
  ),
  ['accountId', accountId],
  ...Object.entries<unknown>(commandData).flatMap(([name, value]): [string, z.ZodMiniType][] =>
    value instanceof z.ZodMiniType ? [[name, value]] : [],
  ),
];
const texts = schemas.flatMap(([name, schema]) => textFieldsOf(name, schema));

describe('every text field that a client may send', () => {
  it('is found by this test', () => {
    for (const known of [
      'authorizeViewer body.streamAccountId',
      'authorizeViewer body.view.layer.encodingId',
      'createPublishToken body.label',
      'createPublishToken body.streams[].streamName',
      'createPublishToken body.allowedOrigins[]',
      'updateSubscribeToken body.removeTokenStreams[]',
      'explain body.origin',
      'login body.code',
      'viewByWhep params.accountId',
      'publishData.sdp',
    ])
      assert.ok(
        texts.some(({ name }) => name === known),
        `${known} is not among ${texts.map(({ name }) => name).join(', ')}`,
      );
  });

  it('accepts some text', () => {
    const closed = texts.filter((field) => !field.isUnknown && !FIT.some((text) => accepts(field, text)));
    assert.deepEqual(
      closed.map(({ name }) => name),
      [],
    );
  });

  for (const [what, unfit] of Object.entries(UNFIT)) {
    it(`is refused with ${what} in it`, () => {
      const open = texts.filter((field) => accepts(field, unfit));
      assert.deepEqual(
        open.map(({ name }) => name),
        [],
      );
    });
  }
});

describe('a text with a NUL', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  it('is refused wherever it would be stored', async () => {
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
