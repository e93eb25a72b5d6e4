import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { FlvMedia, type MediaEvent } from '../../../server/rtmp/flv-media.js';
import { RtmpSession, type RtmpEvent, type RtmpStep } from '../../../server/rtmp/rtmp-session.js';

type Requested = RtmpEvent & { readonly name: 'publish-requested' };
type Closed = RtmpEvent & { readonly name: 'closed' };

/** What one encoder did. */
export interface EncoderRecord {
  readonly requests: Requested[];
  readonly media: MediaEvent[];
  /** The bytes of the encoder, as they were read. */
  readonly received: Buffer[];
  /** How it ended. Undefined: the connection broke. */
  end: 'unpublished' | Closed['reason'] | undefined;
  /** The most that the session kept. */
  largestBuffer: number;
}

export interface RtmpTestServer {
  readonly port: number;
  readonly connections: readonly EncoderRecord[];
  close(): Promise<void>;
}

export interface RtmpTestOptions {
  /** Default: accepts. */
  readonly decide?: (session: RtmpSession) => RtmpStep;
  /** Can end the session. */
  readonly onMedia?: (session: RtmpSession) => RtmpStep;
}

/** A server on the loopback address for encoders. */
export async function startRtmpTestServer(options: RtmpTestOptions = {}): Promise<RtmpTestServer> {
  const connections: EncoderRecord[] = [];
  const server = createServer((socket) => connections.push(serve(socket, options)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections,
    async close() {
      server.close();
      await once(server, 'close');
    },
  };
}

const accept = (session: RtmpSession): RtmpStep => session.accept(performance.now());

function serve(socket: Socket, { decide = accept, onMedia }: RtmpTestOptions): EncoderRecord {
  const record: EncoderRecord = { requests: [], media: [], received: [], end: undefined, largestBuffer: 0 };
  const session = new RtmpSession(performance.now());
  const media = new FlvMedia();
  const perform = ({ send, events }: RtmpStep): void => {
    if (send.length > 0) socket.write(send);
    for (const event of events) {
      if (event.name === 'media') {
        const read = media.read(event);
        if (read) record.media.push(read);
        if (onMedia) perform(onMedia(session));
      } else if (event.name === 'publish-requested') {
        record.requests.push(event);
        // A decision takes at least one turn of the event loop.
        setImmediate(() => perform(decide(session)));
      } else if (event.name === 'unpublished') {
        record.end = 'unpublished';
      } else {
        record.end = event.reason;
        socket.end();
      }
    }
  };
  socket.on('data', (bytes) => {
    record.received.push(bytes);
    perform(session.receive(bytes, performance.now()));
    record.largestBuffer = Math.max(record.largestBuffer, session.bufferedBytes);
  });
  socket.on('error', () => socket.destroy());
  return record;
}
