import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { AmfValue } from '../../server/rtmp/amf0.js';
import { FlvReader } from '../../server/rtmp/flv-stream.js';
import type { MediaMessage } from '../../server/rtmp/rtmp-message.js';
import {
  audioBytes,
  dataBytes,
  S0_S1_S2_BYTES,
  statusesIn,
  untilPublish,
  videoBytes,
} from '../server/rtmp/fake-encoder.js';

export interface FlvPush {
  /** The stream key is what follows the application: two parts of the path, or the first. */
  readonly url: string;
  readonly flv: Buffer;
  readonly signal: AbortSignal;
  /** What the encoder says about itself in the command `connect`. */
  readonly connect?: Readonly<Record<string, AmfValue>>;
  /** The messages that are sent for a message of the file. */
  readonly changed?: ((message: MediaMessage) => readonly MediaMessage[]) | undefined;
  /** How many times faster than it plays. Default: once. */
  readonly speed?: number;
  /** From then on it sends nothing, and stays connected. */
  readonly pause?: AbortSignal;
}

/** What encoders of Enhanced RTMP version 2 say in `connect`. */
export const ENHANCED_CONNECT: Readonly<Record<string, AmfValue>> = {
  fourCcList: ['av01', 'vp09', 'hvc1', 'Opus'],
  videoFourCcInfoMap: new Map(['av01', 'vp09', 'hvc1'].map((fourCc) => [fourCc, 2])),
  audioFourCcInfoMap: new Map([['Opus', 2]]),
  capsEx: 15,
};

const FRAME_MS = 33;
const RECONNECT_MS = 200;
const CODED_FRAMES = 1;
const CODED_FRAMES_X = 3;
const MOD_EX = 7;

/**
 * Publishes an FLV file over RTMP as it plays, again and again, with the tags as they are: ffmpeg 5.1 cannot read those
 * of Enhanced RTMP.
 * @returns what the server said when it ended the stream. Undefined: it did not, and the signal came.
 */
export async function pushFlv({
  url,
  flv,
  signal,
  connect: fields,
  changed = same,
  speed = 1,
  pause,
}: FlvPush): Promise<string | undefined> {
  const { hostname, port, pathname, search } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  let received = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => (received = Buffer.concat([received, bytes])));
  const statuses = () => statusesIn(received.subarray(S0_S1_S2_BYTES));

  const [, application, key] = /^\/(v2\/pub|[^/]+)\/(.*)$/.exec(pathname)!;
  socket.write(untilPublish(key + search, { app: application!, ...fields }));
  while (!socket.destroyed && statuses().length === 0) await delay(5);
  const start = performance.now();
  const messages = new FlvReader().read(flv);
  const lengthMs = messages.at(-1)!.timestamp + FRAME_MS;
  for (let round = 0; !socket.destroyed; round++) {
    for (const message of messages) {
      const timestamp = round * lengthMs + message.timestamp;
      const isEarly = (): boolean => pause?.aborted === true || (performance.now() - start) * speed < timestamp;
      while (!socket.destroyed && isEarly()) await delay(5);
      if (!socket.writable) break;
      for (const each of changed({ ...message, timestamp })) socket.write(bytesOf(each));
    }
  }
  await closed;
  const end = statuses().find(({ level }) => level === 'error');
  return typeof end?.['description'] === 'string' ? end['description'] : undefined;
}

/** As an encoder that connects again when the server is too busy to accept it, until the signal. */
export async function keepPushing(push: FlvPush): Promise<void> {
  while (!push.signal.aborted) {
    await pushFlv(push);
    await delay(RECONNECT_MS, undefined, { signal: push.signal }).catch(() => {});
  }
}

/**
 * H.264 with the headers of Enhanced RTMP version 2: each begins with nanoseconds (ModEx), and every second frame has no
 * composition time.
 */
export function asEnhanced(message: MediaMessage): readonly MediaMessage[] {
  if (message.kind !== 'video') return [message];
  const { payload, timestamp } = message;
  const [frameType, packet] = [payload[0]! & 0xf0, payload[1]!];
  const hasTime = packet === CODED_FRAMES && timestamp % 2 === 0;
  const type = packet === CODED_FRAMES && !hasTime ? CODED_FRAMES_X : packet;
  const header = Buffer.of(0x80 | frameType | MOD_EX, 2, 0, 0, 1, type);
  return [{ ...message, payload: Buffer.concat([header, Buffer.from('avc1'), payload.subarray(hasTime ? 2 : 5)]) }];
}

const same = (message: MediaMessage): readonly MediaMessage[] => [message];

const WRITERS = { audio: audioBytes, video: videoBytes, data: dataBytes } as const;
const bytesOf = ({ kind, timestamp, payload }: MediaMessage): Buffer => WRITERS[kind](timestamp, payload);
