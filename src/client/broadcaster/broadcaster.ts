import { GrantSource } from '../authorization/grant-source.js';
import type { ConnectionOptions } from '../authorization/director.js';
import { BROADCASTER_IDLE, isOver, type BroadcasterPhase } from './broadcaster-phase.js';
import { sendEncodings } from './send-encodings.js';
import { asStreamError, StreamError } from '../errors.js';
import { reconnectLoop, type Attempt } from '../connection/reconnect-loop.js';
import { nextBroadcasterPhase, type BroadcasterEvent } from './next-broadcaster-phase.js';
import { publisherPeerConnection } from '../connection/peer-connections.js';
import { PhaseTarget } from '../phase-target.js';
import { number } from '../decode.js';
import { sameOptions } from '../same-options.js';
import { runSession } from '../connection/session.js';
import { LEAVING } from '../connection/signalling.js';

export type VideoCodec = 'vp8' | 'h264' | 'vp9' | 'av1';

/** What to broadcast, and where. A `token` or a `tokenProvider` is needed. */
export interface BroadcasterOptions extends ConnectionOptions {
  /** At least one track. `replaceTrack` changes it; nobody but its owner stops its tracks. */
  readonly media: MediaStream;
  /** Absent: VP8. */
  readonly codec?: VideoCodec | undefined;
  /** Sends the video in up to three sizes, so that each viewer gets one that its network carries. */
  readonly simulcast?: boolean | undefined;
  /** The most that the video may take, in bit/s; of its full size. */
  readonly maxBitrate?: number | undefined;
  /** Tells several broadcasters on one name apart, 1 to 128 characters. Absent: the main one. */
  readonly sourceId?: string | undefined;
  /** For services that let one broadcaster take over from another. This one reads it, and lets nobody. */
  readonly priority?: number | undefined;
  /** Keeps the place on the air while the page is loaded again. */
  readonly resume?: ResumeStore | undefined;
}

/**
 * Keeps the key to a broadcast from `leave` or `stop` until the next `start`. Whoever has the key can take the name over:
 * keep it where nobody but this page can read it after a reload, such as `sessionStorage`.
 * The key names the broadcast that it belongs to, and `start` never sends it anywhere else.
 */
export interface ResumeStore {
  /** @param stream names endpoint, account, stream and source in one text, for stores that keep several keys */
  load(stream: string): string | undefined;
  /** @param key undefined: remove it */
  save(key: string | undefined, stream: string): void;
}

/**
 * Broadcasts one stream and comes back after a break, under the same name.
 * It says `phasechange` whenever `phase` became another one.
 */
export class Broadcaster extends PhaseTarget<BroadcasterPhase, BroadcasterEvent> {
  #run: AbortController | undefined;
  #admission: GrantSource | undefined;
  #options: BroadcasterOptions | undefined;
  #peer: RTCPeerConnection | undefined;

  constructor() {
    super(BROADCASTER_IDLE, nextBroadcasterPhase);
  }

  /**
   * Goes live with these options. A broadcast that runs with the same options goes on as it is; one with other options
   * ends first. To send other kinds of tracks, call `stop` first.
   */
  start(options: BroadcasterOptions): void {
    if (!isOver(this.phase) && sameOptions(this.#options, options)) return;
    this.stop();
    const { resume, sourceId } = options;
    const run = (this.#run = new AbortController());
    const stream = streamOf(options);
    const kept = resume?.load(stream);
    const sessionKey = kept?.startsWith(stream) ? kept.slice(stream.length) : undefined;
    const admission = (this.#admission = new GrantSource('publish', options, { sourceId, sessionKey }));
    // A copy of this page must not take the name from the original.
    resume?.save(undefined, stream);
    this.#options = options;
    this.move({ type: 'start' });
    reconnectLoop({
      signal: run.signal,
      connect: (attempt) => this.#publish(options, admission, attempt),
      onRetry: (broken) => this.move({ type: 'broke', ...broken }),
    }).catch((thrown: unknown) => this.move({ type: 'gave-up', error: asStreamError(thrown) }));
  }

  /** Ends the broadcast. Viewers notice at once, and the name is free. */
  stop(): void {
    this.#end(LEAVING);
  }

  /** The page goes away and may come back: ends what it has here, and leaves the key in the `resume` store. */
  leave(): void {
    this.#end();
  }

  #end(why?: unknown): void {
    // With a goodbye, too: where the page goes before it is sent, the name is still kept for whoever has the key.
    if (this.#options) {
      const stream = streamOf(this.#options);
      const key = this.#admission?.sessionKey;
      this.#options.resume?.save(key && stream + key, stream);
    }
    this.#run?.abort(why);
    this.#run = this.#admission = this.#options = this.#peer = undefined;
    this.move({ type: 'stop' });
  }

  /**
   * Puts another camera or microphone on the air, live or between two connections.
   * The old track is not stopped: it is its owner's.
   *
   * @throws {StreamError} `unexpected`: nothing runs, or the broadcast began without a track of this kind
   */
  async replaceTrack(track: MediaStreamTrack): Promise<void> {
    const media = this.#options?.media;
    const old = media?.getTracks().find(({ kind }) => kind === track.kind);
    if (!media || !old) {
      throw new StreamError('unexpected', `There is no ${track.kind} on the air that could be replaced`);
    }
    await this.#peer
      ?.getSenders()
      .find((sender) => sender.track?.kind === track.kind)
      ?.replaceTrack(track);
    media.removeTrack(old);
    media.addTrack(track);
  }

  /** Figures of the session's connection (W3C webrtc-stats); undefined: there is none. */
  async getStats(): Promise<RTCStatsReport | undefined> {
    return this.#peer?.getStats();
  }

  #publish(options: BroadcasterOptions, admission: GrantSource, attempt: Attempt): Promise<never> {
    const { streamName, media, codec = 'vp8', simulcast = false, maxBitrate, sourceId, priority } = options;
    let { accountId } = options;
    let viewers = 0;
    const encodings = (video: MediaStreamTrack) => {
      const { width, height } = video.getSettings();
      return sendEncodings({ codec, width, height, simulcast, maxBitrate });
    };

    return runSession(
      {
        admission,
        openPeer: () => (this.#peer = publisherPeerConnection(media, encodings)),
        command: {
          name: 'publish',
          data: { name: streamName, codec, sourceId, priority, events: ['viewercount', 'migrate'], resumable: true },
        },
        farewell: 'unpublish',
        onAdmitted: (grant) => (accountId = grant.streamAccountId ?? accountId),
        onEvent: (name, data) => {
          if (name !== 'viewercount') return;
          viewers = number(data, 'viewercount') ?? viewers;
          if (!attempt.isStandby) this.move({ type: 'viewercount', viewers });
        },
        onMigrate: () => attempt.migrate(),
        onConnected: () => {
          attempt.connected();
          this.move({ type: 'connected', onAir: { streamName, accountId, since: Date.now() }, viewers });
        },
      },
      attempt.signal,
    );
  }
}

/** What a session's key belongs to. No text of this form is the beginning of another. */
function streamOf({ endpoint, accountId, streamName, sourceId }: BroadcasterOptions): string {
  return JSON.stringify([endpoint, accountId, streamName, sourceId]);
}
