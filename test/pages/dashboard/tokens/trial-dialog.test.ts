import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { originOf, requestOf } from '../../../../src/pages/dashboard/tokens/trial-dialog.js';
import { tokenBody } from '../../../support/token-body.js';

describe('the test of the rules of a token', () => {
  const request = (fields: Readonly<Record<string, string>>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    return requestOf(form, { kind: 'subscribe', token: tokenBody({ id: 7 }) });
  };

  it('asks without what was left empty', () =>
    assert.deepEqual(request({ streamName: ' keynote ', origin: '', address: '' }), {
      kind: 'subscribe',
      tokenId: 7,
      streamName: 'keynote',
    }));

  it('asks with the website as browsers send it', () =>
    assert.deepEqual(request({ streamName: 'a', origin: 'Example.com/watch?x=1', address: ' 203.0.113.7 ' }), {
      kind: 'subscribe',
      tokenId: 7,
      streamName: 'a',
      origin: 'https://example.com',
      ip: '203.0.113.7',
    }));

  for (const [website, origin] of [
    ['http://example.com:8080/a', 'http://example.com:8080'],
    ['example.com:8443', 'https://example.com:8443'],
    ['capacitor://localhost', 'capacitor://localhost'],
    ['null', 'null'],
    ['not a website', 'not a website'],
  ] as const) {
    it(`takes ${website} for ${origin}`, () => assert.equal(originOf(website), origin));
  }
});
