import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { readOffer } from '../../../server/media/sdp/offer.js';
import { publisherOffer, viewerMids } from '../../../server/upstream/upstream-offer.js';
import { sdpOffer } from '../../support/media/offer.js';

describe('the offer of a publisher for an upstream', () => {
  const offer = readFileSync(
    new URL('../../support/media/offers/sdk-0.6.1-publish-bandwidth.offer.sdp', import.meta.url),
    'utf8',
  );
  const codecsOf = (sdp: string) => readOffer(sdp).media.flatMap(({ formats }) => formats.map(({ codec }) => codec));

  it('stays as it is if any codec will do', () => {
    assert.deepEqual(publisherOffer(offer, undefined), { sdp: offer, kinds: ['audio', 'video'] });
  });

  it('has only the codec that the publisher asks for, with its retransmission, and all of the sound', () => {
    const { sdp } = publisherOffer(offer, 'h264');
    assert.deepEqual([...new Set(codecsOf(sdp))], ['opus', 'h264']);
    const [sound, picture] = readOffer(sdp).media;
    assert.deepEqual(sound, readOffer(offer).media[0]);
    const repairs = Object.keys(picture!.retransmissions).length;
    assert.ok(repairs > 0);
    assert.equal(picture!.payloads.length, picture!.formats.length + repairs);
    for (const line of sdp.split('\r\n')) {
      const [, payload] = /^a=(?:rtpmap|fmtp|rtcp-fb):(\d+)/.exec(line) ?? [];
      if (payload) assert.ok([...sound!.payloads, ...picture!.payloads].includes(payload), line);
    }
  });

  it('is refused without that codec, and where it sends nothing', () => {
    const onlyVp8 = sdpOffer({ direction: 'sendonly', videoCodecs: ['vp8'] });
    assert.throws(() => publisherOffer(onlyVp8, 'av1'), { code: 'no_common_codec' });
    assert.throws(() => publisherOffer(sdpOffer({ direction: 'recvonly' }), undefined), { code: 'invalid_sdp' });
  });
});

it('the offer of a viewer names the first m-line of each kind', () => {
  assert.deepEqual(viewerMids(sdpOffer({ kinds: ['video', 'audio', 'audio'] })), { video: '0', audio: '1' });
  assert.throws(() => viewerMids('hello'), { code: 'invalid_sdp' });
});
