import type { LoadEvent, ViewerCountEvent } from '../../wire/websocket/stream-events.js';
import type { ConnectionOptions } from '../authorization/director.js';
import { GrantSource } from '../authorization/grant-source.js';
import { publisherPeerConnection } from '../connection/peer-connections.js';
import { reconnectLoop, type Attempt } from '../connection/reconnect-loop.js';
import { runSession } from '../connection/session.js';
import { LEAVING, type SignallingConnection } from '../connection/signalling.js';
import { asStreamError, StreamError } from '../errors.js';
import { PhaseTarget } from '../phase.js';
import { sameOptions } from '../same-options.js';
import { flag, number, type Unread } from '../unread.js';
import { adaptSimulcast } from './automatic-simulcast.js';
import { BROADCASTER_IDLE, isOver, type BroadcasterPhase } from './broadcaster-phase.js';
import { codecToRecord, NOT_RECORDED, recordingOf, type BroadcasterRecording } from './broadcaster-recording.js';
import { nextBroadcasterPhase, type BroadcasterEvent } from './next-broadcaster-phase.js';
import { streamKey } from './stream-key.js';
import { sendEncodings, type VideoCodec } from './send-encodings.js';

export type { VideoCodec };

/** What to broadcast, and where. A `token` or a `tokenProvider` is required. */
export interface BroadcasterOptions extends ConnectionOptions {
  /** A track of sound, of video, or one of each. `replaceTrack` changes this stream. The broadcaster never stops its tracks. */
  readonly media: MediaStream;
  /** Absent: VP8. If the token records: H.264, or VP9 where the browser has no H.264, so that viewers can go back. */
  readonly codec?: VideoCodec | undefined;
  /**
   * Sends the video in up to three sizes, so that each viewer receives one that their network can carry. Absent: while
   * processor and network have room for it, where the browser says so.
   */
  readonly simulcast?: boolean | undefined;
  /** The highest bitrate of the video at its full size, in bit/s. */
  readonly maxBitrate?: number | undefined;
  /** The id of one of several sources of the stream, 1 to 128 characters. Absent: the main source. */
  readonly sourceId?: string | undefined;
  /** On other servers, a publisher with a higher priority replaces another one. This server ignores it. */
  readonly priority?: number | undefined;
  /** Keeps the session key while the page reloads. */
  readonly resume?: ResumeStore | undefined;
}

/**
 * Stores the session key of a broadcast from `leave` or `stop` until the next `start`. A client with the key can take
 * the source of the stream: store the key where only this page can read it after a reload, such as `sessionStorage`. A
 * key belongs to one broadcast; `start` sends it for no other one.
 */
export interface ResumeStore {
  /** @param stream endpoint, account, stream and source as one text, for stores with several keys */
  load(stream: string): string | undefined;
  /**
   * @param key undefined: remove it
   * @param isLeft the page is left while the broadcast is live
   */
  save(key: string | undefined, stream: string, isLeft?: boolean): void;
}

/**
 * Broadcasts one stream, and reconnects as the same source after the connection is lost.
 *
 * Events: `phasechange` (see {@link PhaseChangeEvent}) after each change of `phase`, and `recordingchange` after each
 * change of `recording`.
 */
export class Broadcaster extends PhaseTarget<BroadcasterPhase, BroadcasterEvent> {
  #run: AbortController | undefined;
  #grants: GrantSource | undefined;
  #options: BroadcasterOptions | undefined;
  /** The latest last. While the session migrates, the one before it still sends. */
  #peers: RTCPeerConnection[] = [];
  #recording: BroadcasterRecording = NOT_RECORDED;
  /** What `record` or `unrecord` asked for. Undefined: the token decides. */
  #wantsRecording: boolean | undefined;
  #signalling: SignallingConnection | undefined;
  #isServerOverloaded = false;

  constructor() {
    super(BROADCASTER_IDLE, nextBroadcasterPhase);
  }

  /** Whether the broadcast is recorded. A token that records does so from the start. */
  get recording(): BroadcasterRecording {
    return this.#recording;
  }

  /**
   * Whether the server has too much to do, and sends viewers less than it receives. A slow upload in `getStats` may be
   * the server's then.
   */
  get serverOverloaded(): boolean {
    return this.#isServerOverloaded;
  }

  /**
   * Goes live with these options. A broadcast with the same options continues; one with other options ends first. To
   * send other kinds of tracks, call `stop` first.
   */
  start(options: BroadcasterOptions): void {
    if (!isOver(this.phase) && sameOptions(this.#options, options)) return;
    this.stop();
    const { resume, sourceId } = options;
    const run = (this.#run = new AbortController());
    const stream = streamKey(options);
    const stored = resume?.load(stream);
    const sessionKey = stored?.startsWith(stream) ? stored.slice(stream.length) : undefined;
    const grants = (this.#grants = new GrantSource('publish', options, { sourceId, sessionKey }));
    // A duplicated tab must not take the source from the original tab.
    resume?.save(undefined, stream);
    this.#options = options;
    this.move({ type: 'start' });
    reconnectLoop({
      signal: run.signal,
      connect: (attempt) => this.#connect(options, grants, attempt),
      onRetry: (retry) => this.move({ type: 'lost', ...retry }),
    }).catch((thrown: unknown) => {
      this.move({ type: 'gave-up', error: asStreamError(thrown) });
      this.#setRecording(NOT_RECORDED);
    });
  }

  /** Ends the broadcast. The server informs the viewers at once and releases the source. */
  stop(): void {
    this.#end(LEAVING);
  }

  /** Closes the connection when the page unloads, and saves the session key in the `resume` store. */
  leave(): void {
    this.#end();
  }

  #end(reason?: unknown): void {
    if (this.#options) {
      const stream = streamKey(this.#options);
      const key = this.#grants?.sessionKey;
      // After `stop`, too: if the page unloads before `unpublish` is sent, the server keeps the source for the lease.
      this.#options.resume?.save(key && stream + key, stream, reason === undefined);
    }
    this.#run?.abort(reason);
    this.#run = this.#grants = this.#options = this.#signalling = this.#wantsRecording = undefined;
    this.move({ type: 'stop' });
    this.#setRecording(NOT_RECORDED);
    this.#isServerOverloaded = false;
  }

  /**
   * Sends another camera or microphone, while live or while reconnecting. The old track is not stopped.
   *
   * @throws {StreamError} `unexpected`: there is no broadcast, or it started without a track of this kind
   * @throws {DOMException} the browser cannot send it over this connection: the old track is sent until the next one
   */
  async replaceTrack(track: MediaStreamTrack): Promise<void> {
    const media = this.#options?.media;
    const old = media?.getTracks().find(({ kind }) => kind === track.kind);
    if (!old) throw new StreamError('unexpected', 'Nothing to replace');
    // First, because a connection that is made meanwhile sends the tracks that `media` has then.
    media!.removeTrack(old);
    media!.addTrack(track);
    const senders = this.#openPeers.flatMap((peer) => peer.getSenders());
    await Promise.all(senders.map((sender) => sender.track?.kind === track.kind && sender.replaceTrack(track)));
  }

  /**
   * Records again after `unrecord`. While reconnecting, it applies when the broadcast is live again; without a broadcast
   * it does nothing.
   *
   * @throws {RejectedError} the server refuses, for example because its token does not record
   */
  record(): Promise<void> {
    return this.#switchRecording(true);
  }

  /** Stops the recording. The broadcast goes on. Throws as `record` does. */
  unrecord(): Promise<void> {
    return this.#switchRecording(false);
  }

  async #switchRecording(isOn: boolean): Promise<void> {
    this.#wantsRecording = isOn;
    await this.#signalling?.command(isOn ? 'record' : 'unrecord', {});
  }

  #setRecording(recording: BroadcasterRecording): void {
    if (recording === this.#recording) return;
    this.#recording = recording;
    this.dispatchEvent(new Event('recordingchange'));
  }

  /** The statistics of the connection that sends (W3C webrtc-stats). Undefined: there is no connection. */
  async getStats(): Promise<RTCStatsReport | undefined> {
    return this.#openPeers[0]?.getStats();
  }

  get #openPeers(): RTCPeerConnection[] {
    return this.#peers.filter(({ signalingState }) => signalingState !== 'closed');
  }

  #connect(options: BroadcasterOptions, grants: GrantSource, attempt: Attempt): Promise<never> {
    const { streamName, media, simulcast, maxBitrate, sourceId, priority } = options;
    let { accountId } = options;
    let viewers = 0;
    let mayRecord = false;
    let peer: RTCPeerConnection;
    const data = {
      name: streamName,
      codec: options.codec ?? 'vp8',
      sourceId,
      priority,
      events: ['viewercount', 'migrate', 'recording', 'load'],
      resumable: true,
      record: undefined as boolean | undefined,
    };

    this.#isServerOverloaded = false;
    return runSession(
      {
        grants,
        openPeer: () => {
          peer = publisherPeerConnection(media, (video) =>
            sendEncodings({ ...video.getSettings(), simulcast, cores: navigator.hardwareConcurrency, maxBitrate }),
          );
          this.#peers = [...this.#openPeers, peer];
          return peer;
        },
        command: { name: 'publish', data },
        lastCommands: () => [['unpublish']],
        onAdmitted: (grant) => {
          accountId = grant.streamAccountId ?? accountId;
          mayRecord = grant.record === true;
          if (!mayRecord) return;
          data.codec = options.codec ?? codecToRecord();
          data.record = this.#wantsRecording;
        },
        onAnswer: (signalling) => {
          this.#signalling = signalling;
          // `record` or `unrecord` was called while the server answered.
          const wanted = this.#wantsRecording;
          if (mayRecord && wanted !== data.record) void this.#switchRecording(wanted!).catch(() => {});
        },
        onEvent: (name, event) => {
          if (name === 'recording') {
            const canRewind = data.codec !== 'vp8' || !media.getVideoTracks()[0];
            this.#setRecording(mayRecord ? recordingOf(event, canRewind) : NOT_RECORDED);
          }
          if (name === 'load') this.#isServerOverloaded = flag(event as Unread<LoadEvent>, 'overloaded') ?? false;
          if (name !== 'viewercount') return;
          viewers = number(event as Unread<ViewerCountEvent>, 'viewercount') ?? viewers;
          if (!attempt.isStandby) this.move({ type: 'viewercount', viewers });
        },
        onMigrate: () => attempt.migrate(),
        onConnected: () => {
          attempt.connected();
          if (simulcast === undefined) adaptSimulcast(peer, attempt.signal);
          this.move({ type: 'connected', broadcast: { streamName, accountId, since: Date.now() }, viewers });
        },
      },
      attempt.signal,
    );
  }
}
