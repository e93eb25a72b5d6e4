import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { MID, REPAIRED_RID, RID } from '../../../../server/media/sdp/extension-uris.js';
import { readOffer } from '../../../../server/media/sdp/offer.js';
import { MediaError } from '../../../../server/media/engine/media-error.js';
import { anyCharacter } from '../../../support/any-character.js';
import { sdpOffer } from '../../../support/media/offer.js';

const offerOf = (name: string, client = 'sdk-0.6.1') =>
  readFile(new URL(`../../../support/media/offers/${client}-${name}.offer.sdp`, import.meta.url), 'utf8');

describe('an offer', () => {
  it('is read with its transport, its m-lines in order and the known formats', () => {
    const { ice, media } = readOffer(
      sdpOffer({ videoCodecs: ['vp8', 'h264'], ssrcs: { video: 77 }, direction: 'sendonly' }),
    );
    assert.equal(ice.usernameFragment, 'abcd');
    assert.equal(ice.setup, 'actpass');
    assert.deepEqual(
      media.map(({ mid, kind, direction, obstacle, encodings, formats }) => ({
        mid,
        kind,
        direction,
        obstacle,
        ssrc: encodings[0]?.ssrc,
        formats: formats.map(({ codec, profile, payloadType }) => `${codec} ${profile} ${payloadType}`),
      })),
      [
        {
          mid: '0',
          kind: 'audio',
          direction: 'sendonly',
          obstacle: undefined,
          ssrc: undefined,
          formats: ['opus  111'],
        },
        {
          mid: '1',
          kind: 'video',
          direction: 'sendonly',
          obstacle: undefined,
          ssrc: 77,
          formats: ['vp8  96', 'h264 42e0 108'],
        },
      ],
    );
  });

  it('may have attributes before c= and unknown codecs', async () => {
    const { media } = readOffer(await offerOf('view-3-audio'));
    assert.deepEqual(
      media.map(({ kind }) => kind),
      ['video', 'audio', 'audio', 'audio'],
    );
    assert.deepEqual(
      media[1]!.formats.map(({ codec, payloadType }) => [codec, payloadType]),
      [['opus', 111]],
    );
  });

  it('identifies the encodings of a simulcast by SSRC, as the SDK declares them', async () => {
    const { media } = readOffer(await offerOf('publish-simulcast_vp8'));
    assert.deepEqual(
      media[1]!.encodings.map(({ ssrc, retransmissionSsrc }) => [ssrc, retransmissionSsrc]),
      [
        [638_652_107, 3_633_182_113],
        [100, 101],
        [102, 103],
      ],
    );
  });

  it('identifies the encodings of a simulcast by rid, in the order of the offer', () => {
    const offer = sdpOffer({ kinds: ['video'], direction: 'sendonly' });
    const encodings = (lines: string) => readOffer(`${offer}${lines}`).media[0]!.encodings.map(({ rid }) => rid);
    assert.deepEqual(encodings('a=rid:q send\r\na=rid:h send\r\na=simulcast:send q;h\r\n'), ['q', 'h']);
    assert.deepEqual(encodings('a=rid:q send\r\na=rid:h recv\r\na=simulcast:send ~q,x;h;q;z\r\n'), ['q']);
    assert.deepEqual(encodings('a=simulcast:send q;h\r\n'), [undefined]);
  });

  it('declares the RTX payload types', async () => {
    const { media } = readOffer(await offerOf('publish-simulcast_vp8'));
    const again = media[1]!.retransmissions;
    assert.equal(again[96], 97);
    assert.equal(again[102], 103);
    assert.deepEqual(media[0]!.retransmissions, {});
  });

  it('of Firefox has other numbers, and a bundled m-line with port 0', async () => {
    const { ice, media } = readOffer(await offerOf('publish', 'firefox-153'));
    assert.equal(ice.setup, 'actpass');
    assert.deepEqual(
      media.map(({ kind, direction, obstacle, formats }) => ({
        kind,
        direction,
        obstacle,
        formats: formats.map(({ codec, payloadType }) => `${codec} ${payloadType}`),
      })),
      [
        { kind: 'video', direction: 'sendonly', obstacle: undefined, formats: ['vp8 120', 'vp9 121', 'av1 99'] },
        { kind: 'audio', direction: 'sendonly', obstacle: undefined, formats: ['opus 109'] },
      ],
    );
    assert.deepEqual(media[0]!.encodings, [{ rid: undefined, ssrc: 3_437_095_458, retransmissionSsrc: 2_057_822_091 }]);
    assert.deepEqual(media[0]!.retransmissions, { 120: 124, 121: 125, 99: 100 });
  });

  it('of Firefox decodes H.264 of profile high, although it offers baseline', () => {
    const offer = sdpOffer({ videoCodecs: ['vp8', 'h264'] });
    const decoded = (sdp: string) => readOffer(sdp).media[1]!.formats.map(({ decodedProfile }) => decodedProfile);
    assert.deepEqual(decoded(offer), [undefined, undefined]);
    const ofFirefox = offer.replace(/^o=\S+/m, 'o=mozilla...THIS_IS_SDPARTA-99.0');
    assert.deepEqual(decoded(ofFirefox), [undefined, '6400']);
  });

  it('of Firefox identifies the encodings of a simulcast by rid, although it names SSRCs', async () => {
    const { media } = readOffer(await offerOf('publish-simulcast', 'firefox-153'));
    assert.deepEqual(
      media[0]!.encodings.map(({ rid, ssrc }) => [rid, ssrc]),
      [
        ['q', undefined],
        ['h', undefined],
        ['f', undefined],
      ],
    );
    // With a direction: `a=extmap:9/sendonly …`.
    assert.deepEqual([media[0]!.extensions[RID], media[0]!.extensions[REPAIRED_RID]], [9, 10]);
  });

  it('marks inactive m-lines', async () => {
    const { media } = readOffer(await offerOf('publish-disableAudio'));
    assert.deepEqual(
      media.map(({ direction }) => direction),
      ['inactive', 'sendonly'],
    );
  });

  it('may have the transport once for all m-lines', () => {
    const lines = sdpOffer({ kinds: ['audio'] }).split('\r\n');
    const isTransport = (line: string) => /^a=(?:ice-ufrag|ice-pwd|fingerprint|setup):/.test(line);
    const session = lines.slice(0, 4);
    const moved = [...session, ...lines.filter(isTransport), ...lines.slice(4).filter((line) => !isTransport(line))];
    assert.equal(readOffer(moved.join('\r\n')).ice.usernameFragment, 'abcd');
  });

  it('has a role in the handshake, or leaves it to the answer', () => {
    const roleOf = (line: string) => readOffer(sdpOffer().replaceAll('a=setup:actpass\r\n', line)).ice.setup;
    assert.deepEqual(['a=setup:active\r\n', 'a=setup:passive\r\n', ''].map(roleOf), ['active', 'passive', 'actpass']);
  });

  it('may use numbers where names are usual', () => {
    const offer = sdpOffer().replaceAll('a=ice-ufrag:abcd', 'a=ice-ufrag:1234');
    assert.equal(readOffer(offer).ice.usernameFragment, '1234');
  });

  it('cannot use an m-line outside the bundle, without encryption or with port 0', () => {
    const ofVideo = (from: string | RegExp, to: string) => {
      const { disabled, obstacle } = readOffer(sdpOffer().replace(from, to)).media[1]!;
      return { disabled, obstacle };
    };
    assert.deepEqual(ofVideo('', ''), { disabled: false, obstacle: undefined });
    assert.deepEqual(ofVideo('BUNDLE 0 1', 'BUNDLE 0'), { disabled: false, obstacle: 'unbundled' });
    assert.deepEqual(ofVideo(/a=group.*\r\n/, ''), { disabled: false, obstacle: 'unbundled' });
    const rtp = ofVideo('m=video 9 UDP/TLS/RTP/SAVPF', 'm=video 9 RTP/AVP');
    assert.deepEqual(rtp, { disabled: false, obstacle: 'unencrypted' });
    assert.deepEqual(ofVideo('m=video 9', 'm=video 0'), { disabled: true, obstacle: undefined });
  });

  it('keeps the first of lines that repeat, and nothing of a list that has no end', () => {
    const offer = sdpOffer({ kinds: ['video'], rids: ['q'], direction: 'sendonly' });
    const repeated = [...Array(75).keys()].flatMap((index) => [
      `a=rtpmap:${index} AV1/90000`,
      `a=fmtp:98 profile-id=${index}`,
      'a=rtcp-fb:96 nack',
      `a=extmap:${index} urn:ietf:params:rtp-hdrext:sdes:mid`,
      `a=rid:r${index} send`,
      `a=ssrc-group:FID ${index + 1} ${index + 2}`,
    ]);
    assert.deepEqual(
      readOffer(`${offer}${repeated.join('\r\n')}\r\n`).media.map(
        ({ formats, extensions, lossFeedback, encodings }) => ({
          formats: formats.map(({ codec, profile, payloadType }) => `${codec} ${profile} ${payloadType}`),
          mid: extensions[MID],
          feedback: lossFeedback[96],
          encodings: encodings.map(({ rid }) => rid),
        }),
      ),
      [
        {
          formats: ['vp8  96', 'h264 42e0 108', 'vp9 0 98', 'av1 0 45'],
          mid: 4,
          feedback: ['ccm fir', 'nack', 'nack pli'],
          encodings: ['q'],
        },
      ],
    );
  });

  it('ignores payload types that would be read as RTCP', () => {
    const { media } = readOffer(sdpOffer({ kinds: ['video'], payloadTypes: { vp8: 72 } }));
    assert.ok(media[0]!.formats.every(({ codec }) => codec !== 'vp8'));
  });
});

describe('an offer of a viewer of many sources', () => {
  it('is read, with as many lines as browsers write for each', async () => {
    const [session = '', audio = '', video = ''] = (await offerOf('publish-simulcast_vp8')).split(/(?=^m=)/m);
    const withMid = (section: string, mid: number) => section.replace(/^a=mid:.*/m, `a=mid:${mid}`);
    const sections = Array.from({ length: 14 }, (_, index) => withMid(index % 2 === 0 ? audio : video, index));
    const bundle = session.replace(/^a=group:BUNDLE.*/m, `a=group:BUNDLE ${[...sections.keys()].join(' ')}`);
    const { media } = readOffer(bundle + sections.join(''));
    assert.deepEqual([media.length, media.every(({ obstacle }) => obstacle === undefined)], [14, true]);
  });
});

describe('an invalid offer', () => {
  const bad: Record<string, string> = {
    'is empty': '',
    'is no SDP': 'hello',
    'is JSON': '{"type":"offer"}',
    'has no m-line': 'v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\n',
    'has no ICE user fragment': sdpOffer().replaceAll(/a=ice-ufrag.*\r\n/g, ''),
    'has a short ICE password': sdpOffer().replaceAll(/a=ice-pwd:.*\r\n/g, 'a=ice-pwd:short\r\n'),
    'has no fingerprint': sdpOffer().replaceAll(/a=fingerprint.*\r\n/g, ''),
    'has an invalid fingerprint': sdpOffer().replaceAll(/a=fingerprint.*\r\n/g, 'a=fingerprint:sha-256 XY\r\n'),
    'has an unknown setup role': sdpOffer().replaceAll('a=setup:actpass', 'a=setup:holdconn'),
    'has two m-lines with one mid': sdpOffer().replace('a=mid:1', 'a=mid:0'),
    'begins with something else': ` ${sdpOffer()}`,
    'has a mid with a space': sdpOffer().replace('a=mid:1', 'a=mid:a b'),
    'has a space in the ICE user fragment': sdpOffer().replaceAll(/a=ice-ufrag:.*/g, 'a=ice-ufrag:abcd efgh'),
    'has a space in the ICE password': sdpOffer().replaceAll(/(a=ice-pwd:)(.*)/g, '$1$2 $2'),
    'has more behind a fingerprint': sdpOffer().replaceAll(/(a=fingerprint:.*)/g, '$1 x'),
    'has more before a fingerprint': sdpOffer().replaceAll('a=fingerprint:', 'a=fingerprint:x '),
    'has an m-line of no word': sdpOffer().replace('m=video', 'm=a-video'),
    'has a port of six digits': sdpOffer().replace('m=video 9', 'm=video 123456'),
    'has a malformed m-line': sdpOffer().replace(/m=video.*/, 'm=video'),
    'is longer than 64 KB': sdpOffer() + 'a=x\r\n'.repeat(20_000),
    'has more than 64 m-lines': sdpOffer() + 'm=audio 9 UDP/TLS/RTP/SAVPF 0\r\n'.repeat(70),
    'has more than 4,096 lines': sdpOffer() + `m=video 9 UDP/TLS/RTP/SAVPF 0\r\n${'a=x\r\n'.repeat(250)}`.repeat(20),
    'has more than 512 lines of an m-line': sdpOffer() + 'a=x\r\n'.repeat(512),
    'has more than 512 lines before its m-lines': sdpOffer().replace('m=', `${'a=x\r\n'.repeat(512)}m=`),
    'has more than 128 formats': sdpOffer().replace('SAVPF 96', `SAVPF${' 96'.repeat(128)}`),
    'has a long a=fmtp line': `${sdpOffer()}a=fmtp:46 x=${'x'.repeat(2_048)}\r\n`,
  };
  for (const [what, text] of Object.entries(bad)) {
    it(`is one that ${what}`, () => {
      assert.throws(
        () => readOffer(text),
        (error) => error instanceof MediaError && error.code === 'invalid_sdp',
      );
    });
  }

  it('gets an offer or a refusal, for any input', () => {
    const lines = sdpOffer().split('\r\n');
    const mutated = fc
      .array(
        fc.record({
          at: fc.nat(lines.length - 1),
          line: fc.oneof(
            fc.string({ unit: anyCharacter, maxLength: 40 }),
            fc.constantFrom(...lines),
            fc.constantFrom(...lines).chain((line) => fc.nat(line.length).map((end) => line.slice(0, end))),
            fc.constantFrom(
              'a=group:BUNDLE',
              'a=mid:',
              'a=rtpmap:999999 x/1/1',
              'm=video 9 x',
              'a=ssrc-group:SIM',
              '\0',
            ),
          ),
        }),
        { minLength: 1, maxLength: 6 },
      )
      .map((changes) => {
        const changed = [...lines];
        for (const { at, line } of changes) changed[at] = line;
        return changed.join('\r\n');
      });
    fc.assert(
      fc.property(fc.oneof(mutated, fc.string({ unit: anyCharacter, maxLength: 300 })), (text) => {
        try {
          readOffer(text);
        } catch (error) {
          assert.ok(error instanceof MediaError && error.code === 'invalid_sdp', String(error));
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
