import { connect } from 'node:net';
import { every } from '../../../faults/timers.js';
import type { OpenTap } from '../../engine/tap.js';
import { RelayConnection } from '../relay/relay-connection.js';
import type { RelayMessage } from '../relay/relay-frames.js';
import { TappedSource, tapTracks } from './tapped-source.js';

const TICK_MS = 50;

/** Ms since 1970, by a clock that does not jump. */
const now = () => performance.timeOrigin + performance.now();

/** Connects to a media worker, as another worker does that follows the stream. */
export const openTap: OpenTap = ({ path }, { stream, sourceId, keyframeEveryMs }, listener) => {
  /** The number of the source in the worker. */
  let tapped: { readonly number: number; readonly source: TappedSource } | undefined;
  const timer = every('media', TICK_MS, () => tapped?.source.tick(now()));

  const end = (): void => {
    const ended = tapped;
    tapped = undefined;
    if (!ended) return;
    ended.source.end(now());
    listener.onSourceEnded();
  };

  const onMessage = (message: RelayMessage): void => {
    if (message.type === 'source' && message.id === sourceId) {
      end();
      const { source: number, tracks } = message;
      const source = new TappedSource({
        tracks,
        listener,
        requestKeyframe: (encoding, urgency) =>
          connection.send({ type: 'keyframe', source: number, encoding, urgency }),
        keyframeEveryMs,
      });
      tapped = { number, source };
      listener.onSource(tapTracks(tracks));
    } else if (message.type === 'ended' && message.source === tapped?.number) {
      end();
    } else if (message.type === 'clock' && message.source === tapped?.number) {
      tapped.source.onReport(message.encoding, message.report, now());
    }
  };

  const connection = new RelayConnection(connect(path), {
    onMessage,
    onPacket: (source, encoding, { sequence, packet }) => {
      if (source === tapped?.number) tapped.source.onPacket(encoding, sequence, packet, now());
    },
    onDrain() {},
    onClosed: () => {
      clearInterval(timer);
      end();
      listener.onClosed();
    },
  });
  connection.send({ type: 'follow', stream, isTap: true });

  return {
    close: () => {
      clearInterval(timer);
      tapped = undefined;
      connection.close();
    },
  };
};
