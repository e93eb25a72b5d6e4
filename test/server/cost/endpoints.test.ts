import { describe, it } from 'node:test';
import { parse as parseQuery } from 'node:querystring';
import * as z from 'zod/mini';
import { parseJson } from '../../../server/bounded-json.js';
import { endpoints } from '../../../server/http/endpoints/endpoints.js';
import { MAX_BODY_BYTES } from '../../../server/http/request/json-body.js';
import { parse } from '../../../server/http/request/parse.js';
import * as commandData from '../../../server/signalling/command-data.js';
import { parseCommandData } from '../../../server/signalling/command-data.js';
import { parseFrame } from '../../../server/signalling/frame.js';
import { viewRequest } from '../../../src/wire/websocket/view-request.js';
import { MB, mustAllBeCheap, repeatedText, type NamedInput } from '../../support/cost.js';
import { asPart, hostileJson, partOf, type HostileInput } from '../../support/hostile-json.js';

/** Node takes no more of headers and URL together (`--max-http-header-size`). */
const MAX_HEAD_BYTES = 16 * 1024;
/** As in `signalling-server.ts`. */
const MAX_FRAME_BYTES = 64 * 1024;

/** `querystring` of Node joins the parts between `+`, 33 bytes for each of at most 16 kB, and the schema is not the cause. */
const QUERY_MEMORY = 400 * 1024;

const QUERIES: readonly NamedInput<string>[] = [
  ['a', ''],
  ['&', ''],
  ['=', ''],
  ['a&', ''],
  ['%41', 'a='],
  ['%', 'a='],
  ['+', 'a='],
  ['[', 'a'],
  ['a=1&', ''],
].map(([element = '', before = '']) => ({ name: element, grow: repeatedText(element, { before }) }));

/**
 * What zod alone leaves behind: it makes an object and a list of issues for each value that it checks, of which a body
 * has at most 4,500, and a list of objects most of all (950 bytes for each stream of a token).
 */
const fixedMemoryOf = (body: z.ZodMiniType): number =>
  JSON.stringify(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })).includes('"items":{"type":"object"')
    ? MB
    : 128 * 1024;

/** Endpoints share parts of their schemas. Each part is measured once for each way in which it is read. */
const measured = new Set<string>();
function notMeasured(inputs: readonly HostileInput[], way: string): readonly HostileInput[] {
  const left = inputs.filter(({ part }) => !measured.has(`${way} ${part}`));
  for (const { part } of left) measured.add(`${way} ${part}`);
  return left;
}

const queriesOfKey = (key: string): readonly NamedInput<string>[] => [
  ...['a', ' ', '%00', '%F0%9F%8E%A5', '.', ',', '-', '1', '/', '%22', '*'].map((element) => ({
    name: `${key} of ${element}`,
    grow: repeatedText(element, { before: `${key}=` }),
  })),
  { name: `${key} again and again`, grow: repeatedText(`${key}=a`, { between: '&' }) },
];

const queriesOf = (schema: z.ZodMiniObject): readonly HostileInput[] => [
  ...QUERIES.map((input) => asPart(input, partOf(schema))),
  ...Object.entries<z.core.$ZodType>({ ...schema.shape }).flatMap(([key, value]) =>
    queriesOfKey(key).map((input) => asPart(input, partOf(value))),
  ),
];

describe('the body of each endpoint costs little, with each of its parts repeated:', () => {
  for (const { id, body, bodyLimit = MAX_BODY_BYTES, bodyType } of endpoints) {
    if (!body || bodyType !== undefined) continue;
    const inputs = notMeasured(hostileJson(body), `a body of ${bodyLimit}`);
    if (inputs.length === 0) continue;
    it(id, () =>
      mustAllBeCheap(
        {
          name: id,
          parsers: ['server/http/request/parse.ts parse'],
          limit: bodyLimit,
          read: (text: string) => parse(body, parseJson(text)),
          fixedMemory: fixedMemoryOf(body),
          // Text of a few hundred kB does not fit into the young generation.
          maxGrowth: bodyLimit > MAX_BODY_BYTES ? 3 : 1.75,
        },
        inputs,
      ),
    );
  }
});

describe('the query and the path of each endpoint cost little, with each of their parts repeated:', () => {
  for (const { id, query, params } of endpoints) {
    const schemas: readonly [string, z.ZodMiniObject | undefined][] = [
      ['query', query],
      ['path', params],
    ];
    for (const [part, schema] of schemas) {
      const inputs = schema ? notMeasured(queriesOf(schema), 'a query') : [];
      if (!schema || inputs.length === 0) continue;
      it(`${id} ${part}`, () =>
        mustAllBeCheap(
          {
            name: `${id} ${part}`,
            parsers: ['server/http/request/parse.ts parse'],
            limit: MAX_HEAD_BYTES,
            read: (text: string) => parse(schema, parseQuery(text)),
            fixedMemory: QUERY_MEMORY,
          },
          inputs,
        ));
    }
  }
});

describe('the data of each command costs little, with each of its parts repeated:', () => {
  const schemas = Object.entries<unknown>({ ...commandData, viewRequest }).filter(
    (entry): entry is [string, z.ZodMiniType] => entry[1] instanceof z.ZodMiniType,
  );
  for (const [name, schema] of schemas) {
    const inputs = notMeasured(hostileJson(schema), 'a command');
    if (inputs.length === 0) continue;
    it(name, () =>
      mustAllBeCheap(
        {
          name,
          parsers: ['server/signalling/frame.ts parseFrame', 'server/signalling/command-data.ts parseCommandData'],
          limit: MAX_FRAME_BYTES,
          read(data: string) {
            const parsed = parseFrame(`{"type":"cmd","transId":1,"name":"x","data":${data}}`);
            return parsed.ok ? parseCommandData(schema, parsed.command) : parsed;
          },
        },
        inputs,
      ),
    );
  }
});
