import { viewerCountEvent } from '../wire/stream-event.js';
import type { Access } from './authorize.js';
import {
  BROADCASTER_IDLE,
  nextBroadcasterPhase,
  type BroadcasterEvent,
  type BroadcasterPhase,
} from './broadcaster-phase.js';
import { asStreamError, StreamError } from './errors.js';
import { keepConnected } from './keep-connected.js';
import { publisherPeer } from './peers.js';
import { PhaseTarget } from './phase-target.js';
import { runSession } from './session.js';

export type VideoCodec = 'vp8' | 'h264' | 'vp9' | 'av1';

/** What to broadcast, and where. */
export interface BroadcasterOptions extends Access {
  readonly token: string;
  /** At least one track. `replaceTrack` changes it; nobody but its owner stops its tracks. */
  readonly media: MediaStream;
  readonly codec?: VideoCodec | undefined;
}

/**
 * Broadcasts one stream and comes back after a break, under the same name.
 * It says `phasechange` whenever `phase` became another one.
 */
export class Broadcaster extends PhaseTarget<BroadcasterPhase, BroadcasterEvent> {
  #run: AbortController | undefined;
  #media: MediaStream | undefined;
  #peer: RTCPeerConnection | undefined;

  constructor() {
    super(BROADCASTER_IDLE, nextBroadcasterPhase);
  }

  /** Goes live with this now, and with nothing else. */
  start(options: BroadcasterOptions): void {
    this.stop();
    const run = (this.#run = new AbortController());
    let sessionKey: string | undefined;
    this.#media = options.media;
    this.move({ type: 'start' });
    keepConnected({
      signal: run.signal,
      connect: (signal, connected) =>
        this.#publish(options, signal, connected, sessionKey, (key) => (sessionKey = key)),
      onBreak: (error, attempt) => this.move({ type: 'broke', error, attempt }),
    }).catch((thrown: unknown) => this.move({ type: 'gave-up', error: asStreamError(thrown) }));
  }

  /** Ends the broadcast. Viewers notice at once. */
  stop(): void {
    this.#run?.abort();
    this.#run = undefined;
    this.#media = undefined;
    this.#peer = undefined;
    this.move({ type: 'stop' });
  }

  /**
   * Puts another camera or microphone on the air, live or between two connections.
   * The old track is not stopped: it is its owner's.
   *
   * @throws {StreamError} `unexpected`: nothing runs, or the broadcast began without a track of this kind
   */
  async replaceTrack(track: MediaStreamTrack): Promise<void> {
    const media = this.#media;
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

  #publish(
    { media, codec = 'vp8', ...access }: BroadcasterOptions,
    signal: AbortSignal,
    connected: () => void,
    sessionKey: string | undefined,
    keepKey: (key: string | undefined) => void,
  ): Promise<never> {
    const { streamName } = access;
    let accountId = access.accountId;
    let viewers = 0;

    return runSession(
      {
        role: 'publish',
        access,
        sessionKey,
        openPeer: () => (this.#peer = publisherPeer(media)),
        command: { name: 'publish', data: { name: streamName, codec, events: ['viewercount'] } },
        onAdmitted: (grant) => (accountId = grant.streamAccountId ?? accountId),
        onAnswer: (answer) => keepKey(answer.sessionKey),
        onEvent: (name, data) => {
          if (name !== 'viewercount') return;
          viewers = viewerCountEvent.safeParse(data).data?.viewercount ?? viewers;
          this.move({ type: 'viewercount', viewers });
        },
        onConnected: () => {
          connected();
          this.move({ type: 'connected', onAir: { streamName, accountId, since: Date.now() }, viewers });
        },
      },
      signal,
    );
  }
}
