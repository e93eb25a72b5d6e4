import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { en as common } from '../../../../src/pages/dashboard/messages/en.js';
import { en as messages } from '../../../../src/pages/dashboard/tokens/messages/en.js';
import { countryName } from '../../../../src/pages/dashboard/formatting.js';
import { nameOf, tokenFacts } from '../../../../src/pages/dashboard/tokens/token-facts.js';
import { tokenBody } from '../../../support/token-body.js';

const texts = { messages, common, language: 'en' };
const valuesOf = (change: Parameters<typeof tokenBody>[0], name: string) =>
  tokenFacts(tokenBody(change), texts).find((fact) => fact.name === name)?.values;

describe('the facts about a token', () => {
  it('are titled by its label, or else by its streams', () => {
    assert.equal(nameOf(tokenBody({ label: 'obs' }), common), 'obs');
    assert.equal(nameOf(tokenBody(), common), 'keynote');
  });

  it('say that a token without restrictions works everywhere', () => {
    assert.deepEqual(valuesOf({}, 'Websites'), ['Every website']);
    assert.deepEqual(valuesOf({}, 'IP addresses'), ['Every address']);
    assert.deepEqual(valuesOf({}, 'IP addresses that are refused'), ['No address']);
    assert.deepEqual(valuesOf({}, 'Countries'), ['Every country']);
    assert.deepEqual(valuesOf({}, 'Countries that are refused'), ['No country']);
    assert.deepEqual(valuesOf({}, 'Expires'), ['Never expires']);
  });

  it('list what it is restricted to, and name countries in the language of the page', () => {
    assert.deepEqual(valuesOf({ allowedOrigins: ['*.example.com'] }, 'Websites'), ['*.example.com']);
    assert.deepEqual(valuesOf({ deniedIpAddresses: ['192.0.2.66'] }, 'IP addresses that are refused'), ['192.0.2.66']);
    assert.deepEqual(valuesOf({ allowedCountries: ['CH', 'AT'] }, 'Countries'), ['Switzerland', 'Austria']);
    assert.equal(countryName('CH', 'fr'), 'Suisse');
    assert.deepEqual(valuesOf({ streams: [{ streamName: 'a.*', isRegex: true }] }, 'Stream names'), [
      'names that match a.*',
    ]);
  });

  it('say how many addresses are bound on first use, and which are bound', () => {
    const bound = { bindIpsOnUsage: 2, boundIps: [{ address: '203.0.113.7', boundOn: '2026-01-01T00:00:00Z' }] };
    assert.deepEqual(valuesOf(bound, 'IP addresses'), ['The first addresses that use it, up to 2']);
    assert.deepEqual(valuesOf(bound, 'Bound addresses'), ['203.0.113.7']);
    assert.deepEqual(valuesOf({ bindIpsOnUsage: 2 }, 'Bound addresses'), ['None yet']);
  });

  it('say what happens when as many watch as the token permits', () => {
    assert.deepEqual(valuesOf({ maxSessions: 0, whenFull: 'refuse' }, 'At once'), ['Any number of viewers']);
    assert.match(String(valuesOf({ maxSessions: 1_000, whenFull: 'refuse' }, 'At once')), /^Up to 1,000 .* refused\.$/);
    assert.match(String(valuesOf({ maxSessions: 2, whenFull: 'displace' }, 'At once')), /takes the place/);
  });

  it('say whether a token records, and after how many days that is deleted', () => {
    assert.deepEqual(valuesOf({ record: false, recordingRetentionDays: null }, 'Recording'), ['Not recorded']);
    assert.deepEqual(valuesOf({ record: true, recordingRetentionDays: 1_000 }, 'Recording'), [
      'Record what is published',
      'Recordings deleted after 1,000 days',
    ]);
  });

  it('are of their kind: only publish tokens decide whether viewers need a token', () => {
    assert.equal(valuesOf({ maxSessions: 1 }, 'Viewers'), undefined);
    assert.equal(valuesOf({ subscribeRequiresAuth: false }, 'At once'), undefined);
    assert.deepEqual(valuesOf({ subscribeRequiresAuth: true }, 'Viewers'), ['Viewers need a token']);
  });
});
