import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { InvalidRequestError } from '../../../../server/errors.js';
import { parse } from '../../../../server/http/request/parse.js';
import { createPublishToken, updatePublishToken } from '../../../../src/wire/management/token.js';

const faultOf = (schema: Parameters<typeof parse>[0], body: object): unknown => {
  try {
    return parse(schema, body);
  } catch (error) {
    return error instanceof InvalidRequestError ? error.errors : error;
  }
};

describe('a field that there is not', () => {
  for (const [written, meant] of [
    ['stream', 'streams'],
    ['expiresOn', 'expires'],
    ['allowedOrigin', 'allowedOrigins'],
  ] as const) {
    it(`is refused, and ${meant} suggested for ${written}`, () => {
      for (const schema of [createPublishToken, updatePublishToken]) {
        assert.deepEqual(faultOf(schema, { label: 'Studio', [written]: [] }), {
          '': [`Unrecognized key: "${written}". Did you mean: ${meant}?`],
        });
      }
    });
  }

  it('is only named when nothing like it is there, or when it is long', () => {
    for (const name of ['colour', 'streams'.repeat(10_000)]) {
      assert.deepEqual(faultOf(createPublishToken, { [name]: 1 }), { '': [`Unrecognized key: "${name}"`] });
    }
  });
});
