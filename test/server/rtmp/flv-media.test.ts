import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { EcmaArray, writeAmf0, type AmfValue } from '../../../server/rtmp/amf0.js';
import { FlvMedia, type MediaEvent } from '../../../server/rtmp/flv-media.js';
import type { MediaMessage } from '../../../server/rtmp/rtmp-message.js';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const ascii = (text: string): string => Buffer.from(text).toString('hex');

const SPS = hex('67 42c01e');
const PPS = hex('68 ce3c80');
const AVC_RECORD = '01 42c01e ff e1 0004 6742c01e 01 0004 68ce3c80';
const AVC_CONFIG = { sequenceParameterSets: [SPS], pictureParameterSets: [PPS], lengthBytes: 4 };
const IDR = '00000002 6588';
const INTER = '00000002 4188';
const LEGACY_CONFIG = `17 00 000000 ${AVC_RECORD}`;
const AAC_RECORD = '1190';
const LEGACY_AAC_CONFIG = `af 00 ${AAC_RECORD}`;

const message = (kind: MediaMessage['kind'], bytes: string, timestamp = 40): MediaMessage => ({
  kind,
  timestamp,
  payload: hex(bytes),
});
const video = (bytes: string, timestamp?: number) => message('video', bytes, timestamp);
const audio = (bytes: string, timestamp?: number) => message('audio', bytes, timestamp);

/** The event of the last message. */
function last(...messages: readonly MediaMessage[]): MediaEvent | undefined {
  const media = new FlvMedia();
  return messages.map((one) => media.read(one)).at(-1);
}

const h264Frame = (fields: Partial<MediaEvent & { kind: 'frame'; codec: 'h264' }> = {}) => ({
  kind: 'frame',
  codec: 'h264',
  timestamp: 40,
  compositionTime: 0,
  isKeyframe: true,
  data: [hex('6588')],
  ...fields,
});

describe('H.264 in an FLV stream', () => {
  it('has its parameter sets in the sequence header', () => {
    assert.deepEqual(last(video(LEGACY_CONFIG)), { kind: 'config', codec: 'h264', timestamp: 40, config: AVC_CONFIG });
  });

  it('has NAL units, of which an IDR picture makes a keyframe', () => {
    assert.deepEqual(last(video(LEGACY_CONFIG), video(`17 01 000000 ${IDR}`)), h264Frame());
    // A recovery point that the encoder calls a keyframe: browsers cannot start with it.
    assert.deepEqual(
      last(video(LEGACY_CONFIG), video(`17 01 000000 ${INTER}`)),
      h264Frame({ isKeyframe: false, data: [hex('4188')] }),
    );
  });

  it('keeps all NAL units in order', () => {
    const frame = `17 01 000000 00000002 0910 00000003 060180 ${IDR} ${IDR}`;
    const data = [hex('0910'), hex('060180'), hex('6588'), hex('6588')];
    assert.deepEqual(last(video(LEGACY_CONFIG), video(frame)), h264Frame({ data }));
  });

  it('has composition times, also negative ones', () => {
    for (const [bytes, compositionTime] of [
      ['000042', 66],
      ['ffffde', -34],
    ] as const) {
      assert.deepEqual(last(video(LEGACY_CONFIG), video(`17 01 ${bytes} ${IDR}`)), h264Frame({ compositionTime }));
    }
  });

  it('can have lengths of one and two bytes', () => {
    for (const [lengths, bytes] of [
      ['fc', '02 6588'],
      ['fd', '0002 6588'],
    ] as const) {
      const config = video(LEGACY_CONFIG.replace('01 42c01e ff', `01 42c01e ${lengths}`));
      assert.deepEqual(last(config, video(`17 01 000000 ${bytes}`)), h264Frame());
    }
  });

  it('can change its parameter sets', () => {
    const other = video(LEGACY_CONFIG.replace('6742c01e', '6742c01f'));
    const event = last(video(LEGACY_CONFIG), other);
    assert.deepEqual(event?.kind === 'config' && event.codec === 'h264' && event.config.sequenceParameterSets, [
      hex('6742c01f'),
    ]);
  });

  it('can end', () => {
    assert.deepEqual(last(video('17 02 000000 00')), { kind: 'end', codec: 'h264', timestamp: 40 });
  });

  for (const [what, messages] of [
    ['a frame before the sequence header', [video(`17 01 000000 ${IDR}`)]],
    ['a frame after a broken sequence header', [video('17 00 000000 0142c01e'), video(`17 01 000000 ${IDR}`)]],
    ['a NAL unit that is too short', [video(LEGACY_CONFIG), video('17 01 000000 00000003 6588')]],
    ['half a length', [video(LEGACY_CONFIG), video('17 01 000000 0000')]],
    ['nothing but empty NAL units', [video(LEGACY_CONFIG), video('17 01 000000 00000000')]],
    ['two thousand NAL units', [video(LEGACY_CONFIG), video(`17 01 000000 ${IDR.repeat(2_000)}`)]],
    ['half a header', [video('17 01 00')]],
    ['an unknown packet type', [video('17 09 000000 00')]],
    ['a sequence header without parameter sets', [video('17 00 000000 01 42c01e ff e0 00')]],
    ['a sequence header with lengths of three bytes', [video(LEGACY_CONFIG.replace(' ff ', ' fe '))]],
    ['a sequence header that is too short', [video(LEGACY_CONFIG.slice(0, -2))]],
  ] as const) {
    it(`is unreadable: ${what}`, () => assert.deepEqual(last(...messages), { kind: 'unreadable', track: 'video' }));
  }
});

describe('AAC in an FLV stream', () => {
  const config = { profile: 'LC', sampleRate: 48_000, outputSampleRate: 48_000, channels: 2, bytes: hex(AAC_RECORD) };

  it('has its config in the sequence header', () => {
    assert.deepEqual(last(audio(LEGACY_AAC_CONFIG)), { kind: 'config', codec: 'aac', timestamp: 40, config });
  });

  it('has frames without ADTS', () => {
    assert.deepEqual(last(audio(LEGACY_AAC_CONFIG), audio('af 01 2110')), {
      kind: 'frame',
      codec: 'aac',
      timestamp: 40,
      compositionTime: 0,
      isKeyframe: true,
      data: hex('2110'),
    });
  });

  for (const [what, messages] of [
    ['a frame before the sequence header', [audio('af 01 2110')]],
    ['a broken sequence header', [audio('af 00 11')]],
    ['an empty sequence header', [audio('af 00')]],
    ['an unknown packet type', [audio('af 07 00')]],
  ] as const) {
    it(`is unreadable: ${what}`, () => assert.deepEqual(last(...messages), { kind: 'unreadable', track: 'audio' }));
  }
});

describe('Enhanced RTMP', () => {
  const frame = (codec: 'av1' | 'vp9', isKeyframe: boolean) => ({
    kind: 'frame',
    codec,
    timestamp: 40,
    compositionTime: 0,
    isKeyframe,
    data: hex('aabb'),
  });
  for (const [codec, fourCc] of [
    ['av1', 'av01'],
    ['vp9', 'vp09'],
  ] as const) {
    it(`has ${fourCc}`, () => {
      const config = hex('aabb');
      assert.deepEqual(last(video(`90 ${ascii(fourCc)} aabb`)), { kind: 'config', codec, timestamp: 40, config });
      assert.deepEqual(last(video(`91 ${ascii(fourCc)} aabb`)), frame(codec, true));
      assert.deepEqual(last(video(`a1 ${ascii(fourCc)} aabb`)), frame(codec, false));
      assert.deepEqual(last(video(`a3 ${ascii(fourCc)} aabb`)), frame(codec, false));
      assert.deepEqual(last(video(`92 ${ascii(fourCc)}`)), { kind: 'end', codec, timestamp: 40 });
    });
  }

  it('has avc1, with and without a composition time', () => {
    const config = video(`90 ${ascii('avc1')} ${AVC_RECORD}`);
    assert.deepEqual(last(config), { kind: 'config', codec: 'h264', timestamp: 40, config: AVC_CONFIG });
    const compositionTime = 66;
    assert.deepEqual(last(config, video(`91 ${ascii('avc1')} 000042 ${IDR}`)), h264Frame({ compositionTime }));
    assert.deepEqual(last(config, video(`93 ${ascii('avc1')} ${IDR}`)), h264Frame());
  });

  it('has Opus and mp4a', () => {
    const whole = { kind: 'frame', timestamp: 40, compositionTime: 0, isKeyframe: true, data: hex('aabb') };
    const head = ascii('OpusHead');
    assert.deepEqual(last(audio(`90 ${ascii('Opus')} ${head}`)), {
      kind: 'config',
      codec: 'opus',
      timestamp: 40,
      config: hex(head),
    });
    assert.deepEqual(last(audio(`91 ${ascii('Opus')} aabb`)), { ...whole, codec: 'opus' });
    assert.deepEqual(last(audio(`90 ${ascii('mp4a')} ${AAC_RECORD}`), audio(`91 ${ascii('mp4a')} aabb`)), {
      ...whole,
      codec: 'aac',
    });
  });

  it('can have modifiers before the packet type, which are skipped', () => {
    // ModEx of three bytes, then of 256 bytes with a length in two bytes.
    assert.deepEqual(last(video(`97 02 000001 01 ${ascii('av01')} aabb`)), frame('av1', true));
    assert.deepEqual(last(video(`97 ff 00ff ${'00'.repeat(256)} 01 ${ascii('av01')} aabb`)), frame('av1', true));
  });

  it('can have several tracks, of which track 0 is read', () => {
    const av01 = ascii('av01');
    assert.deepEqual(last(video(`96 01 ${av01} 00 aabb`)), frame('av1', true));
    assert.deepEqual(last(video(`96 01 ${av01} 01 aabb`)), undefined);
    assert.deepEqual(last(video(`96 11 ${av01} 01 000001 cc 00 000002 aabb`)), frame('av1', true));
    assert.deepEqual(last(video(`96 21 ${ascii('hvc1')} 01 000001 cc ${av01} 00 000002 aabb`)), frame('av1', true));
    const opus = last(audio(`95 01 ${ascii('Opus')} 00 aabb`));
    assert.deepEqual(opus?.kind === 'frame' && opus.data, hex('aabb'));
  });

  it('can have commands and metadata of the video, which are no media', () => {
    assert.equal(last(video('d1 00')), undefined);
    assert.equal(last(video(`94 ${ascii('av01')} 02`)), undefined);
    assert.equal(last(video('57 00')), undefined);
    assert.equal(last(video('')), undefined);
  });

  it('is unreadable without a codec', () => {
    assert.deepEqual(last(video('91 61')), { kind: 'unreadable', track: 'video' });
    assert.deepEqual(last(video(`91 ${ascii('avc1')} 00`)), { kind: 'unreadable', track: 'video' });
  });
});

describe('a codec that is not forwarded', () => {
  for (const [name, one] of [
    ['HEVC (H.265)', video(`90 ${ascii('hvc1')} aabb`)],
    ['HEVC (H.265)', video('1c 00 000000 aabb')],
    ['VP8', video(`91 ${ascii('vp08')} aabb`)],
    ['H.263', video('12 00')],
    ['This video codec', video('1e aabb')],
    ['This video codec', video(`91 ${ascii('abcd')} aabb`)],
  ] as const) {
    it(`is ${name}, with the setting to change`, () => {
      assert.deepEqual(last(one), {
        kind: 'unsupported',
        track: 'video',
        message: `${name} is not supported. Set the video encoder to H.264, AV1 or VP9`,
      });
    });
  }
  for (const [name, one] of [
    ['MP3', audio('2f aabb')],
    ['Speex', audio('b2 aabb')],
    ['FLAC', audio(`91 ${ascii('fLaC')} aabb`)],
    ['This audio codec', audio('3f')],
  ] as const) {
    it(`is ${name}, with the setting to change`, () => {
      assert.deepEqual(last(one), {
        kind: 'unsupported',
        track: 'audio',
        message: `${name} is not supported. Set the audio encoder to AAC or Opus`,
      });
    });
  }

  it('is reported once', () => {
    const hevc = video(`91 ${ascii('hvc1')} aabb`);
    assert.equal(last(hevc, hevc), undefined);
  });
});

describe('the timestamps of media', () => {
  const frames = (...timestamps: number[]): unknown[] => {
    const media = new FlvMedia();
    return timestamps.map((timestamp) => {
      const event = media.read(audio(`91 ${ascii('Opus')} aa`, timestamp));
      return event?.kind === 'frame' && event.timestamp;
    });
  };

  it('do not wrap at 2^32', () => assert.deepEqual(frames(0xff_ff_ff_ff, 19), [0xff_ff_ff_ff, 0x1_00_00_00_13]));

  it('go back as the encoder does', () => assert.deepEqual(frames(50, 10, 60), [50, 10, 60]));
});

describe('metadata', () => {
  const fields = new EcmaArray(
    Object.entries<AmfValue>({ width: 1280, height: 720, framerate: 29.97, encoder: 'obs\u0000 32' }),
  );
  const read = (...values: readonly AmfValue[]) =>
    new FlvMedia().read({ kind: 'data', timestamp: 0, payload: writeAmf0(...values) });
  const metadata = { width: 1280, height: 720, frameRate: 29.97, encoder: 'obs 32' };

  it('are what the encoder says', () => {
    assert.deepEqual(read('@setDataFrame', 'onMetaData', fields), { kind: 'metadata', metadata });
    assert.deepEqual(read('onMetaData', new Map(fields)), { kind: 'metadata', metadata });
  });

  it('are limited', () => {
    const wild = new Map<string, number | string>([
      ['width', 1e9],
      ['height', -1],
      ['framerate', NaN],
      ['encoder', 'x'.repeat(1_000)],
    ]);
    assert.deepEqual(read('onMetaData', wild), {
      kind: 'metadata',
      metadata: { width: undefined, height: undefined, frameRate: undefined, encoder: 'x'.repeat(128) },
    });
  });

  it('can be other data, or none', () => {
    assert.equal(read('onTextData', fields), undefined);
    assert.equal(read('onMetaData', 'text'), undefined);
    assert.equal(new FlvMedia().read({ kind: 'data', timestamp: 0, payload: hex('11') }), undefined);
  });
});

describe('FlvMedia', () => {
  it('never throws', () => {
    const payload = fc
      .tuple(
        fc.constantFrom('', '17', '27', 'af', '90', '91', '93', '95', '96', '97', 'a1'),
        fc.constantFrom(
          '',
          '00',
          '01',
          ascii('avc1'),
          ascii('av01'),
          ascii('Opus'),
          ascii('mp4a'),
          '01' + ascii('avc1'),
        ),
        fc.uint8Array({ maxLength: 80 }),
      )
      .map(([start, codec, rest]) => Buffer.concat([hex(start), hex(codec), rest]));
    const kind = fc.constantFrom('audio' as const, 'video' as const, 'data' as const);
    fc.assert(
      fc.property(fc.array(fc.tuple(kind, payload, fc.nat()), { maxLength: 10 }), (messages) => {
        const media = new FlvMedia();
        media.read(video(LEGACY_CONFIG));
        for (const [kind, payload, timestamp] of messages) media.read({ kind, payload, timestamp });
      }),
      { numRuns: 500 },
    );
  });
});
