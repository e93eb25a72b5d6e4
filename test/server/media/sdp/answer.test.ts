import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { parse } from 'sdp-transform';
import { writeAnswer, type LocalTransportParameters } from '../../../../server/media/sdp/answer.js';
import { negotiatePublisher, negotiateSubscriber } from '../../../../server/media/sdp/negotiation.js';
import { readOffer, type Offer } from '../../../../server/media/sdp/offer.js';
import type { CongestionFeedback } from '../../../../server/media/sdp/offered-media.js';
import { MediaError } from '../../../../server/media/engine/media-error.js';
import type { TrackKind, VideoCodec } from '../../../../server/media/engine/media-track.js';
import { sdpOffer, type OfferParts } from '../../../support/media/offer.js';

const OFFERS = new URL('../../../support/media/offers/', import.meta.url);
const TRANSPORT_SEQUENCE = 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01';
const SEND_TIME = 'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time';
const MID = 'urn:ietf:params:rtp-hdrext:sdes:mid';
const TRANSPORT: LocalTransportParameters = {
  usernameFragment: 'wxyz',
  password: 'ABCDEFGHIJKLMNOPQRSTUVWX',
  fingerprint: `sha-256 ${'CD:'.repeat(31)}CD`,
  setup: 'passive',
  candidates: ['candidate:1 1 UDP 2114977791 127.0.0.1 40000 typ host'],
};
const source = (kind: TrackKind, mid: string, isMain: boolean, canRepeat: boolean) => ({
  ssrc: kind === 'audio' ? 11 : 22,
  retransmissionSsrc: canRepeat ? 23 : undefined,
  cname: 'c',
  stream: isMain ? 'stream' : `stream-${mid}`,
  track: kind,
});

/** An offer as the process that answers it gets it. */
const sentOffer = (sdp: string) => JSON.parse(JSON.stringify(readOffer(sdp))) as Offer;
const answerPublisher = (offer: string, codec?: VideoCodec) =>
  writeAnswer('1', negotiatePublisher(sentOffer(offer), codec).media, TRANSPORT);
const answerViewer = (offer: string, preferred?: CongestionFeedback) =>
  writeAnswer('1', negotiateSubscriber(sentOffer(offer), source, preferred).media, TRANSPORT);

/** `direction codec,codec` of each m-line. */
const summary = (answer: string) =>
  parse(answer).media.map(({ port, direction, rtp }) =>
    port === 0 ? 'rejected' : `${direction} ${rtp.map(({ codec }) => codec).join(',')}`,
  );

describe('the answer to each offer of the SDK and of Firefox', async () => {
  for (const file of (await readdir(OFFERS)).filter((name) => name.endsWith('.sdp'))) {
    it(file, async () => {
      const offer = await readFile(new URL(file, OFFERS), 'utf8');
      const answer = file.includes('publish') ? answerPublisher(offer) : answerViewer(offer);
      const [offered, answered] = [parse(offer), parse(answer)];
      assert.deepEqual(
        answered.media.map(({ type, mid }) => [type, mid]),
        offered.media.map(({ type, mid }) => [type, mid]),
      );
      const bundled = answered.media.filter(({ port }) => port !== 0).map(({ mid }) => mid);
      assert.equal(String(answered.groups?.[0]?.mids), bundled.join(' '));
      assert.equal(answered.icelite, undefined);
      answered.media.forEach((media, index) => {
        assert.equal(media.setup, 'passive');
        assert.equal(media.rtcpMux, 'rtcp-mux');
        assert.equal(media.candidates?.length, 1);
        const payloads = String(media.payloads).split(' ');
        assert.ok(payloads.every((number) => String(offered.media[index]!.payloads).split(' ').includes(number)));
        assert.deepEqual(
          media.rtp.map(({ payload }) => String(payload)),
          payloads,
        );
      });
    });
  }
});

describe('the answer to a publisher', () => {
  it('accepts one format of each kind', () => {
    assert.deepEqual(summary(answerPublisher(sdpOffer({ direction: 'sendonly' }))), ['recvonly opus', 'recvonly VP8']);
  });

  it('accepts the requested codec and no other', () => {
    assert.deepEqual(summary(answerPublisher(sdpOffer({ direction: 'sendonly' }), 'vp9')), [
      'recvonly opus',
      'recvonly VP9',
    ]);
  });

  const answeredVideo = (parts: OfferParts) =>
    parse(answerPublisher(sdpOffer({ direction: 'sendonly', ...parts }))).media[1]!;
  const feedbackOf = ({ rtcpFb }: ReturnType<typeof answeredVideo>) =>
    rtcpFb?.map(({ type, subtype }) => [type, subtype].filter(Boolean).join(' '));

  it('sets the encoder’s start bitrate', () => {
    assert.match(answeredVideo({}).fmtp[0]!.config, /x-google-start-bitrate=1500/);
  });

  it('agrees on transport feedback if packets have sequence numbers and send times', () => {
    const video = answeredVideo({
      extensions: { 2: SEND_TIME, 3: TRANSPORT_SEQUENCE, 5: 'urn:of:something:else' },
      congestionFeedback: ['goog-remb', 'transport-cc'],
    });
    assert.deepEqual(feedbackOf(video), ['transport-cc', 'ccm fir', 'nack', 'nack pli']);
    assert.deepEqual(
      video.ext?.map(({ value, uri }) => [value, uri]),
      [
        [4, MID],
        [3, TRANSPORT_SEQUENCE],
        [2, SEND_TIME],
      ],
    );
  });

  it('agrees on REMB otherwise', () => {
    const video = answeredVideo({
      extensions: { 3: TRANSPORT_SEQUENCE },
      congestionFeedback: ['goog-remb', 'transport-cc'],
    });
    assert.deepEqual(feedbackOf(video), ['goog-remb', 'ccm fir', 'nack', 'nack pli']);
    assert.deepEqual(
      video.ext?.map(({ uri }) => uri),
      [MID],
    );
    assert.deepEqual(feedbackOf(answeredVideo({})), ['ccm fir', 'nack', 'nack pli']);
  });

  it('accepts every encoding of a simulcast by rid, with the extensions that identify them', () => {
    const simulcast =
      'a=extmap:10 urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id\r\n' +
      'a=extmap:11 urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id\r\n' +
      'a=rid:q send\r\na=rid:h send\r\na=simulcast:send q;h\r\n';
    const [video] = parse(answerPublisher(sdpOffer({ direction: 'sendonly', kinds: ['video'] }) + simulcast)).media;
    assert.deepEqual(video!.rids, [
      { id: 'q', direction: 'recv' },
      { id: 'h', direction: 'recv' },
    ]);
    assert.deepEqual(video!.simulcast, { dir1: 'recv', list1: 'q;h' });
    assert.deepEqual(
      video!.ext?.map(({ value }) => value),
      [4, 10, 11],
    );
  });

  it('has Chrome answer keyframe requests for one encoding of a simulcast with that encoding alone', () => {
    const parameters = (parts: OfferParts) => answeredVideo(parts).fmtp[0]!.config;
    assert.match(parameters({ rids: ['q', 'h'] }), /;x-google-per-layer-pli=1$/);
    assert.match(parameters({ simulcastSsrcs: [2, 4] }), /;x-google-per-layer-pli=1$/);
    assert.doesNotMatch(parameters({}), /per-layer/);
  });

  it('claims no feedback that was not offered', () => {
    assert.deepEqual(feedbackOf(answeredVideo({ lossFeedback: ['nack'] })), ['nack']);
    assert.equal(feedbackOf(answeredVideo({ lossFeedback: [] })), undefined);
    const forAll = sdpOffer({ direction: 'sendonly', kinds: ['video'], lossFeedback: [] });
    const [video] = parse(answerPublisher(`${forAll}a=rtcp-fb:* nack pli\r\n`)).media;
    assert.deepEqual(feedbackOf(video!), ['nack pli']);
    const ofOther = `${forAll}a=rtcp-fb:98 nack pli\r\n`;
    assert.equal(feedbackOf(parse(answerPublisher(ofOther)).media[0]!), undefined);
    const rembOfOther = `${forAll}a=rtcp-fb:98 goog-remb\r\n`;
    assert.equal(feedbackOf(parse(answerPublisher(rembOfOther)).media[0]!), undefined);
    assert.deepEqual(feedbackOf(parse(answerPublisher(rembOfOther, 'vp9')).media[0]!), ['goog-remb']);
  });

  it('accepts RTX if it is offered', async () => {
    const offer = await readFile(new URL('sdk-0.6.1-publish-simulcast_vp8.offer.sdp', OFFERS), 'utf8');
    const [, video] = parse(answerPublisher(offer)).media;
    assert.equal(video!.payloads, '96 97');
    assert.ok(video!.fmtp.some(({ payload, config }) => payload === 97 && config === 'apt=96'));
  });

  it('keeps the m-line of a kind that is not sent', async () => {
    const offer = await readFile(new URL('sdk-0.6.1-publish-disableAudio.offer.sdp', OFFERS), 'utf8');
    assert.deepEqual(summary(answerPublisher(offer)), ['inactive opus', 'recvonly VP8,rtx']);
  });

  it('rejects unknown media', () => {
    const offer = sdpOffer({ kinds: ['video', 'audio'], direction: 'sendonly' });
    const withData = `${offer.replace('BUNDLE 0 1', 'BUNDLE 0 1 3')}m=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\nc=IN IP4 0.0.0.0\r\na=mid:3\r\na=sctp-port:5000\r\n`;
    const answer = answerPublisher(withData);
    assert.deepEqual(summary(answer), ['recvonly VP8', 'recvonly opus', 'rejected']);
    assert.match(answer, /a=group:BUNDLE 0 1\r\n/);
    assert.match(answer, /m=application 0 UDP\/DTLS\/SCTP webrtc-datachannel\r\n/);
  });

  it('asks for stereo and DTX if the publisher offers them', async () => {
    const offer = await readFile(new URL('sdk-0.6.1-publish-all_opts.offer.sdp', OFFERS), 'utf8');
    const audio = parse(answerPublisher(offer)).media.find(({ type }) => type === 'audio');
    const opus = audio!.fmtp.find(({ payload }) => payload === 111)!.config;
    assert.match(opus, /stereo=1/);
    assert.match(opus, /usedtx=1/);
  });
});

describe('the offer of a publisher is answered as a whole or not at all', () => {
  const offer = (parts: OfferParts = {}) => sdpOffer({ direction: 'sendonly', ...parts });
  const unbundled = (parts?: OfferParts) => offer(parts).replace(/a=group.*\r\n/, '');
  const h265 = offer({ videoCodecs: ['h264'] }).replace('H264/90000', 'H265/90000');
  const refusalOf = (sdp: string, codec?: VideoCodec) => {
    try {
      return answerPublisher(sdp, codec);
    } catch (error) {
      assert.ok(error instanceof MediaError);
      return `${error.code}: ${error.message}`;
    }
  };

  for (const [what, sdp, refusal] of [
    [
      'video in H.265 beside Opus',
      h265,
      'no_common_codec: the SDP offer sends video in H265, which this server does not forward: send VP8, H.264, VP9 or AV1',
    ],
    [
      'sound in G.711 beside H.264',
      offer()
        .replace('opus/48000/2', 'PCMU/8000')
        .replace('m=audio 9 UDP/TLS/RTP/SAVPF 111', 'm=audio 9 UDP/TLS/RTP/SAVPF 111 8'),
      'no_common_codec: the SDP offer sends audio in PCMU or PCMA, which this server does not forward: send Opus',
    ],
    [
      'two videos',
      offer({ kinds: ['video', 'video', 'audio'] }),
      'too_many_tracks: the SDP offer sends two tracks of video, and a source has one: publish the other as a source of its own',
    ],
    [
      'two tracks of sound',
      offer({ kinds: ['audio', 'audio', 'video'] }),
      'too_many_tracks: the SDP offer sends two tracks of audio, and a source has one: publish the other as a source of its own',
    ],
    [
      'two tracks over two transports',
      unbundled(),
      'bundle_required: the SDP offer uses several transports, and this server has one for each client: bundle all m-lines (bundlePolicy max-bundle)',
    ],
    [
      'a track outside the bundle',
      offer().replace('BUNDLE 0 1', 'BUNDLE 0'),
      'bundle_required: the SDP offer uses several transports, and this server has one for each client: bundle all m-lines (bundlePolicy max-bundle)',
    ],
    [
      'a track without encryption',
      offer().replace('m=video 9 UDP/TLS/RTP/SAVPF', 'm=video 9 RTP/AVP'),
      'invalid_sdp: the SDP offer cannot be used: its video is not encrypted (RTP/AVP)',
    ],
  ] as const) {
    it(`with ${what}, it is refused`, () => assert.equal(refusalOf(sdp), refusal));
  }

  it('names the codec also where another one is asked for', () => {
    assert.match(refusalOf(h265, 'vp9'), /^no_common_codec: .* in H265,/);
    assert.equal(refusalOf(offer({ videoCodecs: ['vp8'] }), 'vp9'), 'no_common_codec: the SDP offer has no vp9 video');
  });

  it('takes lines that do not send as they are, whatever they have', () => {
    const receiving = h265.replace(/(m=video[^]*?)a=sendonly/, '$1a=recvonly');
    assert.deepEqual(summary(answerPublisher(receiving)), ['recvonly opus', 'rejected']);
    const disabled = h265.replace('m=video 9', 'm=video 0');
    assert.deepEqual(summary(answerPublisher(disabled)), ['recvonly opus', 'rejected']);
  });

  it('takes Opus of an encoder that does not say that it has two channels', () => {
    const answer = answerPublisher(offer().replace('opus/48000/2', 'opus/48000'));
    assert.deepEqual(summary(answer), ['recvonly opus', 'recvonly VP8']);
    assert.match(answer, /a=rtpmap:111 opus\/48000\/2/);
  });

  it('has no bundle in the answer that was not offered', () => {
    const answer = answerPublisher(unbundled({ kinds: ['video'] }));
    assert.deepEqual(summary(answer), ['recvonly VP8']);
    assert.doesNotMatch(answer, /BUNDLE/);
  });
});

describe('sound in the answer', () => {
  const audioOf = (answer: string) => parse(answer).media[0]!;
  const toPublisher = (parts: OfferParts) => audioOf(answerPublisher(sdpOffer({ direction: 'sendonly', ...parts })));
  const toViewer = (parts: OfferParts) => audioOf(answerViewer(sdpOffer(parts)));
  const opus = ({ fmtp }: ReturnType<typeof audioOf>) => fmtp.find(({ payload }) => payload === 111)?.config;
  const feedback = ({ rtcpFb }: ReturnType<typeof audioOf>) =>
    rtcpFb?.filter(({ payload }) => Number(payload) === 111).map(({ type }) => type);

  it('keeps the parameters of a publisher, with error correction and bitrate', () => {
    const parameters = 'minptime=10;useinbandfec=1;stereo=1;sprop-stereo=1;maxaveragebitrate=256000;usedtx=1';
    assert.equal(opus(toPublisher({ opusParameters: parameters })), parameters);
  });

  it('asks a publisher for stereo that announces stereo', () => {
    assert.equal(
      opus(toPublisher({ opusParameters: 'sprop-stereo=1;useinbandfec=1' })),
      'sprop-stereo=1;useinbandfec=1;stereo=1',
    );
    assert.equal(opus(toPublisher({ opusParameters: 'stereo=0; sprop-stereo=1' })), ' sprop-stereo=1;stereo=1');
  });

  it('asks no publisher for stereo that announces none', () => {
    for (const opusParameters of ['useinbandfec=1', 'sprop-stereo=0', 'stereo=0;useinbandfec=1']) {
      assert.equal(opus(toPublisher({ opusParameters })), opusParameters);
    }
  });

  it('announces stereo to a viewer who wants it, whatever the viewer would send', () => {
    assert.equal(
      opus(toViewer({ opusParameters: 'stereo=1;useinbandfec=1' })),
      'stereo=1;useinbandfec=1;sprop-stereo=1',
    );
    assert.equal(opus(toViewer({ opusParameters: 'sprop-stereo=0;stereo=1' })), 'stereo=1;sprop-stereo=1');
    assert.equal(opus(toViewer({ opusParameters: 'sprop-stereo=1;useinbandfec=1' })), 'useinbandfec=1');
  });

  it('takes redundancy from a publisher who offers it, as the first format', () => {
    const audio = toPublisher({ redundancy: true });
    assert.equal(audio.payloads, '63 111');
    assert.deepEqual(
      audio.rtp.map(({ payload, codec, rate, encoding }) => [payload, codec, rate, Number(encoding)]),
      [
        [63, 'red', 48_000, 2],
        [111, 'opus', 48_000, 2],
      ],
    );
    assert.equal(audio.fmtp.find(({ payload }) => payload === 63)?.config, '111/111');
    assert.equal(String(toPublisher({}).payloads), '111');
  });

  it('announces redundancy to a viewer who offers it', () => {
    assert.equal(toViewer({ redundancy: true }).payloads, '111 63');
    assert.equal(String(toViewer({}).payloads), '111');
  });

  it('takes no redundancy of anything but Opus', () => {
    const offer = (from: string, to: string) => sdpOffer({ redundancy: true }).replace(from, to);
    for (const [from, to] of [
      ['a=fmtp:63 111/111', 'a=fmtp:63 111/0'],
      ['a=fmtp:63 111/111\r\n', ''],
      ['red/48000/2', 'red/8000'],
      ['a=rtpmap:63 red', 'a=rtpmap:72 red'],
    ] as const) {
      assert.equal(String(audioOf(answerViewer(offer(from, to))).payloads), '111', to);
    }
  });

  it('agrees on NACK with a publisher who offers it, and on no keyframe requests', () => {
    assert.deepEqual(feedback(toPublisher({ audioNack: true })), ['nack']);
    assert.equal(feedback(toPublisher({})), undefined);
    const offer = `${sdpOffer({ direction: 'sendonly', kinds: ['audio'] })}a=rtcp-fb:* nack\r\na=rtcp-fb:* nack pli\r\n`;
    assert.deepEqual(audioOf(answerPublisher(offer)).rtcpFb, [{ payload: 111, type: 'nack' }]);
  });

  it('agrees on NACK with a viewer if lost packets can be carried by others, or repeated unchanged', () => {
    const numbered = { extensions: { 3: TRANSPORT_SEQUENCE }, congestionFeedback: ['transport-cc'] } as const;
    assert.deepEqual(feedback(toViewer({ audioNack: true })), ['nack']);
    assert.deepEqual(feedback(toViewer({ audioNack: true, redundancy: true, ...numbered })), ['transport-cc', 'nack']);
    assert.deepEqual(feedback(toViewer({ audioNack: true, ...numbered })), ['transport-cc']);
  });
});

describe('the answer to a viewer', () => {
  it('has no bundle that was not offered, and there is none for several transports', () => {
    const unbundled = (parts?: OfferParts) => sdpOffer(parts).replace(/a=group.*\r\n/, '');
    const answer = answerViewer(unbundled({ kinds: ['video'] }));
    assert.deepEqual([summary(answer), answer.includes('BUNDLE')], [['sendonly VP8,H264,VP9,AV1'], false]);
    assert.throws(() => answerViewer(unbundled()), { code: 'bundle_required' });
  });

  it('accepts every codec that can be sent', () => {
    assert.deepEqual(summary(answerViewer(sdpOffer())), ['sendonly opus', 'sendonly VP8,H264,VP9,AV1']);
  });

  it('names the tracks: one stream with two tracks', () => {
    const { media } = parse(answerViewer(sdpOffer()));
    assert.deepEqual(
      media.map(({ msid, ssrcs }) => [msid, ssrcs?.[0]?.id]),
      [
        ['stream audio', 11],
        ['stream video', 22],
      ],
    );
  });

  it('claims no feedback that was not offered', () => {
    const [, video] = parse(answerViewer(sdpOffer({ lossFeedback: ['nack'] }))).media;
    assert.deepEqual([...new Set(video!.rtcpFb?.map(({ type, subtype }) => `${type} ${subtype ?? ''}`))], ['nack ']);
  });

  it('names the RTX SSRCs', async () => {
    const offer = await readFile(new URL('sdk-0.6.1-view-3-audio.offer.sdp', OFFERS), 'utf8');
    const [video] = parse(answerViewer(offer)).media;
    assert.deepEqual(video!.ssrcGroups, [{ semantics: 'FID', ssrcs: '22 23' }]);
    assert.ok(video!.rtp.some(({ payload, codec }) => payload === 97 && codec === 'rtx'));
  });

  describe('the congestion feedback of a viewer', () => {
    const BOTH = {
      extensions: { 2: SEND_TIME, 3: TRANSPORT_SEQUENCE },
      congestionFeedback: ['goog-remb', 'transport-cc'],
    } as const;
    /** Of the video in the answer. */
    const waysOf = (offer: OfferParts, preferred?: CongestionFeedback) => {
      const { rtcpFb = [], ext = [] } = parse(answerViewer(sdpOffer(offer), preferred)).media[1]!;
      const named = [...rtcpFb.map(({ type }) => type), ...ext.map(({ uri }) => uri)];
      return [...new Set(named)].filter((name) => /remb|transport|send-time/.test(name));
    };

    it('is transport feedback', () => {
      assert.deepEqual(waysOf(BOTH), ['transport-cc', TRANSPORT_SEQUENCE]);
    });

    it('is REMB if that is preferred, without transport feedback', () => {
      assert.deepEqual(waysOf(BOTH, 'goog-remb'), ['goog-remb', SEND_TIME]);
    });

    it('is not used for audio, for which browsers send no REMB', async () => {
      const offer = await readFile(new URL('sdk-0.6.1-view-3-audio.offer.sdp', OFFERS), 'utf8');
      assert.match(answerViewer(offer), /transport-cc/);
      assert.doesNotMatch(answerViewer(offer, 'goog-remb'), /transport-(cc|wide)/);
    });

    it('is what the viewer supports if REMB is not', () => {
      const offer = { ...BOTH, congestionFeedback: ['transport-cc'] } as const;
      assert.deepEqual(waysOf(offer, 'goog-remb'), ['transport-cc', TRANSPORT_SEQUENCE]);
    });
  });

  it('sends on every m-line, and synchronises the first of each kind', async () => {
    const offer = await readFile(new URL('sdk-0.6.1-view-3-audio.offer.sdp', OFFERS), 'utf8');
    const [video, ...audio] = summary(answerViewer(offer));
    assert.match(video!, /^sendonly VP8/);
    assert.deepEqual(audio, ['sendonly opus,red', 'sendonly opus,red', 'sendonly opus,red']);
    const streams = parse(answerViewer(offer)).media.map(({ msid }) => msid?.split(' ')[0]);
    assert.equal(streams[0], streams[1]);
    assert.equal(new Set(streams).size, 3);
  });
});

it('can be parsed and written again by the SDK’s SDP library', () => {
  const { SDPInfo } = createRequire(import.meta.url)('semantic-sdp') as {
    SDPInfo: { parse(sdp: string): { toString(): string } };
  };
  for (const answer of [answerPublisher(sdpOffer({ direction: 'sendonly' })), answerViewer(sdpOffer())]) {
    const [before, after] = [answer, SDPInfo.parse(answer).toString()].map((sdp) => parse(sdp));
    const essence = (sdp: typeof before) =>
      sdp!.media.map(({ mid, direction, rtp, iceUfrag, icePwd, fingerprint, setup, candidates }) => ({
        mid,
        direction,
        codecs: rtp.map(({ payload, codec }) => `${payload} ${codec.toLowerCase()}`).sort(),
        iceUfrag,
        icePwd,
        fingerprint,
        setup,
        addresses: candidates?.map(({ ip, port }) => `${ip}:${port}`),
      }));
    assert.deepEqual(essence(after), essence(before));
  }
});

describe('the header extensions that are passed from publishers to viewers', () => {
  const DESCRIPTOR = 'https://aomediacodec.github.io/av1-rtp-spec/#dependency-descriptor-rtp-header-extension';
  const CAPTURE_TIME = 'http://www.webrtc.org/experiments/rtp-hdrext/abs-capture-time';
  const PASSED = { 9: CAPTURE_TIME, 12: DESCRIPTOR };
  const extensionsOf = (answer: string) =>
    parse(answer).media[0]!.ext!.flatMap(({ value, direction, uri }) =>
      uri === DESCRIPTOR || uri === CAPTURE_TIME ? [[value, direction, uri]] : [],
    );
  const video = { kinds: ['video'], extensions: PASSED } as const;

  it('are the dependency descriptor of AV1, and the capture time of every video', () => {
    const both = [
      [12, undefined, DESCRIPTOR],
      [9, undefined, CAPTURE_TIME],
    ];
    assert.deepEqual(extensionsOf(answerViewer(sdpOffer(video))), both);
    const published = sdpOffer({ ...video, direction: 'sendonly' });
    assert.deepEqual(extensionsOf(answerPublisher(published, 'av1')), both);
    assert.deepEqual(extensionsOf(answerPublisher(published, 'vp8')), both.slice(1));
    assert.deepEqual(extensionsOf(answerViewer(sdpOffer({ ...video, videoCodecs: ['vp8'] }))), both.slice(1));
    assert.deepEqual(extensionsOf(answerViewer(sdpOffer({ ...video, kinds: ['audio'] }))), []);
  });

  it('are answered in the direction of the offer, and not in another one', () => {
    const oneWay = (way: string, offer: string) => offer.replace(`extmap:12 `, `extmap:12/${way} `);
    const published = sdpOffer({ ...video, direction: 'sendonly' });
    assert.deepEqual(extensionsOf(answerPublisher(oneWay('sendonly', published), 'av1'))[0], [
      12,
      'recvonly',
      DESCRIPTOR,
    ]);
    assert.equal(extensionsOf(answerViewer(oneWay('sendonly', sdpOffer(video)))).length, 1);
    assert.equal(extensionsOf(answerPublisher(oneWay('inactive', published), 'av1')).length, 1);
  });

  it('may be long where the offer says so', () => {
    const mixed = (offer: string) => /a=extmap-allow-mixed/.test(answerViewer(offer));
    assert.equal(mixed(sdpOffer(video)), true);
    assert.equal(mixed(sdpOffer(video).replace('a=extmap-allow-mixed\r\n', '')), false);
  });
});
