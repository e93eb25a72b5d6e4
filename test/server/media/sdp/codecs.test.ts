import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  chooseFormat,
  matchFormat,
  parameter,
  readFormat,
  sendableFormats,
  type Format,
} from '../../../../server/media/sdp/codecs.js';

const vp8 = (number: number) => readFormat('VP8/90000', number, '')!;
const h264 = (number: number, profile: string, mode = 1) =>
  readFormat('H264/90000', number, `packetization-mode=${mode};profile-level-id=${profile}`)!;

describe('the format accepted from a publisher', () => {
  it('is VP8, unless another codec is requested', () => {
    const offered = [h264(102, '42e01f'), readFormat('AV1/90000', 45, '')!, vp8(96)];
    assert.equal(chooseFormat(offered)?.codec, 'vp8');
    assert.equal(chooseFormat(offered, 'av1')?.payloadType, 45);
    assert.equal(chooseFormat(offered, 'vp9'), undefined);
  });

  it('is the best supported H.264: fragments first, then constrained baseline, baseline, main, others', () => {
    const best = [
      h264(1, '42e01f'),
      h264(2, '42001f'),
      h264(3, '4d001f'),
      h264(4, '640c1f'),
      h264(5, '42e01f', 0),
      h264(6, '42001f', 0),
    ];
    for (let from = 0; from < best.length; from++) {
      assert.equal(chooseFormat(best.slice(from).toReversed(), 'h264')?.payloadType, from + 1);
    }
  });

  it('is VP9 of profile 0 before another', () => {
    const offered = [readFormat('VP9/90000', 100, 'profile-id=2')!, readFormat('VP9/90000', 98, 'profile-id=0')!];
    assert.equal(chooseFormat(offered)?.payloadType, 98);
  });

  it('is Opus and no other audio codec', () => {
    assert.equal(readFormat('multiopus/48000/6', 105, ''), undefined);
    assert.equal(readFormat('opus/16000', 105, ''), undefined);
    assert.equal(readFormat('opus/48000', 105, '')?.codec, 'opus');
    assert.equal(chooseFormat([readFormat('OPUS/48000/2', 111, '')!])?.payloadType, 111);
  });
});

describe('the formats that can be sent to a viewer', () => {
  it('have each codec and profile once, and H.264 only with fragments', () => {
    const offered = [vp8(96), vp8(97), h264(102, '42e01f'), h264(103, '42e01f', 0), h264(104, '42001f')];
    assert.deepEqual(
      sendableFormats(offered).map(({ payloadType }) => payloadType),
      [96, 102, 104],
    );
  });

  it('are matched by profile, at any level', () => {
    const viewer = [h264(102, '42e01f'), h264(104, '4d001f')];
    assert.equal(matchFormat(viewer, h264(1, '4d0028'))?.payloadType, 104);
  });

  it('include the codec’s most common profile for a missing one', () => {
    const viewer = [h264(104, '4d001f'), h264(102, '42e01f')];
    assert.equal(matchFormat(viewer, h264(1, '42001f'))?.payloadType, 102);
  });

  it('include a higher profile for a lower one, and no lower profile for a higher one', () => {
    const [baseline, main, high, high444] = ['42e01f', '4d001f', '64001f', 'f4001f'].map((profile, index) =>
      h264(100 + index, profile),
    );
    const matched = (viewer: readonly Format[], published: string) =>
      matchFormat(viewer, h264(1, published))?.payloadType;
    assert.equal(matched([main!, high!], '42001f'), 101);
    assert.equal(matched([high!], '4d001f'), 102);
    assert.equal(matched([high!], '640c1f'), 102);
    assert.equal(matched([h264(104, '640c1f')], '64001f'), 104);
    assert.equal(matched([baseline!, high!], '4d001f'), 102);
    assert.equal(matched([main!, baseline!, high444!], '640028'), 103);
    assert.equal(matched([main!, baseline!], '4d801f'), 100);
    assert.equal(matched([high!, main!, baseline!], '58a01f'), 100);
    assert.equal(matched([main!, baseline!], '640028'), undefined);
    assert.equal(matched([baseline!], '4d001f'), undefined);
    assert.equal(matched([high!, main!, baseline!], '58001f'), undefined);
  });

  it('are those of the same depth of VP9, and of the same or a higher profile of AV1', () => {
    const vp9 = (number: number, profile: number) => readFormat('VP9/90000', number, `profile-id=${profile}`)!;
    const av1 = (number: number, profile: number) => readFormat('AV1/90000', number, `profile=${profile}`)!;
    assert.equal(matchFormat([vp9(98, 0)], vp9(1, 2)), undefined);
    assert.equal(matchFormat([vp9(98, 0), vp9(100, 2)], vp9(1, 2))?.payloadType, 100);
    assert.equal(matchFormat([av1(45, 1)], av1(1, 0))?.payloadType, 45);
    assert.equal(matchFormat([av1(45, 0)], av1(1, 1)), undefined);
  });

  it('include what the decoder of the viewer reads beyond the offer', () => {
    const viewer = [{ ...h264(104, '42e01f'), decodedProfile: '6400' }];
    assert.equal(matchFormat(viewer, h264(1, '640028'))?.payloadType, 104);
    assert.equal(matchFormat(viewer, h264(1, 'f40028')), undefined);
  });

  it('include any profile for an unknown one', () => {
    assert.equal(matchFormat([h264(104, '42e01f')], { codec: 'h264', profile: '' })?.payloadType, 104);
  });

  it('do not match a missing codec', () => {
    assert.equal(matchFormat([vp8(96)], h264(1, '42001f')), undefined);
  });
});

it('reads one parameter of several', () => {
  const parameters = 'minptime=10; useinbandfec=1;Profile-Level-Id=42e01f';
  assert.deepEqual(
    ['useinbandfec', 'profile-level-id', 'stereo'].map((name) => parameter(parameters, name)),
    ['1', '42e01f', undefined],
  );
});
