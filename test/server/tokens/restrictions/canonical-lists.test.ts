import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { InvalidRequestError } from '../../../../server/errors.js';
import { checkAddresses, checkOrigins } from '../../../../server/tokens/restrictions/canonical-lists.js';

describe('checkOrigins', () => {
  const refusal = (list: string[]): InvalidRequestError => {
    try {
      checkOrigins('allowedOrigins', list);
    } catch (error) {
      if (error instanceof InvalidRequestError) return error;
      throw error;
    }
    return assert.fail('nothing was refused');
  };

  it('returns each origin once', () => {
    const list = ['Example.com', 'https://b.example:443', 'example.com.', 'https://b.example'];
    assert.deepEqual(checkOrigins('allowedOrigins', list), ['example.com', 'https://b.example']);
  });

  it('names every invalid entry', () => {
    const { status, code, errors } = refusal(['example.com', '*.com', 'b.example', 'b.example/path']);
    assert.deepEqual([status, code], [400, 'invalid_origin']);
    assert.deepEqual(Object.keys(errors), ['allowedOrigins.1', 'allowedOrigins.3']);
  });

  it('names at most 20 invalid entries', () =>
    assert.equal(Object.keys(refusal(Array.from({ length: 1_000 }, () => '*')).errors).length, 20));
});

describe('checkAddresses', () => {
  it('returns each range once', () =>
    assert.deepEqual(checkAddresses('f', ['10.0.0.1/8', '10.9.9.9/8', '::ffff:1.2.3.4', '1.2.3.4']), [
      '10.0.0.0/8',
      '1.2.3.4',
    ]));

  it('names every invalid entry', () => {
    assert.throws(
      () => checkAddresses('updateAllowedIpAddresses', ['1.2.3.4', '127.1', '*']),
      (error) => {
        assert.ok(error instanceof InvalidRequestError);
        assert.deepEqual([error.status, error.code], [400, 'invalid_address']);
        assert.deepEqual(Object.keys(error.errors), ['updateAllowedIpAddresses.1', 'updateAllowedIpAddresses.2']);
        return true;
      },
    );
  });
});
