import type { FakeEngine } from './fake-engine.js';
import type { MediaEngine, MediaSession, SourceId, TrackKind, VideoCodec } from '../../../server/media/media-engine.js';
import { FIREFOX_PAYLOAD_TYPES, sdpOffer } from './offer.js';
import { RtpPeer } from './rtp-peer.js';

/** The other end of a session. */
export interface MediaPeer {
  readonly offer: string;
  /** Applies the answer. Resolves when media can flow. */
  accept(session: MediaSession): Promise<void>;
  /** For publishers: sends one audio packet and a keyframe. */
  sendFrame(): void;
  /** For viewers. */
  received(kind: TrackKind): number;
}

/** An engine, and peers for it. */
export interface MediaHarness {
  readonly engine: MediaEngine;
  publisher(stream: string, codec?: VideoCodec, sourceId?: SourceId): Promise<MediaPeer>;
  viewer(): Promise<MediaPeer>;
  close(): Promise<void>;
}

/** Peers with real transports. Viewers have other payload types than publishers. */
export function networkHarness(engine: MediaEngine): MediaHarness {
  const peers: RtpPeer[] = [];
  const open = async (options: Parameters<typeof RtpPeer.open>[0]): Promise<MediaPeer> => {
    const peer = await RtpPeer.open(options);
    peers.push(peer);
    return {
      offer: peer.offer,
      accept: (session) => peer.accept(session),
      sendFrame: () => peer.sendFrame(),
      received: (kind) => peer.received(kind),
    };
  };
  return {
    engine,
    publisher: (_stream, codec) => open({ role: 'publisher', ...(codec ? { videoCodecs: [codec] } : {}) }),
    viewer: () => open({ role: 'viewer', payloadTypes: FIREFOX_PAYLOAD_TYPES }),
    close: async () => {
      for (const peer of peers) peer.close();
      await engine.close();
    },
  };
}

/** Peers of the fake engine. */
export function fakeHarness(engine: FakeEngine): MediaHarness {
  const peer = (offer: string, stream: string, sourceId: SourceId = null): MediaPeer => {
    let session: MediaSession | undefined;
    return {
      offer,
      accept: async (accepted) => void (session = accepted),
      sendFrame: () => engine.sendFrame(stream, sourceId),
      received: (kind) => engine.received(session?.id ?? '', kind),
    };
  };
  return {
    engine,
    publisher: async (stream, codec, sourceId) =>
      peer(sdpOffer({ direction: 'sendonly', ...(codec ? { videoCodecs: [codec] } : {}) }), stream, sourceId),
    viewer: async () => peer(sdpOffer({ payloadTypes: FIREFOX_PAYLOAD_TYPES }), ''),
    close: () => engine.close(),
  };
}
