import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, before, beforeEach, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { nalUnitsOf } from '../../../../server/media/embedded/frames/h264-nal-units.js';
import { FlvMedia } from '../../../../server/rtmp/flv-media.js';
import { FlvReader } from '../../../../server/rtmp/flv-stream.js';
import { uint32 } from '../../../../server/rtmp/integers.js';
import { MESSAGE_TYPE } from '../../../../server/rtmp/rtmp-message.js';
import { PUBLISH_TIMEOUT_MS } from '../../../../server/rtmp/rtmp-state.js';
import type { TokenFields } from '../../../../server/tokens/token-service.js';
import { Cleanup } from '../../../support/cleanup.js';
import { asEnhanced, ENHANCED_CONNECT, pushFlv, type FlvPush } from '../../../support/flv-push.js';
import {
  ffmpegProgram,
  installGstreamerTls,
  LIVE_H264,
  LIVE_INPUT,
  runFfmpeg,
  runGstreamer,
  words,
  type EncoderResult,
} from '../../../support/run-encoder.js';
import { encodedFile } from '../../../support/recording/encoded-media.js';
import { until } from '../../../support/media/until.js';
import { C0_C1, C2, commands, messageBytes, untilPublish, videoBytes } from '../../rtmp/fake-encoder.js';
import { streamServer, type TestServer } from '../../../support/stream-server.js';
import { websocketSessions } from '../../../support/websocket-sessions.js';

const CERTIFICATES = join(import.meta.dirname, '../../../support/certificates');
const FLV = join(import.meta.dirname, '../../../support/flv');
const scope = { accountId: 'main', kind: 'publish' } as const;

/** What an encoder sends: a test picture of 320 × 180 at 30/s and a tone. */
async function encoded(seconds: number, video: string): Promise<Buffer> {
  const file = await encodedFile([
    ...words(`-t ${seconds} -f lavfi -i testsrc2=size=320x180:rate=30`),
    ...words(`-t ${seconds} -f lavfi -i sine=sample_rate=48000 -c:a aac -b:a 96k`),
    ...words(`-c:v libx264 -preset ultrafast -pix_fmt yuv420p ${video} -flvflags no_duration_filesize -f flv`),
  ]);
  return readFileSync(file);
}

const gstreamer = (target: string, signal: AbortSignal): Promise<EncoderResult> =>
  runGstreamer(
    [
      ...words('-q videotestsrc is-live=true ! video/x-raw,width=320,height=180,framerate=30/1'),
      ...words('! x264enc tune=zerolatency key-int-max=30 ! flvmux streamable=true'),
      // The certificate is of an authority of these tests.
      ...words(`! rtmp2sink tls-validation-flags=no-flags location=${target}`),
    ],
    signal,
  );

describe('an encoder over RTMP', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  let stop: AbortController;
  let pause: AbortController;
  let secret: string | undefined;
  let h264Aac: Buffer;
  let h264: Buffer;
  let bFrames: Buffer;

  before(async () => {
    h264Aac = await encoded(2, '-tune zerolatency -g 30');
    h264 = readFileSync(join(FLV, 'h264-opus.flv'));
    // A keyframe in twenty seconds.
    bFrames = await encoded(5, '-bf 2 -g 600');
  });

  beforeEach(async () => {
    [stop, pause] = [new AbortController(), new AbortController()];
    secret = undefined;
    cleanup.after(() => stop.abort());
    app = await streamServer(cleanup, { RTMP_PORT: '0', FFMPEG_PATH: await ffmpegProgram() });
  });
  afterEach(() => cleanup.run());

  const create = (fields: Partial<TokenFields> = {}) =>
    app.server.tokens.create(scope, { label: '', streams: [{ streamName: 'main', isRegex: false }], ...fields });
  const url = (token: string) => `rtmp://127.0.0.1:${app.server.rtmpPort}/v2/pub/main?token=${token}`;
  /**
   * Pushes until it is stopped, or the server ends it, faster than it plays.
   * @returns what the server said when it ended it
   */
  const push = (target: string, flv = h264, options: Partial<FlvPush> = {}) =>
    pushFlv({ url: target, flv, signal: stop.signal, pause: pause.signal, speed: 4, ...options });
  const liveStreams = async () => {
    secret ??= await app.server.secrets.create('main');
    const authorization = `Bearer ${secret}`;
    const response = await fetch(`${app.origin}/api/live`, { headers: { authorization } });
    return JSON.parse(await response.text()).data;
  };
  /** Why encoders were disconnected, as the log has it. */
  const disconnections = () =>
    app.log.text.split('\n').flatMap((line) => {
      const { msg, reason } = line === '' ? {} : JSON.parse(line);
      return msg === 'an encoder was disconnected' ? [reason] : [];
    });
  const frames = (kind: 'audio' | 'video') => app.engine.writtenFrames.filter((frame) => frame.kind === kind);
  /** Stops sending, because what is encoded again comes late. */
  const untilTogether = async () => {
    pause.abort();
    await until('sound and picture end at one time', () => {
      const apart = frames('audio').at(-1)!.timestampMs - frames('video').at(-1)!.timestampMs;
      return Math.abs(apart) < 200;
    });
  };

  it('is live with picture and sound that browsers can play', async () => {
    const { token } = await create();
    const pushing = push(url(token), h264Aac);
    await until('a second of both came', () => frames('video').length > 30 && frames('audio').length > 50);
    const video = frames('video');
    const keyframes = video.filter(({ isKeyframe }) => isKeyframe);
    assert.equal(video[0]?.isKeyframe, true);
    // Sequence parameters, picture parameters, and the picture.
    for (const { data } of keyframes) {
      const types = nalUnitsOf(data).map((unit) => unit[0]! & 31);
      assert.deepEqual(types.slice(0, 3), [7, 8, 5]);
    }
    for (const kind of ['video', 'audio'] as const) {
      const times = frames(kind).map(({ timestampMs }) => timestampMs);
      assert.ok(
        times.every((time, index) => index === 0 || time > times[index - 1]!),
        kind,
      );
    }
    const steps = new Set(
      frames('audio').map(
        ({ timestampMs }, index, all) => timestampMs - (all[index - 1]?.timestampMs ?? timestampMs - 20),
      ),
    );
    assert.deepEqual([...steps], [20]);
    await untilTogether();
    stop.abort();
    await pushing;
    await until('it ended', () => app.log.text.includes('session ended'));
  });

  const pushFile = (token: string, file: string, options: Partial<FlvPush> = {}) =>
    push(url(token), readFileSync(join(FLV, file)), options);
  for (const [what, file, changed] of [
    ['AV1 and Opus', 'av1-opus.flv'],
    ['VP9 and Opus', 'vp9-opus.flv'],
    ['Opus beside H.264', 'h264-opus.flv'],
    ['H.264 and Opus', 'h264-opus.flv', asEnhanced],
  ] satisfies [what: string, file: string, changed?: FlvPush['changed']][]) {
    it(`is live by Enhanced RTMP with ${what}, as they came`, async () => {
      const { token } = await create();
      const pushing = pushFile(token, file, { connect: ENHANCED_CONNECT, changed });
      await until('the second round of the file', () => frames('video').length > 70);
      const media = new FlvMedia();
      const sent = new FlvReader().read(readFileSync(join(FLV, file))).flatMap((message) => media.read(message) ?? []);
      const opus = sent.flatMap((event) => (event.kind === 'frame' && event.codec === 'opus' ? [event] : []));
      assert.deepEqual(
        frames('audio')
          .slice(0, 90)
          .map(({ data, timestampMs }) => [data, timestampMs]),
        opus.slice(0, 90).map(({ data, timestamp }) => [data, timestamp]),
      );
      const keyframes = frames('video').flatMap(({ isKeyframe }, index) => (isKeyframe ? [index] : []));
      assert.deepEqual(keyframes.slice(0, 3), [0, 30, 60]);
      const [first] = frames('video');
      assert.equal(first!.timestampMs - frames('audio')[0]!.timestampMs, 7);
      stop.abort();
      assert.equal(await pushing, undefined);
    });
  }

  it('is told that HEVC is not supported, and the setting to change', async () => {
    const { token } = await create();
    assert.equal(
      await pushFile(token, 'hevc-opus.flv', { connect: ENHANCED_CONNECT }),
      'HEVC (H.265) is not supported. Set the video encoder to H.264, AV1 or VP9',
    );
    assert.equal(app.engine.writtenFrames.length, 0);
    assert.match(app.log.text, /"code":"codec_unsupported"[^\n]*session ended/);
  });

  for (const [late, first] of [
    ['video', 'audio'],
    ['audio', 'video'],
  ] as const) {
    it(`gets its ${late} when that comes, two seconds or more after its ${first}, and goes on`, async () => {
      const { token } = await create();
      let isHeld = true;
      const changed: FlvPush['changed'] = (message) =>
        message.kind === late && (isHeld || message.timestamp < 2_000) ? [] : [message];
      const pushing = push(url(token), h264, { changed });
      const sourceOf = async () => (await liveStreams())[0]?.sources[0];
      await until('it is live', async () => (await sourceOf())?.tracks.join() === first);
      const { liveSince } = await sourceOf();
      isHeld = false;
      await until('it has both', async () => (await sourceOf()).tracks.join() === 'audio,video');
      assert.equal((await sourceOf()).liveSince, liveSince);
      assert.equal(frames('video')[0]?.isKeyframe, true);
      assert.equal(app.log.text.includes('session ended'), false);
      stop.abort();
      await pushing;
    });
  }

  it('is live by a path without a query, for encoders that cut it off', async () => {
    const { token } = await create();
    const pushing = push(`rtmp://127.0.0.1:${app.server.rtmpPort}/live/${token}/main`);
    await until('it is live', () => frames('video').length > 5);
    stop.abort();
    await pushing;
  });

  for (const [what, fields, sentence] of [
    ['an unknown token', undefined, 'Invalid token'],
    ['a token for another stream', { streams: [{ streamName: 'other', isRegex: false }] }, 'StreamName is not valid'],
  ] satisfies [string, Partial<TokenFields> | undefined, string][]) {
    it(`is refused with ${what}, and the encoder says why`, async () => {
      const value = fields ? (await create(fields)).token : 'a'.repeat(64);
      assert.match((await push(url(value))) ?? '', new RegExp(sentence));
      assert.ok(!app.log.text.includes(value), 'the token is not logged');
      assert.equal(app.engine.writtenFrames.length, 0);
    });
  }

  it('needs no page and no address that a token allows, also if the token changes', async () => {
    const others = { allowedOrigins: ['a.example'], allowedIpAddresses: ['192.0.2.1'] };
    const { id, token } = await create(others);
    const pushing = push(url(token));
    await until('it is live', () => frames('video').length > 5);
    await app.server.tokens.update(scope, id, { allowedOrigins: [], allowedIpAddresses: [] });
    const { publisher } = await websocketSessions(() => app).publish({ sourceId: 'page' }, { sourceId: 'page' }, token);
    await app.server.tokens.update(scope, id, { ...others, deniedIpAddresses: ['127.0.0.1'] });
    await publisher.event('stopped');
    const { length } = frames('video');
    await until('it goes on, although a page was stopped', () => frames('video').length > length + 20);
    stop.abort();
    await pushing;
  });

  it('can be one of several sources of a stream', async () => {
    const { token } = await create();
    const pushes = ['', '&sourceId=second'].map((more) => push(url(token) + more));
    const sourceIds = async () =>
      (await liveStreams()).flatMap(({ sources }: { sources: { sourceId: string | null }[] }) =>
        sources.map(({ sourceId }) => sourceId),
      );
    await until('both are live', async () => (await sourceIds()).length === 2);
    assert.deepEqual(new Set(await sourceIds()), new Set([null, 'second']));
    stop.abort();
    await Promise.all(pushes);
  });

  it('has sound again when the ffmpeg of its sound is killed', async () => {
    const { token } = await create();
    const pushing = push(url(token), h264Aac);
    await until('there is sound', () => frames('audio').length > 20);
    const ffmpegs = async () => {
      const { stdout } = await promisify(execFile)('pgrep', ['-P', String(process.pid), '-f', 'aac -i pipe:0']);
      return stdout.trim().split('\n').map(Number);
    };
    const [first] = await ffmpegs();
    process.kill(first!, 'SIGKILL');
    await until('it ended', () => app.log.text.includes('a transcoder ended and is started again'));
    const { length } = frames('audio');
    await until('there is sound again', () => frames('audio').length > length + 50);
    const [before, after] = [frames('audio')[length - 1]!, frames('audio').at(-1)!];
    assert.ok(after.timestampMs - before.timestampMs >= 1_000);
    await untilTogether();
    stop.abort();
    await pushing;
  });

  it('is refused while the name has a publisher', async () => {
    const { token } = await create();
    const first = push(url(token));
    await until('it is live', () => frames('video').length > 5);
    assert.match((await push(url(token))) ?? '', /stream name is in use/);
    stop.abort();
    await first;
  });

  it('is disconnected with the reason when its token is disabled', async () => {
    const { id, token } = await create();
    const pushing = push(url(token));
    await until('it is live', () => frames('video').length > 5);
    await app.server.tokens.update(scope, id, { isActive: false });
    assert.ok(await pushing);
    assert.match(app.log.text, /token_disabled/);
  });

  it('is told to send no B-frames in the first second, and its session says so', async () => {
    const { token } = await create();
    assert.match((await push(url(token), bFrames)) ?? '', /Set B-frames to 0 in the encoder/);
    assert.equal(frames('video').length, 0);
    assert.match(app.log.text, /"code":"b_frames","reason":"[^"]*B-frames[^"]*","msg":"session ended"/);
  });

  it('has its B-frames encoded away where the operator allows it, and the owner is told', async () => {
    app = await streamServer(cleanup, { RTMP_PORT: '0', FFMPEG_PATH: await ffmpegProgram(), RTMP_TRANSCODE: 'x264' });
    const { token } = await create();
    const pushing = push(url(token), bFrames);
    await until('five seconds came', () => frames('video').length > 150 && frames('audio').length > 200);
    const video = frames('video');
    const [first] = video;
    assert.deepEqual(
      video
        .flatMap(({ isKeyframe, timestampMs }) => (isKeyframe ? [timestampMs - first!.timestampMs] : []))
        .slice(0, 3),
      [0, 2_000, 4_000],
    );
    assert.ok(video.every(({ timestampMs }, index) => index === 0 || timestampMs > video[index - 1]!.timestampMs));
    const late = first!.timestampMs - frames('audio')[0]!.timestampMs;
    assert.ok(late < 1_000, `the picture begins ${late} ms after the sound: its first keyframe was lost`);
    await untilTogether();
    const [stream] = await liveStreams();
    assert.deepEqual(stream.sources[0].notices, ['picture_transcoded']);
    stop.abort();
    await pushing;
  });

  it('is live without sound where AAC cannot be turned into Opus, and the owner is told', async () => {
    app = await streamServer(cleanup, { RTMP_PORT: '0', FFMPEG_PATH: '/nowhere/ffmpeg' });
    const { token } = await create();
    const pushing = push(url(token), h264Aac);
    await until('it is live', () => frames('video').length > 5);
    const [stream] = await liveStreams();
    assert.deepEqual(stream.sources[0].notices, ['sound_needs_ffmpeg']);
    assert.equal(frames('audio').length, 0);
    stop.abort();
    await pushing;
  });

  it('can end a stream and publish another one on the same connection', async () => {
    const { token } = await create({ streams: [{ streamName: '.*', isRegex: true }] });
    const socket = connect(app.server.rtmpPort!, '127.0.0.1');
    cleanup.after(() => socket.destroy());
    let received = Buffer.alloc(0);
    socket.on('data', (bytes: Buffer) => (received = Buffer.concat([received, bytes])));
    const starts = () => received.toString('latin1').split('NetStream.Publish.Start').length - 1;
    // Both streams begin with a configuration and a keyframe of H.264.
    const picture = [
      videoBytes(0, Buffer.from('17000000000164002affe100056764002aac01000268ee', 'hex')),
      ...[0, 500, 1_000].map((time) => videoBytes(time, Buffer.from('1701000000000000026588', 'hex'))),
    ];
    const open = async () => (await liveStreams()).map(({ streamName }: { streamName: string }) => streamName);
    socket.write(untilPublish(`first?token=${token}`));
    // FCPublish is answered with the same word.
    await until('the first is accepted', () => starts() === 2);
    socket.write(Buffer.concat(picture));
    await until('the first is live', async () => String(await open()) === 'first');
    const { fcUnpublish, deleteStream, createStream, publish } = commands;
    socket.write(Buffer.concat([fcUnpublish, deleteStream, createStream, publish(`second?token=${token}`)]));
    await until('the second is accepted', () => starts() === 3);
    socket.write(Buffer.concat(picture));
    await until('only the second is live', async () => String(await open()) === 'second');
  });

  it('is over for viewers, and the name is free, when it vanishes', async () => {
    const { token } = await create();
    const push = async () => {
      const socket = connect(app.server.rtmpPort!, '127.0.0.1');
      cleanup.after(() => socket.destroy());
      socket.on('error', () => {});
      let received = '';
      socket.on('data', (bytes: Buffer) => (received += bytes.toString('latin1')));
      socket.write(untilPublish(`main?token=${token}`));
      await until('it is accepted', () => received.split('NetStream.Publish.Start').length === 3);
      socket.write(videoBytes(0, Buffer.from('17000000000164002affe100056764002aac01000268ee', 'hex')));
      for (const time of [0, 1_000]) socket.write(videoBytes(time, Buffer.from('1701000000000000026588', 'hex')));
      await until('it is live', async () => (await liveStreams()).length === 1);
      return socket;
    };
    (await push()).resetAndDestroy();
    await until('it is over', async () => (await liveStreams()).length === 0);
    await push();
  });

  it('is not accepted by the decision about a stream that it ended before', async () => {
    const { token } = await create();
    const socket = connect(app.server.rtmpPort!, '127.0.0.1');
    cleanup.after(() => socket.destroy());
    let received = '';
    socket.on('data', (bytes: Buffer) => (received += bytes.toString('latin1')));
    const { deleteStream, createStream, publish } = commands;
    const asked = [untilPublish(`main?token=${token}`), deleteStream, createStream, publish('main?token=unknown')];
    socket.write(Buffer.concat(asked));
    await once(socket, 'close');
    assert.match(received, /NetStream.Publish.Denied/);
    // That of FCPublish.
    assert.equal(received.split('NetStream.Publish.Start').length - 1, 1);
    assert.equal(app.engine.writtenFrames.length, 0);
  });

  it('is disconnected when it sends what no encoder sends, and others go on', async () => {
    const { token } = await create();
    const pushing = push(url(token));
    await until('it is live', () => frames('video').length > 5);
    const command = (payload: Buffer) => messageBytes({ typeId: MESSAGE_TYPE.amf0Command, streamId: 0, payload }, 3);
    const streams = Array.from({ length: 1_000 }, (_, index) =>
      messageBytes({ typeId: MESSAGE_TYPE.acknowledgement, payload: uint32(0) }, 3 + index),
    );
    const hostile: readonly [sent: readonly Buffer[], reason: string][] = [
      [[Buffer.from('GET / HTTP/1.1\r\n\r\n')], 'not_rtmp'],
      [[C0_C1, C2, messageBytes({ typeId: MESSAGE_TYPE.setChunkSize, payload: uint32(2 ** 31) }, 2)], 'chunk_invalid'],
      [[C0_C1, C2, ...streams], 'too_many_chunk_streams'],
      // Arrays in arrays, and one that claims four billion values.
      [[C0_C1, C2, command(Buffer.alloc(5_000, Buffer.of(0x0a, 0, 0, 0, 1)))], 'amf_too_large'],
      [
        [C0_C1, C2, command(Buffer.alloc(5_000, Buffer.of(0x0a, 255, 255, 255, 255, ...Array(4_995).fill(5))))],
        'amf_too_large',
      ],
      [[C0_C1, C2, commands.connect(), videoBytes(0, Buffer.alloc(100))], 'media_before_publish'],
    ];
    for (const [index, [sent]] of hostile.entries()) {
      const socket = connect(app.server.rtmpPort!, '127.0.0.1');
      socket.on('error', () => {});
      socket.resume().write(Buffer.concat(sent));
      await until(`${index + 1} are disconnected`, () => disconnections().length === index + 1);
      if (!socket.closed) await once(socket, 'close');
    }
    assert.deepEqual(
      disconnections(),
      hostile.map(([, reason]) => reason),
    );
    const before = frames('video').length;
    await until('frames go on', () => frames('video').length > before + 5);
    stop.abort();
    await pushing;
  });

  it('is accepted, and stays, while hundreds of connections have sent half a handshake', async () => {
    const { token } = await create();
    /** Those that the server has ended, in order. */
    const ended: number[] = [];
    const halfHandshakes = async (from: number) => {
      for (let number = from; number < from + 500; number++) {
        const socket = connect(app.server.rtmpPort!, '127.0.0.1');
        cleanup.after(() => socket.destroy());
        socket.on('error', () => {});
        socket.on('close', () => ended.push(number));
        socket.resume();
        await once(socket, 'connect');
        socket.write(Buffer.alloc(100, 3));
      }
    };
    await halfHandshakes(0);
    const encoder = connect(app.server.rtmpPort!, '127.0.0.1');
    cleanup.after(() => encoder.destroy());
    encoder.on('error', () => {});
    let received = '';
    encoder.on('data', (bytes: Buffer) => (received += bytes.toString('latin1')));
    encoder.write(untilPublish(`main?token=${token}`));
    await until('it is accepted', () => received.split('NetStream.Publish.Start').length === 3);
    await until('the oldest is ended', () => ended[0] === 0);
    await halfHandshakes(500);
    await until('all that came before are ended', () => ended.includes(499));
    assert.equal(encoder.closed, false);
  });

  interface RtmpsEncoder {
    readonly encoder: string;
    readonly install: () => Promise<unknown>;
    readonly pushBy: (target: string, signal: AbortSignal) => Promise<EncoderResult>;
  }
  const rtmpsEncoders: readonly RtmpsEncoder[] = [
    {
      encoder: 'ffmpeg',
      install: ffmpegProgram,
      pushBy: (target, signal) => runFfmpeg([...LIVE_INPUT, ...LIVE_H264, '-an', '-f', 'flv', target], signal),
    },
    // Not rtmpsink: librtmp with GnuTLS ends when a session ticket of TLS 1.3 comes.
    { encoder: 'GStreamer’s rtmp2sink', install: installGstreamerTls, pushBy: gstreamer },
  ];
  for (const { encoder, install, pushBy } of rtmpsEncoders) {
    it(`can use RTMPS at the same port, with the certificate of the server: ${encoder}`, async () => {
      const [TLS_CERT, TLS_KEY] = [join(CERTIFICATES, 'trusted.pem'), join(CERTIFICATES, 'server.key.pem')];
      app = await streamServer(cleanup, { RTMP_PORT: '0', TLS_CERT, TLS_KEY });
      const { token } = await create();
      await install();
      const pushing = pushBy(url(token).replace('rtmp:', 'rtmps:'), stop.signal);
      const ended = pushing.then(({ output }) => assert.ok(stop.signal.aborted, output));
      await Promise.race([ended, until('it is live', () => frames('video').length > 5)]);
      stop.abort();
      await ended;
    });
  }

  it('is shown in the dashboard where to connect', async () => {
    const { dashboard } = app.server;
    const { session } = (await dashboard.login(await dashboard.createCode('main')))!;
    const response = await fetch(`${app.origin}/api/dashboard/session`, {
      headers: { cookie: `streamgate_session=${session}` },
    });
    assert.deepEqual(JSON.parse(await response.text()).data.rtmp, { port: app.server.rtmpPort, tls: false });
  });

  it('does not keep the server from stopping while it has not published yet', async () => {
    const socket = connect(app.server.rtmpPort!, '127.0.0.1');
    const closed = once(socket, 'close');
    socket.on('error', () => {});
    socket.write(Buffer.from([3]));
    // Version and random bytes: the handshake has begun.
    socket.write(Buffer.alloc(1_536));
    await once(socket, 'data');
    const stopping = performance.now();
    await app.server.close();
    await closed;
    assert.ok(performance.now() - stopping < PUBLISH_TIMEOUT_MS / 2);
  });

  it('is told if its source cannot be added by a fault of ours', async () => {
    app.engine.addSource = async () => {
      throw new Error('a fault');
    };
    const { token } = await create();
    assert.ok(await push(url(token)));
    assert.match(app.log.text, /could not be added/);
  });

  it('is refused while the server waits for its clients to move to others', async () => {
    app = await streamServer(cleanup, { RTMP_PORT: '0', DRAIN_WITHIN_S: '600' });
    const { token } = await create();
    const { publisher } = await websocketSessions(() => app).publish();
    const closing = new AbortController();
    const viewer = await websocketSessions(() => app).view();
    const drained = app.server.drain(closing.signal);
    await publisher.event('stopped');
    assert.match((await push(url(token))) ?? '', /The server is stopping/);
    closing.abort();
    await drained;
    viewer.viewer.socket.close();
  });

  it('is told when the server stops', async () => {
    const { token } = await create();
    const pushing = push(url(token));
    await until('it is live', () => frames('video').length > 5);
    await app.server.close();
    assert.ok(await pushing);
  });
});
