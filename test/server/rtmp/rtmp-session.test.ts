import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { basicHeader, chunksOf } from '../../../server/rtmp/chunk-writer.js';
import { FlvMedia } from '../../../server/rtmp/flv-media.js';
import { uint16, uint32 } from '../../../server/rtmp/integers.js';
import { MESSAGE_TYPE } from '../../../server/rtmp/rtmp-message.js';
import {
  MAX_BYTES_BEFORE_ACCEPTANCE,
  MAX_COMMANDS_BEFORE_ACCEPTANCE,
  RtmpSession,
  type RtmpEvent,
  type RtmpStep,
} from '../../../server/rtmp/rtmp-session.js';
import {
  CLOSE_TIMEOUT_MS,
  DECISION_TIMEOUT_MS,
  HANDSHAKE_TIMEOUT_MS,
  MEDIA_TIMEOUT_MS,
  PUBLISH_TIMEOUT_MS,
} from '../../../server/rtmp/rtmp-state.js';
import {
  aggregatePart,
  answersIn,
  audioBytes,
  C0_C1,
  C2,
  commandBytes,
  commands,
  commandsIn,
  messageBytes,
  S0_S1_S2_BYTES,
  statusIn,
  untilPublish,
  videoBytes,
} from './fake-encoder.ts';

const START = 1_000;
const FRAME = Buffer.from('170100000000', 'hex');
const media = (kind: 'audio' | 'video' | 'data', timestamp: number, payload = FRAME): RtmpEvent => ({
  name: 'media',
  kind,
  timestamp,
  payload,
});

/** A session that has received these bytes. */
function after(...inputs: readonly Buffer[]): { readonly session: RtmpSession; readonly step: RtmpStep } {
  const session = new RtmpSession(START);
  const steps = inputs.map((bytes) => session.receive(bytes, START));
  return {
    session,
    step: { send: Buffer.concat(steps.map(({ send }) => send)), events: steps.flatMap(({ events }) => events) },
  };
}

function publishing(): RtmpSession {
  const { session } = after(untilPublish());
  session.accept(START);
  return session;
}

const closedIn = ({ events }: RtmpStep) => events.find((event) => event.name === 'closed')?.reason;
const handshaken = Buffer.concat([C0_C1, C2]);

describe('an RTMP session', () => {
  it('asks for a decision with what the encoder sent', () => {
    const { session, step } = after(untilPublish('news?token=secret'));
    assert.deepEqual(step.events, [
      {
        name: 'publish-requested',
        app: 'v2/pub',
        tcUrl: 'rtmp://localhost/v2/pub',
        streamKey: 'news?token=secret',
      },
    ]);
    assert.equal(session.state, 'awaiting-decision');
  });

  it('answers each command before publish', () => {
    const { step } = after(untilPublish());
    const answers = commandsIn(step.send.subarray(S0_S1_S2_BYTES));
    assert.deepEqual(
      answers.map(([name, transactionId]) => [name, transactionId]),
      [
        ['_result', 1],
        ['_result', 2],
        ['_result', 3],
        ['onFCPublish', 0],
        ['_result', 4],
      ],
    );
    assert.equal(answers[4]![3], 1);
  });

  it('tells the encoder in its answer to connect what Enhanced RTMP it speaks', () => {
    const { step } = after(handshaken, commands.connect({ fourCcList: ['hvc1', 'av01'] }));
    const [, , properties, information] = commandsIn(step.send.subarray(S0_S1_S2_BYTES))[0]!;
    const forward = (...codecs: string[]) => new Map(codecs.map((codec) => [codec, 4]));
    assert.deepEqual(
      properties,
      new Map<string, unknown>([
        ['fmsVer', 'FMS/3,0,1,123'],
        ['capabilities', 31],
        ['fourCcList', ['avc1', 'av01', 'vp09', 'mp4a', 'Opus']],
        ['videoFourCcInfoMap', forward('avc1', 'av01', 'vp09')],
        ['audioFourCcInfoMap', forward('mp4a', 'Opus')],
        ['capsEx', 4],
      ]),
    );
    assert.equal((information as Map<string, unknown>).get('code'), 'NetConnection.Connect.Success');
  });

  it('sets window, bandwidth and chunk size before its answer to connect', () => {
    const { step } = after(handshaken, commands.connect());
    const raw = step.send.subarray(S0_S1_S2_BYTES);
    assert.equal(raw.subarray(0, 16).toString('hex'), '020000000000040500000000002625a0');
    assert.deepEqual(
      answersIn(raw).map(({ typeId, payload }) => [typeId, payload.length < 9 && payload.toString('hex')]),
      [
        [MESSAGE_TYPE.windowAcknowledgementSize, '002625a0'],
        [MESSAGE_TYPE.setPeerBandwidth, '002625a002'],
        [MESSAGE_TYPE.amf0Command, false],
      ],
    );
  });

  it('lets the encoder publish when it is accepted', () => {
    const { session } = after(untilPublish());
    const step = session.accept(START);
    assert.deepEqual(step.events, []);
    assert.deepEqual(
      answersIn(step.send).map(({ typeId, streamId }) => [typeId, streamId]),
      [
        [MESSAGE_TYPE.userControl, 0],
        [MESSAGE_TYPE.amf0Command, 1],
      ],
    );
    assert.deepEqual(statusIn(step.send), {
      level: 'status',
      code: 'NetStream.Publish.Start',
      description: 'Live',
    });
    assert.deepEqual(session.receive(videoBytes(40, FRAME), START).events, [media('video', 40)]);
    assert.deepEqual(session.receive(audioBytes(41, FRAME), START).events, [media('audio', 41)]);
  });

  it('delivers data of AMF3 as that of AMF0', () => {
    const session = publishing();
    const amf3 = messageBytes({ typeId: MESSAGE_TYPE.amf3Data, payload: Buffer.concat([Buffer.of(0), FRAME]) });
    assert.deepEqual(session.receive(amf3, START).events, [media('data', 0)]);
    assert.deepEqual(session.receive(messageBytes({ typeId: MESSAGE_TYPE.amf0Data, payload: FRAME }), START).events, [
      media('data', 0),
    ]);
  });

  it('tells the encoder why it is refused, and closes', () => {
    const { session } = after(untilPublish());
    const step = session.refuse('token_expired', 'The token has expired');
    assert.deepEqual(statusIn(step.send), {
      level: 'error',
      code: 'NetStream.Publish.Denied',
      description: 'The token has expired',
      details: 'token_expired',
    });
    assert.deepEqual(step.events, [{ name: 'closed', reason: 'refused', message: 'The token has expired' }]);
    assert.deepEqual(session.receive(videoBytes(0, FRAME), START), { send: Buffer.alloc(0), events: [] });
  });

  it('ends a live stream with a sentence', () => {
    const step = publishing().refuse('token_inactive', 'The token was disabled');
    assert.equal(statusIn(step.send)?.['description'], 'The token was disabled');
    assert.equal(closedIn(step), 'refused');
  });

  it('holds what an encoder sends before it is accepted, and delivers it then', () => {
    const { session, step } = after(untilPublish(), videoBytes(0, FRAME), audioBytes(1, FRAME));
    assert.deepEqual(
      step.events.map(({ name }) => name),
      ['publish-requested'],
    );
    assert.deepEqual(session.accept(START).events, [media('video', 0), media('audio', 1)]);
    assert.equal(session.bufferedBytes, 0);
  });

  it('drops it if the encoder is refused', () => {
    const { session } = after(untilPublish(), videoBytes(0, FRAME));
    assert.deepEqual(
      session.refuse('token_expired', 'no').events.map(({ name }) => name),
      ['closed'],
    );
    assert.equal(session.bufferedBytes, 0);
  });

  it('ignores a decision that nobody asked for', () => {
    const nothing = { send: Buffer.alloc(0), events: [] };
    assert.deepEqual(new RtmpSession(START).accept(START), nothing);
    assert.deepEqual(new RtmpSession(START).refuse('a', 'b'), nothing);
    assert.deepEqual(publishing().accept(START), nothing);
  });

  for (const name of ['deleteStream', 'closeStream']) {
    it(`ends with ${name}`, () => {
      const step = publishing().receive(commandBytes(name, 0, null, 1), START);
      assert.deepEqual(step, { send: Buffer.alloc(0), events: [{ name: 'unpublished' }] });
    });
  }

  it('ends before it is accepted, and ignores a decision then', () => {
    const { session, step } = after(untilPublish(), videoBytes(0, FRAME), commands.deleteStream);
    assert.deepEqual(
      step.events.map(({ name }) => name),
      ['publish-requested', 'unpublished'],
    );
    assert.deepEqual(session.accept(START), { send: Buffer.alloc(0), events: [] });
    assert.equal(session.bufferedBytes, 0);
  });

  it('ignores media that was on its way at the end, and keeps little', () => {
    const session = publishing();
    const bytes = Buffer.concat([commands.deleteStream, videoBytes(0, FRAME), audioBytes(0, FRAME)]);
    assert.deepEqual(session.receive(bytes, START).events, [{ name: 'unpublished' }]);
    const much = videoBytes(0, Buffer.alloc(MAX_BYTES_BEFORE_ACCEPTANCE));
    assert.equal(closedIn(session.receive(much, START)), 'too_much_before_acceptance');
    assert.equal(session.bufferedBytes, 0);
  });

  it('ends with FCUnpublish, and once if deleteStream follows', () => {
    const session = publishing();
    const step = session.receive(Buffer.concat([commands.fcUnpublish, commands.deleteStream]), START);
    assert.deepEqual(step, { send: Buffer.alloc(0), events: [{ name: 'unpublished' }] });
  });

  for (const [how, between] of [
    [
      'as it began',
      Buffer.concat([commands.fcUnpublish, commands.deleteStream, commands.fcPublish, commands.createStream]),
    ],
    ['on the same message stream', commandBytes('closeStream', 0, null, 1)],
  ] as const) {
    it(`can be followed by another one on the same connection, ${how}`, () => {
      const session = publishing();
      session.receive(between, START);
      const { events } = session.receive(commands.publish('sports?token=other'), START);
      assert.deepEqual(events, [
        {
          name: 'publish-requested',
          app: 'v2/pub',
          tcUrl: 'rtmp://localhost/v2/pub',
          streamKey: 'sports?token=other',
        },
      ]);
      assert.equal(statusIn(session.accept(START).send)?.['code'], 'NetStream.Publish.Start');
      const media = session.receive(videoBytes(0, FRAME), START).events;
      assert.deepEqual(
        media.map(({ name }) => name),
        ['media'],
      );
    });
  }

  it('can be followed by others without end, each with its own limits', () => {
    const session = publishing();
    const again = Buffer.concat([commands.deleteStream, commands.createStream, commands.publish()]);
    for (let count = 0; count < 2 * MAX_COMMANDS_BEFORE_ACCEPTANCE; count++) {
      assert.equal(closedIn(session.receive(again, START)), undefined);
      session.accept(START);
      assert.equal(session.state, 'publishing');
    }
  });

  it('cannot begin and end without end before it is accepted', () => {
    const session = publishing();
    const again = Buffer.concat([commands.deleteStream, commands.createStream, commands.publish()]);
    const steps = Array.from({ length: MAX_COMMANDS_BEFORE_ACCEPTANCE }, () => session.receive(again, START));
    assert.deepEqual(steps.map(closedIn).filter(Boolean), ['too_many_commands']);
  });

  it('refuses a second publish', () => {
    const session = publishing();
    const step = session.receive(commands.publish('sports?token=secret'), START);
    assert.match(String(statusIn(step.send)?.['description']), /publishes one stream at a time/);
    assert.equal(closedIn(step), 'already_publishing');
  });

  it('refuses play with a sentence', () => {
    const { step } = after(handshaken, commands.connect(), commands.createStream, commands.play);
    assert.deepEqual(statusIn(step.send.subarray(S0_S1_S2_BYTES)), {
      level: 'error',
      code: 'NetStream.Play.Failed',
      description: 'This server does not play over RTMP. Watch with the link of the stream',
    });
    assert.equal(closedIn(step), 'play_unsupported');
  });

  it('answers a command that it does not know with an error', () => {
    const { session } = after(handshaken, commands.connect());
    const { send } = session.receive(commandBytes('_checkbw', 9, null), START);
    const [name, transactionId, , information] = commandsIn(send)[0]!;
    assert.deepEqual([name, transactionId], ['_error', 9]);
    assert.equal((information as Map<string, unknown>).get('code'), 'NetConnection.Call.Failed');
    assert.equal(session.receive(commandBytes('_result', 0, null), START).send.length, 0);
  });

  it('answers a ping with its value', () => {
    const ping = messageBytes({
      typeId: MESSAGE_TYPE.userControl,
      payload: Buffer.concat([uint16(6), uint32(77)]),
    });
    const [answer] = answersIn(publishing().receive(ping, START).send);
    assert.equal(answer!.payload.toString('hex'), '00070000004d');
  });

  it('acknowledges each window', () => {
    const session = publishing();
    const window = messageBytes({ typeId: MESSAGE_TYPE.windowAcknowledgementSize, payload: uint32(5_000) }, 2);
    const frame = videoBytes(0, Buffer.alloc(5_000));
    assert.equal(session.receive(window, START).send.length, 0);
    const [answer] = answersIn(session.receive(frame, START).send);
    const received = untilPublish().length - handshaken.length + window.length + frame.length;
    assert.deepEqual([answer!.typeId, answer!.payload.readUInt32BE()], [MESSAGE_TYPE.acknowledgement, received]);
    assert.equal(session.receive(videoBytes(0, Buffer.alloc(500)), START).send.length, 0);
  });

  it('acknowledges as often as it asks for itself where the encoder names no window, or one of nothing', () => {
    const zero = messageBytes({ typeId: MESSAGE_TYPE.windowAcknowledgementSize, payload: uint32(0) }, 2);
    for (const before of [Buffer.alloc(0), zero]) {
      const session = publishing();
      session.receive(before, START);
      const acknowledged: number[] = [];
      for (let sent = 0; sent < 6_000_000; sent += 500_000) {
        const answers = answersIn(session.receive(videoBytes(0, Buffer.alloc(500_000)), START).send);
        for (const { typeId, payload } of answers) {
          assert.equal(typeId, MESSAGE_TYPE.acknowledgement);
          acknowledged.push(payload.readUInt32BE());
        }
      }
      assert.equal(acknowledged.length, 2);
      assert.ok(acknowledged[0]! >= 2_500_000 && acknowledged[0]! < 3_100_000);
    }
  });

  it('takes an aggregate for the messages in it, and ends if it is broken', () => {
    const aggregate = (payload: Buffer) => messageBytes({ typeId: MESSAGE_TYPE.aggregate, timestamp: 5, payload }, 6);
    const sound = Buffer.from('af01', 'hex');
    const { events } = publishing().receive(
      aggregate(Buffer.concat([aggregatePart(9, 0, FRAME), aggregatePart(8, 21, sound)])),
      START,
    );
    assert.deepEqual(events, [media('video', 5), media('audio', 26, sound)]);
    assert.equal(closedIn(publishing().receive(aggregate(Buffer.of(9)), START)), 'aggregate_invalid');
    const large = aggregatePart(9, 0, Buffer.alloc(200_000));
    assert.equal(publishing().receive(aggregate(large), START).events.length, 1);
  });

  it('tells the encoder why it ends, whenever the encoder can read it', () => {
    const { connect, createStream } = commands;
    const broken = messageBytes({ typeId: 20, payload: Buffer.of(0x11) });
    for (const before of [[connect()], [connect(), createStream], [connect(), createStream, commands.publish()]]) {
      const { step } = after(handshaken, ...before, broken);
      const { code, details, description } = statusIn(step.send.subarray(S0_S1_S2_BYTES))!;
      assert.deepEqual([code, details], ['NetStream.Publish.Denied', 'rtmp_invalid']);
      assert.match(String(description), /^AMF /);
    }
    const publisher = publishing();
    const { send } = publisher.tick(START + MEDIA_TIMEOUT_MS);
    const { details, description } = statusIn(send)!;
    assert.deepEqual([details, description], ['media_timeout', 'No audio and no video came for 15 seconds']);
    // Before the answer to connect, chunks have another size.
    assert.equal(after(handshaken, broken).step.send.length, S0_S1_S2_BYTES);
  });

  for (const [what, inputs, reason] of [
    ['no RTMP', [Buffer.from('GET / HTTP/1.1\r\n\r\n')], 'not_rtmp'],
    ['publish before connect', [handshaken, commands.publish()], 'command_out_of_order'],
    ['publish before createStream', [handshaken, commands.connect(), commands.publish()], 'command_out_of_order'],
    ['a second connect', [handshaken, commands.connect(), commands.connect()], 'command_out_of_order'],
    ['media before publish', [handshaken, videoBytes(0, FRAME)], 'media_before_publish'],
    ['a command without AMF', [handshaken, messageBytes({ typeId: 20, payload: Buffer.of(0x11) })], 'amf_invalid'],
    ['a window without a size', [handshaken, messageBytes({ typeId: 5, payload: Buffer.of(1) })], 'control_invalid'],
  ] as const) {
    it(`closes after ${what}`, () => assert.equal(closedIn(after(...inputs).step), reason));
  }

  it('handles messages up to a fault', () => {
    const { step } = after(untilPublish(), Buffer.concat([basicHeader(3, 50)]));
    assert.deepEqual(
      step.events.map((event) => (event.name === 'closed' ? event.reason : event.name)),
      ['publish-requested', 'chunk_invalid'],
    );
  });
});

describe('the limits of an RTMP session', () => {
  const timeouts: [what: string, session: () => RtmpSession, timeout: number, reason: string][] = [
    ['a peer that says nothing', () => new RtmpSession(START), HANDSHAKE_TIMEOUT_MS, 'handshake_timeout'],
    ['half a handshake', () => after(C0_C1).session, HANDSHAKE_TIMEOUT_MS, 'handshake_timeout'],
    ['no connect', () => after(handshaken).session, PUBLISH_TIMEOUT_MS, 'publish_timeout'],
    ['no createStream', () => after(handshaken, commands.connect()).session, PUBLISH_TIMEOUT_MS, 'publish_timeout'],
    [
      'no publish',
      () => after(handshaken, commands.connect(), commands.createStream).session,
      PUBLISH_TIMEOUT_MS,
      'publish_timeout',
    ],
    ['no decision', () => after(untilPublish()).session, DECISION_TIMEOUT_MS, 'decision_timeout'],
    ['no media', publishing, MEDIA_TIMEOUT_MS, 'media_timeout'],
    [
      'a connection without a stream',
      () => after(untilPublish(), commands.deleteStream).session,
      CLOSE_TIMEOUT_MS,
      'close_timeout',
    ],
  ];
  for (const [what, open, timeout, reason] of timeouts) {
    it(`end ${what} after ${timeout / 1000} s`, () => {
      const session = open();
      assert.deepEqual(session.tick(START + timeout - 1).events, []);
      assert.equal(closedIn(session.tick(START + timeout)), reason);
      assert.equal(closedIn(session.tick(START + 2 * timeout)), undefined);
    });
  }

  it('do not grow with commands: connect and publish have one deadline', () => {
    const { session } = after(handshaken);
    session.receive(commands.connect(), START + PUBLISH_TIMEOUT_MS - 2);
    session.receive(commands.createStream, START + PUBLISH_TIMEOUT_MS - 1);
    assert.equal(closedIn(session.tick(START + PUBLISH_TIMEOUT_MS)), 'publish_timeout');
  });

  it('tell the encoder that no decision came', () => {
    const { send } = after(untilPublish()).session.tick(START + DECISION_TIMEOUT_MS);
    assert.equal(statusIn(send)?.['description'], 'The server could not decide in time. Try again');
  });

  it('begin again with each audio and video message, not with data', () => {
    const session = publishing();
    session.receive(audioBytes(0, FRAME), START + 10);
    assert.deepEqual(session.tick(START + MEDIA_TIMEOUT_MS).events, []);
    session.receive(messageBytes({ typeId: MESSAGE_TYPE.amf0Data, payload: FRAME }), START + 20);
    assert.equal(closedIn(session.tick(START + MEDIA_TIMEOUT_MS + 10)), 'media_timeout');
  });

  it('end a peer that sends too much before it is accepted', () => {
    const { session } = after(untilPublish());
    const left = MAX_BYTES_BEFORE_ACCEPTANCE - untilPublish().length;
    const size = messageBytes({ typeId: MESSAGE_TYPE.setChunkSize, payload: uint32(1 << 24) }, 2);
    const frame = chunksOf(
      { typeId: 9, streamId: 1, timestamp: 0, payload: Buffer.alloc(MAX_BYTES_BEFORE_ACCEPTANCE) },
      6,
      1 << 24,
    );
    const bytes = Buffer.concat([size, frame]);
    assert.deepEqual(session.receive(bytes.subarray(0, left), START).events, []);
    assert.ok(session.bufferedBytes <= 2 * MAX_BYTES_BEFORE_ACCEPTANCE);
    assert.equal(closedIn(session.receive(Buffer.of(0), START)), 'too_much_before_acceptance');
    assert.equal(session.bufferedBytes, 0);
  });

  it('end a peer that sends many small messages before it is accepted', () => {
    const { session } = after(untilPublish());
    const one = videoBytes(0, Buffer.of(1));
    assert.equal(closedIn(session.receive(Buffer.concat(Array(512).fill(one)), START)), undefined);
    assert.equal(closedIn(session.receive(one, START)), 'too_much_before_acceptance');
  });

  it('end a peer that sends many commands before publish', () => {
    const { session } = after(handshaken, commands.connect());
    const others = Buffer.concat(Array(MAX_COMMANDS_BEFORE_ACCEPTANCE - 1).fill(commands.fcPublish));
    const { send, events } = session.receive(others, START);
    assert.deepEqual(events, []);
    assert.ok(send.length < 16 * 1024, `${send.length} bytes of answers`);
    assert.equal(closedIn(session.receive(commands.fcPublish, START)), 'too_many_commands');
  });

  it('keep a slow peer small: a byte in each read', () => {
    const session = new RtmpSession(START);
    let largest = 0;
    for (const byte of untilPublish()) {
      session.receive(Buffer.of(byte), START);
      largest = Math.max(largest, session.bufferedBytes);
    }
    assert.equal(session.state, 'awaiting-decision');
    assert.ok(largest <= 3_073, `${largest} bytes`);
  });
});

/** Plays bytes to a session that accepts every request before it reads more. */
function play(bytes: Buffer, sizes: readonly number[]) {
  const session = new RtmpSession(START);
  const events: RtmpEvent[] = [];
  let largest = 0;
  let publishedAt: number | undefined;
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const end = Math.min(bytes.length, at + sizes[turn % sizes.length]!);
    events.push(...session.receive(bytes.subarray(at, end), START).events);
    largest = Math.max(largest, session.bufferedBytes);
    at = end;
    if (session.state !== 'awaiting-decision') continue;
    publishedAt ??= at;
    events.push(...session.accept(START).events);
  }
  return { events, largest, publishedAt };
}

describe('the recorded session of an encoder', () => {
  // ffmpeg 5.1: one second of H.264 with B-frames, and AAC.
  const recorded = readFileSync(new URL('recorded-session.bin', import.meta.url));
  const { events: whole, publishedAt } = play(recorded, [1]);
  const cuts = fc.array(fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 2_000 })), {
    minLength: 1,
  });

  it('has its media', () => {
    const kinds = whole.map((event) => (event.name === 'media' ? event.kind : event.name));
    const count = (kind: string) => kinds.filter((one) => one === kind).length;
    assert.deepEqual([kinds[0], kinds.at(-1)], ['publish-requested', 'unpublished']);
    assert.deepEqual([count('video'), count('audio'), count('data')], [12, 18, 1]);
  });

  it('is the same however the bytes are split after publish', () => {
    assert.deepEqual(play(recorded, [publishedAt!, Infinity]).events, whole);
    const media = recorded.subarray(publishedAt);
    fc.assert(
      fc.property(cuts, (sizes) => {
        const session = new RtmpSession(START);
        const events = [session.receive(recorded.subarray(0, publishedAt), START), session.accept(START)];
        for (let at = 0, turn = 0; at < media.length; turn++) {
          const end = at + sizes[turn % sizes.length]!;
          events.push(session.receive(media.subarray(at, end), START));
          at = end;
        }
        assert.deepEqual(
          events.flatMap((step) => step.events),
          whole,
        );
      }),
      { numRuns: 50 },
    );
  });

  it('with changed and missing bytes never throws, closes once at most, and keeps little', () => {
    const changes = fc.array(fc.tuple(fc.nat(recorded.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(changes, fc.nat(recorded.length), fc.nat(300), cuts, (changed, cutAt, cutBytes, sizes) => {
        const bytes = Buffer.concat([recorded.subarray(0, cutAt), recorded.subarray(cutAt + cutBytes)]);
        for (const [at, value] of changed) if (at < bytes.length) bytes[at] = value;
        const { events, largest } = play(bytes, sizes);
        assert.ok(events.filter(({ name }) => name === 'closed').length <= 1);
        assert.ok(largest <= 2 * bytes.length + 3_073, `${largest} bytes`);
        const flv = new FlvMedia();
        for (const event of events) if (event.name === 'media') flv.read(event);
      }),
      { numRuns: 200 },
    );
  });
});
