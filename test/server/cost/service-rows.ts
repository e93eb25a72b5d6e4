import fc from 'fast-check';
import { parseJson } from '../../../server/bounded-json.js';
import { costRow, repeated, type CheckedRow } from '../../support/cost.js';

/** What JSON can repeat, in a list. */
const elements = ['1', '{}', '[]', '""', 'null', '{"a":1}', '"\\\\"', '"a,b{"', '[[[[]]]]'];

/** JSON, text that is none, and texts with what looks like more JSON. */
const hostileJson = fc.oneof(
  repeated(fc.constantFrom(...elements), { before: '[', between: ',', after: ']' }),
  repeated((index) => `"k${index}":0`, { before: '{', between: ',', after: '}' }),
  repeated(fc.constantFrom('\\\\', '\\"', ',', '[', 'a'), { before: '"', after: '"' }),
  repeated(fc.constantFrom('[', '{"a":', '"', ' ', '\\')),
);

export const serviceRows: readonly CheckedRow[] = [
  costRow({
    name: 'JSON of anybody',
    parsers: ['server/bounded-json.ts parseJson'],
    // `MAX_BODY_BYTES`
    limit: 64 * 1024,
    inputs: hostileJson,
    read: parseJson,
  }),
];
