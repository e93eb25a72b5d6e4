import { readRtcp } from '../../../server/media/embedded/rtcp/rtcp.js';
import { AnsweringPeer } from './answering-peer.js';
import type { FakeEngine } from './fake-engine.js';
import type { MediaEngine } from '../../../server/media/engine/media-engine.js';
import type { MediaSession } from '../../../server/media/engine/media-session.js';
import type { SourceId, TrackKind, VideoCodec } from '../../../server/media/engine/media-track.js';
import { FIREFOX_PAYLOAD_TYPES, sdpOffer } from './offer.js';
import { RtpPeer } from './rtp-peer.js';

/** The other end of a session. */
export interface MediaPeer {
  readonly offer: string;
  /** Applies the answer. Resolves when media can flow. */
  accept(session: Pick<MediaSession, 'id' | 'answer'>): Promise<void>;
  /** For viewers: answers an offer of the engine. */
  answer(offer: string): Promise<string>;
  /** For publishers: sends one audio packet and a keyframe. */
  sendFrame(): void;
  /** For publishers: the most that it was last told to send, in bit/s. */
  told(): number | undefined;
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

/** Peers with real transports at this address. Viewers have other payload types than publishers. */
export function networkHarness(engine: MediaEngine, address = '127.0.0.1'): MediaHarness {
  const peers: RtpPeer[] = [];
  const open = async (options: Parameters<typeof RtpPeer.open>[0]): Promise<MediaPeer> => {
    const peer = await RtpPeer.open(options);
    peers.push(peer);
    return {
      offer: peer.offer,
      accept: (session) => peer.accept(session),
      answer: answersNothing,
      sendFrame: () => peer.sendFrame(),
      told: () =>
        peer.rtcp.flatMap((packet) => readRtcp(packet)).findLast((message) => message.type === 'remb')?.bitsPerSecond,
      received: (kind) => peer.received(kind),
    };
  };
  return {
    engine,
    publisher: (_stream, codec) => open({ role: 'publisher', address, ...(codec ? { videoCodecs: [codec] } : {}) }),
    viewer: () => open({ role: 'viewer', address, payloadTypes: FIREFOX_PAYLOAD_TYPES }),
    close: async () => {
      for (const peer of peers) peer.close();
      await engine.close();
    },
  };
}

/**
 * Peers with real transports for an engine that makes the offers of viewers.
 * @param address of this machine that the engine and the peers use
 */
export function offeringHarness(engine: MediaEngine, address: string): MediaHarness {
  const publishers = networkHarness(engine, address);
  const viewers: AnsweringPeer[] = [];
  return {
    engine,
    publisher: (...options) => publishers.publisher(...options),
    async viewer() {
      let opened: AnsweringPeer | undefined;
      return {
        offer: sdpOffer({ payloadTypes: FIREFOX_PAYLOAD_TYPES }),
        accept: () => Promise.reject(new Error('this viewer answers')),
        async answer(offer) {
          opened = await AnsweringPeer.open(offer, address);
          viewers.push(opened);
          return opened.answer;
        },
        sendFrame: () => {},
        told: () => undefined,
        received: (kind) => opened?.received(kind) ?? 0,
      };
    },
    async close() {
      for (const viewer of viewers) viewer.close();
      await publishers.close();
    },
  };
}

const answersNothing = (): Promise<never> => Promise.reject(new Error('this peer makes the offer'));

/** Peers of the fake engine. */
export function fakeHarness(engine: FakeEngine): MediaHarness {
  const peer = (offer: string, stream: string, sourceId: SourceId = null): MediaPeer => {
    let session: Pick<MediaSession, 'id'> | undefined;
    return {
      offer,
      accept: async (accepted) => void (session = accepted),
      answer: answersNothing,
      sendFrame: () => engine.sendFrame(stream, sourceId),
      told: () => engine.toldBitrates.get(session?.id ?? ''),
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
