import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { MediaError } from '../../../server/media/engine/media-error.js';
import { readOfferAnswer, readRemovalStatus, type OfferAnswer } from '../../../server/upstream/upstream-answer.js';
import { ANSWER, EXCHANGES } from '../../support/upstream-exchanges.js';

const ENDPOINT = new URL('https://media.example/whip/show');
const answer = (status: number, headers: OfferAnswer['headers'] = {}, body = ''): OfferAnswer => ({
  status,
  headers,
  body,
});
const codeOf = (call: 'publish' | 'view', given: OfferAnswer): string => {
  const outcome = readOfferAnswer(call, ENDPOINT, given);
  return outcome.name === 'failed' ? outcome.error.code : outcome.name;
};

for (const [software, exchanges] of Object.entries(EXCHANGES)) {
  describe(`the answers of ${software}`, () => {
    const publishUrl = new URL(exchanges.publishUrl);
    const viewUrl = new URL(exchanges.viewUrl);

    it('have the SDP answer and the address of the session', () => {
      const [publish, view] = exchanges.sessions;
      for (const [call, url, given, location] of [
        ['publish', publishUrl, exchanges.published, publish],
        ['view', viewUrl, exchanges.viewed, view],
      ] as const) {
        const outcome = readOfferAnswer(call, url, given);
        assert.equal(outcome.name, 'answered');
        assert.deepEqual(outcome.name === 'answered' && [outcome.sdp, outcome.location.href], [ANSWER, location]);
      }
    });

    it('say to a viewer that nobody publishes', () => {
      assert.deepEqual(readOfferAnswer('view', viewUrl, exchanges.notLive), { name: 'not_live' });
    });

    it('refuse a wrong token with a code that is not tried again', () => {
      assert.equal(codeOf('publish', exchanges.unauthorized), 'upstream_refused');
      assert.equal(codeOf('view', exchanges.unauthorized), 'upstream_refused');
    });
  });
}

describe('an answer to an offer', () => {
  it('is that of a session only with SDP and a Location', () => {
    const location = '/session/1';
    assert.equal(codeOf('publish', answer(201, { location }, ANSWER)), 'answered');
    assert.equal(codeOf('publish', answer(200, { location }, ANSWER)), 'answered');
    assert.equal(codeOf('publish', answer(201, {}, ANSWER)), 'upstream_refused');
    assert.equal(codeOf('publish', answer(201, { location }, '{"code":400}')), 'upstream_refused');
  });

  it('sends the offer elsewhere, but not from https to http and not to another kind of address', () => {
    const redirected = readOfferAnswer(
      'publish',
      ENDPOINT,
      answer(307, { location: 'https://node-2.example/whip/show' }),
    );
    assert.deepEqual(redirected, { name: 'redirected', to: new URL('https://node-2.example/whip/show') });
    for (const location of [
      'http://media.example/x',
      'file:///etc/passwd',
      'https://user:pass@media.example/',
      undefined,
    ]) {
      assert.equal(codeOf('publish', answer(308, { location })), 'upstream_refused', location);
    }
    // A method that changes to GET would lose the offer.
    assert.equal(codeOf('publish', answer(302, { location: 'https://node-2.example/' })), 'upstream_refused');
  });

  it('tells a name in use, a bad offer, a wrong address and an outage apart', () => {
    const codes = [400, 404, 405, 409, 415, 422, 429, 500, 503].map((status) => [
      status,
      codeOf('publish', answer(status)),
    ]);
    assert.deepEqual(codes, [
      [400, 'invalid_sdp'],
      [404, 'upstream_refused'],
      [405, 'upstream_refused'],
      [409, 'stream_in_use'],
      [415, 'invalid_sdp'],
      [422, 'invalid_sdp'],
      [429, 'engine_unavailable'],
      [500, 'engine_unavailable'],
      [503, 'engine_unavailable'],
    ]);
  });

  it('never makes reading it fail, and never names a session without an address of http or https', () => {
    const headers = fc.dictionary(fc.constantFrom('location', 'etag', 'link'), fc.oneof(fc.string(), fc.webUrl()));
    fc.assert(
      fc.property(
        fc.constantFrom('publish', 'view'),
        fc.integer({ min: 100, max: 999 }),
        headers,
        fc.string(),
        (...given) => {
          const [call, status, known, text] = given;
          const outcome = readOfferAnswer(call, ENDPOINT, answer(status, known, `v=0${text}`));
          if (outcome.name === 'answered') assert.equal(outcome.location.protocol, 'https:');
          if (outcome.name === 'failed')
            assert.ok(outcome.error instanceof MediaError && outcome.error.message.length > 0);
        },
      ),
    );
  });
});

it('the DELETE of a session is repeated only where that can help', () => {
  const outcomes = [200, 204, 404, 410, 401, 405, 408, 429, 500, 503].map((status) => readRemovalStatus(status));
  assert.deepEqual(outcomes, [
    'removed',
    'removed',
    'removed',
    'removed',
    'failed',
    'failed',
    'retry',
    'retry',
    'retry',
    'retry',
  ]);
});
