import { connect } from 'node:net';
import { MediaError } from '../../engine/media-error.js';
import type { SourceId } from '../../engine/media-track.js';
import type { PacketOutput } from '../frames/frame-packetizer.js';
import type { SourceTrack } from '../producer/source.js';
import type { SenderReport } from '../rtcp/rtcp.js';
import { RelayConnection } from './relay-connection.js';
import type { RelayMessage } from './relay-frames.js';

export interface SentSource {
  readonly stream: string;
  readonly id: SourceId;
  readonly tracks: readonly SourceTrack[];
}

export interface SourceSenderListener {
  /** A viewer needs a keyframe. */
  onKeyframeRequest(): void;
  /** The worker is gone. Called once, and never after `close()`. */
  onClosed(): void;
}

/** A keyframe comes only after seconds where nobody can be asked, and the worker sheds by itself what is too late. */
const MAX_WAIT_MS = 1_000;

/** The server's end of a source that it adds to a stream: sends its packets to the worker. */
export class SourceSender implements PacketOutput {
  readonly #connection: RelayConnection;

  /**
   * @param path where the worker listens
   * @throws {MediaError} `stream_in_use`, `engine_unavailable`
   */
  static async connect(path: string, source: SentSource, listener: SourceSenderListener): Promise<SourceSender> {
    const { promise: added, resolve, reject } = Promise.withResolvers<void>();
    let onClosed = (): void => reject(new MediaError('engine_unavailable', 'the media engine went away'));
    const onMessage = (message: RelayMessage): void => {
      if (message.type === 'added') resolve();
      else if (message.type === 'refused') reject(new MediaError(message.code, message.message));
      else if (message.type === 'keyframe') listener.onKeyframeRequest();
    };
    const connection = new RelayConnection(connect(path), {
      onMessage,
      onPacket() {},
      onDrain() {},
      onClosed: () => onClosed(),
    });
    connection.send({ type: 'add', ...source });
    try {
      await added;
    } catch (error) {
      connection.close();
      throw error;
    }
    onClosed = () => listener.onClosed();
    return new SourceSender(connection);
  }

  private constructor(connection: RelayConnection) {
    this.#connection = connection;
  }

  sendPacket(encoding: number, sequence: number, packet: Buffer): boolean {
    const fed = { sequence, packet, arrivedAt: performance.now() };
    return this.#connection.sendPacket(0, encoding, fed, { maxWaitMs: MAX_WAIT_MS });
  }

  sendClock(encoding: number, report: SenderReport): void {
    this.#connection.send({ type: 'clock', source: 0, encoding, report });
  }

  setTracks(tracks: readonly SourceTrack[]): void {
    this.#connection.send({ type: 'tracks', tracks });
  }

  close(): void {
    this.#connection.close();
  }
}
