import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { iceCredentialsOf, parseSdpFragment, sameIceSession } from '../../../server/ingest/sdp-fragment.js';
import { ApiError } from '../../../server/errors.js';
import { sdpOffer } from '../../support/media/offer.js';

const UFRAG = 'EsAw';
const PWD = 'P2uYro0UCOQ4zxjKXaWCBui1';
const CANDIDATE = '1387637174 1 udp 2122260223 192.0.2.1 61764 typ host generation 0 ufrag EsAw network-id 1';

const fragment = (...lines: string[]): string => lines.map((line) => `${line}\r\n`).join('');
const WHOLE = fragment(
  'a=group:BUNDLE 0 1',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111',
  'a=mid:0',
  `a=ice-ufrag:${UFRAG}`,
  `a=ice-pwd:${PWD}`,
  `a=candidate:${CANDIDATE}`,
  'a=end-of-candidates',
);

const refused = (text: string, message: RegExp): void =>
  assert.throws(
    () => parseSdpFragment(text),
    (error) => error instanceof ApiError && error.code === 'invalid_sdp_fragment' && message.test(error.message),
  );

describe('parseSdpFragment', () => {
  it('parses credentials in a media section, as in RFC 9725', () => {
    assert.deepEqual(parseSdpFragment(WHOLE), { usernameFragment: UFRAG, password: PWD });
  });

  it('parses credentials before the first media section, and bare line feeds', () => {
    const text = `a=ice-ufrag:${UFRAG}\na=ice-pwd:${PWD}\nm=audio 9 RTP/AVP 0\na=mid:0\n`;
    assert.deepEqual(parseSdpFragment(text), { usernameFragment: UFRAG, password: PWD });
  });

  it('accepts an empty attribute, which browsers send after the last candidate', () => {
    const text = fragment(`a=ice-ufrag:${UFRAG}`, `a=ice-pwd:${PWD}`, 'm=audio 9 RTP/AVP 0', 'a=mid:0', 'a=');
    assert.equal(parseSdpFragment(text).usernameFragment, UFRAG);
  });

  it('refuses a fragment without credentials, with short ones, and with two that differ', () => {
    refused('', /ice-ufrag/);
    refused(fragment(`a=ice-pwd:${PWD}`), /ice-ufrag/);
    refused(fragment(`a=ice-ufrag:${UFRAG}`), /ice-pwd/);
    refused(fragment(`a=ice-ufrag:abc`, `a=ice-pwd:${PWD}`), /ice-ufrag/);
    refused(fragment(`a=ice-ufrag:${UFRAG}`, `a=ice-pwd:short`), /ice-pwd/);
    refused(`${WHOLE}m=video 9 UDP/TLS/RTP/SAVPF 96\r\na=ice-ufrag:Other\r\n`, /ice-ufrag/);
  });

  it('refuses text that is not a fragment', () => {
    refused(`v=0\r\n${WHOLE}`, /neither a= nor m=/);
    refused('{"candidate":""}', /neither a= nor m=/);
  });

  it('parses or refuses any text with that code', () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom('a=', 'm=audio 9 RTP/AVP 0', 'a=mid:0', 'a=end-of-candidates', `a=candidate:${CANDIDATE}`),
      fc.string().map((value) => `a=ice-ufrag:${value}`),
      fc.string().map((value) => `a=ice-pwd:${value}`),
    );
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\n', '\r\n', '\r'), (lines, end) => {
        try {
          const { usernameFragment, password } = parseSdpFragment(lines.join(end));
          assert.ok(usernameFragment.length >= 4 && password.length >= 22);
        } catch (error) {
          assert.ok(error instanceof ApiError && error.code === 'invalid_sdp_fragment');
        }
      }),
    );
  });

  it('returns the credentials of a fragment, whatever its candidates are', () => {
    const text = (minLength: number) =>
      fc.string({ unit: fc.constantFrom(...'abcXYZ019+/'), minLength, maxLength: 256 });
    const candidate = fc.string({ unit: fc.constantFrom(...'udp 0123.:'), minLength: 1 });
    fc.assert(
      fc.property(text(4), text(22), fc.array(candidate), (usernameFragment, password, candidates) => {
        const lines = [`a=ice-ufrag:${usernameFragment}`, `a=ice-pwd:${password}`, 'm=audio 9 RTP/AVP 0', 'a=mid:0'];
        lines.push(...candidates.map((value) => `a=candidate:${value}`), 'a=end-of-candidates');
        assert.deepEqual(parseSdpFragment(fragment(...lines)), { usernameFragment, password });
      }),
    );
  });
});

describe('sameIceSession', () => {
  const ice = { usernameFragment: UFRAG, password: PWD, fingerprint: 'sha-256 AB' };

  it('holds for a fragment of the client that made the offer', () => {
    assert.equal(sameIceSession(iceCredentialsOf(sdpOffer({ ice })), parseSdpFragment(WHOLE)), true);
  });

  it('does not hold if either credential differs', () => {
    const offered = iceCredentialsOf(sdpOffer({ ice }));
    assert.equal(sameIceSession(offered, { ...ice, usernameFragment: 'ysXw' }), false);
    assert.equal(sameIceSession(offered, { ...ice, password: 'vw5LmwG4y/e6dPP/zAP9Gp5k' }), false);
  });
});
