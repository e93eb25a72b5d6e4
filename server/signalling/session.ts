import type { Reason } from '../../src/wire/reason.js';
import type { StopReason } from '../../src/wire/stop-reason.js';
import type { EnforcedSession } from '../admission/enforcement.js';
import type { Grant } from '../admission/grant.js';
import { messageOf } from '../errors.js';
import type { MediaEngine, MediaSession } from '../media/media-engine.js';
import type { Member } from '../streams/member.js';
import type { StreamEvent } from '../streams/stream-event.js';
import { streamIdOf, type StreamRegistry } from '../streams/stream-registry.js';
import type { Channel } from './channel.js';
import type { Command } from './frame.js';
import { SignallingError } from './signalling-error.js';
import { REFUSED_CLOSE_CODE, stopNotice } from './stop-notice.js';

/** What sessions work with, and share. */
export interface SessionContext {
  readonly engine: MediaEngine;
  readonly streams: StreamRegistry;
  /** Which session a connection of the media engine belongs to, by the connection's id. */
  readonly owners: Map<string, Session>;
}

/**
 * One admitted caller on one websocket: what publishers and viewers have in common. It ends when the socket closes,
 * when the media goes away, or when somebody calls `stop`; whichever comes first.
 */
export abstract class Session implements Member, EnforcedSession {
  readonly id: string;
  readonly streamId: string;
  readonly grant: Grant;
  protected readonly channel: Channel;
  protected readonly context: SessionContext;
  #media: MediaSession | undefined;
  #connecting = false;
  #ended = false;

  constructor(grant: Grant, channel: Channel, context: SessionContext) {
    this.id = grant.sessionId;
    this.streamId = streamIdOf(grant.accountId, grant.streamName);
    this.grant = grant;
    this.channel = channel;
    this.context = context;
  }

  /** Answers a command, or throws SignallingError or MediaError. */
  abstract handle(command: Command): Promise<object>;

  /** Leaves the stream; called once. */
  protected abstract depart(): void;

  tell(event: StreamEvent): void {
    this.channel.tell(event);
  }

  stop(reason: StopReason): void {
    const { message, closeCode } = stopNotice[reason];
    this.#stop(reason, message, closeCode);
  }

  /** A rule that let it in says no now. */
  refuse(reason: Reason): void {
    this.#stop(reason, messageOf(reason), REFUSED_CLOSE_CODE);
  }

  #stop(code: string, message: string, closeCode: number): void {
    if (this.#ended) return;
    this.channel.stop({ streamId: this.streamId, code, message }, closeCode);
    this.end();
  }

  /** The socket is gone or going: let go of everything. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#media) {
      this.context.owners.delete(this.#media.id);
      this.#media.close();
    }
    this.depart();
  }

  /** Connects the media once, and closes it at once if the client left in the meantime. */
  protected async connect(open: () => Promise<MediaSession>): Promise<MediaSession> {
    if (this.#connecting || this.#media) {
      throw new SignallingError('already_connected', 'this session has its media already; open another for more');
    }
    this.#connecting = true;
    try {
      const media = await open();
      if (this.#ended) {
        media.close();
        throw new SignallingError('session_ended', 'the session ended before its media was connected');
      }
      this.#media = media;
      this.context.owners.set(media.id, this);
      return media;
    } finally {
      this.#connecting = false;
    }
  }
}

export function unknownCommand(name: string, known: readonly string[]): SignallingError {
  return new SignallingError(
    'unknown_command',
    `there is no command "${name.slice(0, 64)}" here; known: ${known.join(', ')}`,
  );
}
