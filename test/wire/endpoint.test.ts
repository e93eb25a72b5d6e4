import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { checkEndpoint, endpointFault, isEndpoint } from '../../src/wire/endpoint.js';

describe('the endpoint', () => {
  for (const endpoint of [
    'https://live.example.com',
    'http://localhost:8080/',
    'HTTPS://x.test/live',
    'http://[::1]:80',
  ]) {
    it(`may be ${endpoint}`, () => assert.equal(endpointFault(endpoint), undefined));
  }

  for (const [endpoint, fault] of [
    ['example.com', 'The endpoint "example.com" has no scheme. Write "https://example.com".'],
    ['//example.com', 'The endpoint "//example.com" has no scheme. Write "https://example.com".'],
    ['example.com:8443', 'The endpoint "example.com:8443" has no scheme. Write "https://example.com:8443".'],
    ['localhost:8080', 'The endpoint "localhost:8080" has no scheme. Write "http://localhost:8080".'],
    ['[::1]:8080', 'The endpoint "[::1]:8080" has no scheme. Write "http://[::1]:8080".'],
    ['wss://example.com', 'The endpoint "wss://example.com" begins with "wss://". Write "https://" or "http://".'],
    ['', 'The endpoint "" is not a URL. Write one such as "https://live.example.com".'],
    ['/live', 'The endpoint "/live" is not a URL. Write one such as "https://live.example.com".'],
    ['https:///live', 'The endpoint "https:///live" is not a URL. Write one such as "https://live.example.com".'],
    ['https://a b', 'The endpoint "https://a b" is not a URL. Write one such as "https://live.example.com".'],
  ] as const) {
    it(`is not ${JSON.stringify(endpoint)}, and the sentence says what to write`, () =>
      assert.throws(() => checkEndpoint(endpoint), new TypeError(fault)));
  }

  it('is what isEndpoint accepts, and so is the URL in the sentence', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webAuthority({ withPort: true }), fc.webUrl()), (endpoint) => {
        const fault = endpointFault(endpoint);
        assert.equal(fault === undefined, isEndpoint(endpoint));
        const [, proposed] = /has no scheme\. Write "(.*)"\.$/s.exec(fault ?? '') ?? [];
        if (proposed !== undefined) assert.equal(isEndpoint(proposed), true, proposed);
      }),
    );
  });
});
