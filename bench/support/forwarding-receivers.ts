// Everybody who receives, in a process of their own: viewers with real transports, and plain UDP sockets.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { RtpPeer } from '../../test/support/media/rtp-peer.js';

/** What the benchmark says. Each is answered by one `ReceiverAnswer`. */
export type ReceiverQuestion =
  | { readonly type: 'open-viewer' }
  | { readonly type: 'accept'; readonly viewer: number; readonly answer: string }
  | { readonly type: 'open-sockets'; readonly count: number }
  | { readonly type: 'count' };

export interface ReceiverAnswer {
  readonly viewer?: number;
  readonly offer?: string;
  readonly ports?: readonly number[];
  /** RTP packets that came so far, to all of them. */
  readonly received?: number;
}

const viewers: RtpPeer[] = [];
let received = 0;

async function answer(question: ReceiverQuestion): Promise<ReceiverAnswer> {
  switch (question.type) {
    case 'open-viewer': {
      const viewer = await RtpPeer.open({ role: 'viewer' });
      viewer.onRtp = () => received++;
      return { viewer: viewers.push(viewer) - 1, offer: viewer.offer };
    }
    case 'accept':
      await viewers[question.viewer]!.accept(question);
      return {};
    case 'open-sockets': {
      const ports: number[] = [];
      for (let count = 0; count < question.count; count++) {
        const socket = createSocket('udp4');
        socket.on('message', () => received++);
        socket.bind(0, '127.0.0.1');
        await once(socket, 'listening');
        ports.push(socket.address().port);
      }
      return { ports };
    }
    case 'count':
      return { received };
  }
}

process.on('message', ({ id, question }: { id: number; question: ReceiverQuestion }) => {
  void answer(question).then((answer) => process.send!({ id, answer }));
});
process.on('disconnect', () => process.exit(0));
