import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { canonicalAddress } from '../../addresses/ip-address.js';
import type { Admission } from '../../admission/admission.js';
import { ApiError, denialMessage } from '../../errors.js';
import { attempt, contain } from '../../faults/contain.js';
import { every } from '../../faults/timers.js';
import type { PublishAddress } from '../../rtmp/stream-key.js';
import { readStreamKey } from '../../rtmp/stream-key.js';
import { RtmpSession, type RtmpEvent, type RtmpStep } from '../../rtmp/rtmp-session.js';
import type { Entrance } from '../../sessions/entrance.js';
import type { PublisherSession } from '../../sessions/publisher-session.js';
import { sessionApiError } from '../../sessions/session-error.js';
import type { StopNotice } from '../../sessions/stop-notice.js';
import type { Sessions } from '../../sessions/sessions.js';
import { RtmpPublication, type RtmpPublicationOptions } from './rtmp-publication.js';

/** What connections of encoders need. */
export interface RtmpDependencies {
  readonly admission: Pick<Admission, 'admit'>;
  readonly entrance: Pick<Entrance, 'requireOpen'>;
  readonly sessions: Pick<Sessions, 'openPublisher'>;
  readonly transcoders: Pick<RtmpPublicationOptions, 'openOpusTranscoder' | 'openPictureTranscoder'>;
  readonly log: Logger;
}

export interface RtmpConnectionOptions extends RtmpDependencies {
  /** The encoder publishes now, or no longer. */
  readonly onPublishing: (isPublishing: boolean) => void;
}

const TICK_MS = 1_000;
/** A peer that does not read what it is sent: a few hundred bytes. */
const MAX_WAITING_BYTES = 1 << 16;
/** The refusal reaches the encoder before the connection ends. */
const CLOSE_AFTER_MS = 2_000;

const FAILED = 'The server failed. Try again in a moment';

/** One connection of an encoder: the socket of an `RtmpSession`, and what it publishes. */
export class RtmpConnection {
  readonly #socket: Socket;
  readonly #dependencies: RtmpConnectionOptions;
  readonly #rtmp = new RtmpSession(performance.now());
  readonly #timer: NodeJS.Timeout;
  #isPublishing = false;
  #session: PublisherSession | undefined;
  #publication: RtmpPublication | undefined;
  /** Counts what the encoder asks for, so that a late decision is not taken for that of a newer request. */
  #requests = 0;

  constructor(socket: Socket, dependencies: RtmpConnectionOptions) {
    this.#socket = socket;
    this.#dependencies = dependencies;
    this.#timer = every('ingest', TICK_MS, () => this.#apply(this.#rtmp.tick(performance.now())));
    socket.setNoDelay(true);
    socket.on(
      'data',
      contain('ingest', (bytes: Buffer) => this.#apply(this.#rtmp.receive(bytes, performance.now())), {
        onFault: () => socket.destroy(),
      }),
    );
    // `close` follows and does the cleanup.
    socket.on('error', () => {});
    socket.on(
      'close',
      contain('ingest', () => {
        clearInterval(this.#timer);
        // A decision that comes later is ignored.
        this.#requests++;
        this.#endPublication('lost');
      }),
    );
  }

  /** Ends the connection of an encoder that asked to publish, or publishes, with a sentence for it. */
  refuse(code: string, message: string): void {
    this.#apply(this.#rtmp.refuse(code, message));
  }

  /** The server stops. An encoder that was not accepted yet is not told. */
  close(): void {
    this.refuse('server_stopping', 'The server is stopping. Connect again in a moment');
    if (this.#rtmp.state !== 'closed') this.#socket.destroy();
  }

  #apply({ send, events }: RtmpStep): void {
    const isPublishing = this.#rtmp.state === 'publishing';
    if (isPublishing !== this.#isPublishing) this.#dependencies.onPublishing((this.#isPublishing = isPublishing));
    if (send.length > 0 && this.#socket.writable) this.#socket.write(send);
    if (this.#socket.writableLength > MAX_WAITING_BYTES) this.#socket.destroy();
    for (const event of events) this.#handle(event);
  }

  #handle(event: RtmpEvent): void {
    switch (event.name) {
      case 'publish-requested':
        attempt('ingest', () => this.#decide(event));
        return;
      case 'media':
        this.#publication?.write(event);
        return;
      case 'unpublished':
        this.#requests++;
        return this.#endPublication('left');
      case 'closed':
        if (event.reason !== 'refused') {
          const { reason, message } = event;
          this.#dependencies.log.info({ address: this.#address, reason, message }, 'an encoder was disconnected');
        }
        this.#endPublication('lost');
        this.#socket.end();
        setTimeout(() => this.#socket.destroy(), CLOSE_AFTER_MS).unref();
    }
  }

  async #decide(requested: PublishAddress): Promise<void> {
    const key = readStreamKey(requested);
    if (!key.ok) return this.refuse(key.code, key.message);
    const { token, streamName, sourceId = null } = key.value;
    const { admission, entrance, log } = this.#dependencies;
    const request = ++this.#requests;
    try {
      const context = { accountId: undefined, origin: undefined, address: this.#address, via: 'rtmp' } as const;
      const result = await admission.admit('publish', { ...context, token, streamName, sourceId });
      if (this.#requests !== request) return;
      if (!result.admitted) return this.refuse(result.reason, denialMessage(result.reason));
      const { tokenId } = result.grant;
      if (tokenId === null) return this.refuse('token_missing', denialMessage('token_missing'));
      entrance.requireOpen();
      if (this.#rtmp.state !== 'awaiting-decision') return;
      this.#begin({ ...result.grant, tokenId }, sourceId);
    } catch (error) {
      if (this.#requests !== request) return;
      if (error instanceof ApiError) return this.refuse(error.code, error.message);
      log.error({ err: error }, 'an encoder could not be admitted');
      this.refuse('internal', FAILED);
    }
  }

  #begin(grant: Parameters<Sessions['openPublisher']>[0], sourceId: string | null): void {
    const { sessions, transcoders, log } = this.#dependencies;
    const stop = ({ code, message }: StopNotice): void => {
      // The session ends by itself, with this reason.
      this.#session = undefined;
      this.refuse(code, message);
    };
    const session = sessions.openPublisher(grant, { send() {}, stop }, { protocol: 'rtmp' });
    // It may have been stopped already.
    if (session.ended) return;
    this.#session = session;
    const { streamId } = session;
    this.#publication = new RtmpPublication({
      addSource: async (tracks) => {
        try {
          return await session.addSource(tracks, { sourceId });
        } catch (thrown) {
          // The encoder ended the stream meanwhile, and may publish another one.
          if (this.#session !== session) throw thrown;
          const error = sessionApiError(thrown);
          if (error instanceof ApiError) this.refuse(error.code, error.message);
          else {
            log.error({ err: thrown, stream: streamId }, 'the source of an encoder could not be added');
            this.refuse('internal', FAILED);
          }
          throw thrown;
        }
      },
      ...transcoders,
      onFault: ({ code, message }) => {
        this.#session = undefined;
        session.endUnpublishable(code);
        this.refuse(code, message);
      },
      onNotice: (notice, holds, detail) => {
        session.setNotice(notice, holds);
        if (holds) log.warn({ stream: streamId, notice, detail }, 'media of an encoder is left out or changed');
      },
      onTranscoderEnd: (track, reason) =>
        log.warn({ stream: streamId, track, reason }, 'a transcoder ended and is started again'),
    });
    this.#apply(this.#rtmp.accept(performance.now()));
  }

  #endPublication(how: 'left' | 'lost'): void {
    this.#publication?.end();
    this.#publication = undefined;
    const session = this.#session;
    this.#session = undefined;
    if (how === 'left') session?.end();
    else session?.connectionLost();
  }

  get #address(): string {
    return peerAddress(this.#socket);
  }
}

/** In canonical form. Empty: the socket is closed. */
export function peerAddress({ remoteAddress = '' }: Socket): string {
  return canonicalAddress(remoteAddress.replace(/%.*$/, '')) ?? '';
}
