import { readRtcp } from '../../../server/media/embedded/rtcp/rtcp.js';
import { AnsweringPeer } from './answering-peer.js';
import type { FakeEngine } from './fake-engine.js';
import { EngineOfATest } from './engine-of-a-test.js';
import type { MediaEngine } from '../../../server/media/engine/media-engine.js';
import type { MediaSession } from '../../../server/media/engine/media-session.js';
import type { SourceId, TrackKind, VideoCodec } from '../../../server/media/engine/media-track.js';
import { FIREFOX_PAYLOAD_TYPES, sdpOffer } from './offer.js';
import { patient } from './patient-engine.js';
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
  close(): void;
}

/** An engine, and peers for it. */
export interface MediaHarness<Engine = MediaEngine> {
  readonly engine: Engine;
  publisher(stream: string, codec?: VideoCodec, sourceId?: SourceId): Promise<MediaPeer>;
  viewer(): Promise<MediaPeer>;
}

/** An engine as a test sees it that shares it with others, and peers for it. */
export interface TestHarness extends MediaHarness<EngineOfATest> {
  /** Closes the sessions and the peers of the test. */
  close(): void;
}

/** @param test begins the names of the streams of the test */
export function harnessOfATest(shared: MediaHarness, test: string): TestHarness {
  const engine = new EngineOfATest(shared.engine, test);
  const peers: MediaPeer[] = [];
  const kept = async (opening: Promise<MediaPeer>): Promise<MediaPeer> => {
    const peer = await opening;
    peers.push(peer);
    return peer;
  };
  return {
    engine,
    publisher: (stream, ...options) => kept(shared.publisher(engine.nameOf(stream), ...options)),
    viewer: () => kept(shared.viewer()),
    close() {
      engine.leave();
      for (const peer of peers) peer.close();
    },
  };
}

/** Peers with real transports at this address. Viewers have other payload types than publishers. */
export function networkHarness(engine: MediaEngine, address = '127.0.0.1'): MediaHarness {
  const open = async (options: Parameters<typeof RtpPeer.open>[0]): Promise<MediaPeer> => {
    const peer = await RtpPeer.open(options);
    return {
      offer: peer.offer,
      accept: (session) => peer.accept(session),
      answer: answersNothing,
      sendFrame: () => peer.sendFrame(),
      told: () =>
        peer.rtcp.flatMap((packet) => readRtcp(packet)).findLast((message) => message.type === 'remb')?.bitsPerSecond,
      received: (kind) => peer.received(kind),
      close: () => peer.close(),
    };
  };
  return {
    engine: patient(engine),
    publisher: (_stream, codec) => open({ role: 'publisher', address, ...(codec ? { videoCodecs: [codec] } : {}) }),
    viewer: () => open({ role: 'viewer', address, payloadTypes: FIREFOX_PAYLOAD_TYPES }),
  };
}

/**
 * Peers with real transports for an engine that makes the offers of viewers.
 * @param address of this machine that the engine and the peers use
 */
export function offeringHarness(engine: MediaEngine, address: string): MediaHarness {
  return {
    ...networkHarness(engine, address),
    async viewer() {
      let opened: AnsweringPeer | undefined;
      return {
        offer: sdpOffer({ payloadTypes: FIREFOX_PAYLOAD_TYPES }),
        accept: () => Promise.reject(new Error('this viewer answers')),
        async answer(offer) {
          opened = await AnsweringPeer.open(offer, address);
          return opened.answer;
        },
        sendFrame: () => {},
        told: () => undefined,
        received: (kind) => opened?.received(kind) ?? 0,
        close: () => opened?.close(),
      };
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
      close: () => {},
    };
  };
  return {
    engine,
    publisher: async (stream, codec, sourceId) =>
      peer(sdpOffer({ direction: 'sendonly', ...(codec ? { videoCodecs: [codec] } : {}) }), stream, sourceId),
    viewer: async () => peer(sdpOffer({ payloadTypes: FIREFOX_PAYLOAD_TYPES }), ''),
  };
}
