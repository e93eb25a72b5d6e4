import { BrowserReceiver } from '../../../bench/media/browser-receiver.js';
import { TransportFeedbackGenerator } from '../../../server/media/embedded/bandwidth/transport-feedback-generator.js';
import { readTransportSequence } from '../../../server/media/embedded/rtp/header-extensions.js';
import { isRtcp, payloadType, ssrc } from '../../../server/media/embedded/rtp/packet.js';
import type { LayerChoice } from '../../../server/media/engine/media-session.js';
import type { TrackKind } from '../../../server/media/engine/media-track.js';
import { PAYLOAD_TYPES, sdpOffer, type OfferParts } from './offer.js';
import { RouterFixture, type Sink } from './router-fixture.js';
import { rtpPacket } from './rtp.js';
import { SimulatedPath, type PathConditions } from './simulated-path.js';

const SSRCS = [500, 100, 102];
/** 150, 500 and 1,500 kbit/s at 30 frames a second, each in packets of network size. */
const PICTURE_BYTES = [625, 2_083, 6_250];
const PICTURE_MS = 33;
const FEEDBACK_MS = 99;
const SOUND_MS = 20;
const SOUND_PAYLOAD = Buffer.alloc(80, 9);
export const TRANSPORT_SEQUENCE_ID = 3;

/** A viewer that reports on each packet, as Chromium does. */
export const TRANSPORT_FEEDBACK: OfferParts = {
  kinds: ['video'],
  extensions: { [TRANSPORT_SEQUENCE_ID]: 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01' },
  congestionFeedback: ['goog-remb', 'transport-cc'],
  retransmissions: true,
};
export const isSentAgain = (packet: Buffer): boolean => (packet[1]! & 0x7f) === PAYLOAD_TYPES.vp8 + 1;

/** The encoding that was sent last. */
export const last = ({ rtp }: Sink): number => rtp.findLast((packet) => !isSentAgain(packet))!.at(-1)!;

/** A viewer behind a narrow path, who sends feedback and asks for lost packets and keyframes as browsers do. */
class NarrowPath {
  readonly path: SimulatedPath;
  readonly receiver: BrowserReceiver;
  readonly #record = new TransportFeedbackGenerator(9);
  /** The longest delay of a packet, in ms. */
  longestJourney = 0;
  #taken = 0;
  #underWay: { packet: Buffer; arrival: number }[] = [];
  #requests: Buffer[] = [];

  constructor(conditions: Partial<PathConditions>, seed?: number) {
    this.path = new SimulatedPath(conditions, seed);
    this.receiver = new BrowserReceiver((rtcp) => void this.#requests.push(rtcp));
  }

  pass(sink: Sink, now: number): void {
    for (const packet of sink.packets.slice(this.#taken)) {
      if (isRtcp(packet)) continue;
      const arrival = this.path.send(packet.length, now);
      if (Number.isNaN(arrival)) continue;
      this.longestJourney = Math.max(this.longestJourney, arrival - now);
      this.#underWay.push({ packet, arrival });
    }
    this.#taken = sink.packets.length;
    const arrived = this.#underWay.filter(({ arrival }) => arrival <= now);
    this.#underWay = this.#underWay.filter(({ arrival }) => arrival > now);
    for (const { packet, arrival } of arrived) {
      const sequence = readTransportSequence(packet, TRANSPORT_SEQUENCE_ID);
      this.#record.onPacket(sequence, -1, ssrc(packet), { notBefore: arrival, now: arrival });
      // The receiver changes its packets, which the sink keeps.
      if (payloadType(packet) !== PAYLOAD_TYPES.opus) this.receiver.receive(Buffer.from(packet), now);
    }
    this.receiver.tick(now);
  }

  takeRequests(): Buffer[] {
    return this.#requests.splice(0);
  }

  feedback(now: number): Buffer[] {
    return this.#record.takeFeedback(now);
  }
}

interface VideoParts {
  /** Whether there is sound, of 32 kbit/s. */
  readonly sound?: boolean;
  /** Whether each encoding has three temporal layers. */
  readonly temporal?: boolean;
  /** The keyframes that others ask for. They are larger than other pictures. */
  readonly keyframes?: { readonly bytes: number; readonly everyMs: number };
}

/** The temporal layers of pictures in turn, as in L1T3. */
const TEMPORAL = [0, 2, 1, 2] as const;

/** The VP8 payload descriptor of a packet (RFC 7741), and the byte that says whether a keyframe begins. */
function descriptorOf(isFirst: boolean, isKeyframe: boolean, picture: number | undefined): number[] {
  const start = isFirst ? 0x10 : 0x00;
  const keyframe = isFirst && isKeyframe ? 0 : 1;
  if (picture === undefined) return [start, keyframe];
  const temporal = TEMPORAL[picture % 4]!;
  const baseLayer = (picture >> 2) & 0xff;
  const pictureId = [0x80 | ((picture >> 8) & 0x7f), picture & 0xff];
  return [0x80 | start, 0xe0, ...pictureId, baseLayer, (temporal << 6) | (temporal ? 0x20 : 0), keyframe];
}

/**
 * A simulcast of three encodings, or a video of one, whose encoder answers keyframe requests, and its viewers.
 * @param pictureBytes of each encoding, at 30 frames a second
 */
export function openSimulcast(
  pictureBytes: readonly number[] = PICTURE_BYTES,
  { sound = false, temporal = false, keyframes: others }: VideoParts = {},
) {
  const stream = new RouterFixture({ paces: true });
  const kinds: TrackKind[] = sound ? ['audio', 'video'] : ['video'];
  const ssrcs = SSRCS.slice(0, pictureBytes.length);
  const encodings = ssrcs.length > 1 ? { simulcastSsrcs: ssrcs } : { ssrcs: { audio: 1, video: ssrcs[0]! } };
  const publisher = stream.publish(sdpOffer({ kinds, direction: 'sendonly', ...encodings }));
  const sequences = ssrcs.map(() => 0);
  let pictures = 0;
  const viewers: { viewer: ReturnType<RouterFixture['view']>; path: NarrowPath | undefined }[] = [];
  let now = 0;
  let requests = 0;
  let soundSequence = 0;
  let keyframes = new Set(ssrcs);
  let keyframesAt = 0;

  function sendPicture() {
    if (others && now - keyframesAt >= others.everyMs) keyframes = new Set(ssrcs);
    if (keyframes.size) {
      keyframesAt = now;
      // A keyframe begins the temporal layers anew.
      pictures += 3 - ((pictures + 3) % 4);
    }
    const picture = temporal ? pictures++ : undefined;
    ssrcs.forEach((from, encoding) => {
      const isKeyframe = keyframes.has(from);
      const bytes = (isKeyframe && others?.bytes) || pictureBytes[encoding]!;
      for (let left = bytes, first = true; left > 0; left -= 1_150, first = false) {
        const payload = Buffer.allocUnsafe(Math.min(left, 1_150)).fill(encoding);
        payload.set(descriptorOf(first, isKeyframe, picture));
        const marker = left <= 1_150;
        const sequence = sequences[encoding]!++ & 0xffff;
        publisher.send(rtpPacket({ ssrc: from, sequence, timestamp: now * 90, payload, marker }), now);
      }
    });
    const asked = publisher.sink.keyframeRequests;
    keyframes = new Set(asked.slice(requests));
    requests = asked.length;
  }

  function sendSound() {
    for (; soundSequence * SOUND_MS < now; soundSequence++) {
      publisher.audio(soundSequence & 0xffff, { payload: SOUND_PAYLOAD, timestamp: soundSequence * 960 }, now);
    }
  }

  return {
    stream,
    watch(offer: OfferParts, conditions?: Partial<PathConditions>, layer: LayerChoice = {}) {
      const viewer = stream.view(offer, { now, layer });
      const path = conditions && new NarrowPath(conditions, viewers.length + 1);
      viewers.push({ viewer, path });
      return {
        ...viewer,
        conditions: path?.path.conditions,
        longestJourney: () => path?.longestJourney ?? 0,
        /** The pictures that the viewer could decode. */
        frames: () => path?.receiver.frames ?? 0,
        forgetJourneys: () => void (path && (path.longestJourney = 0)),
      };
    },
    get now() {
      return now;
    },
    /** Runs for some seconds. Returns the encoding that a viewer was last sent after each second. */
    pass(seconds: number, watched: { readonly sink: Sink }): number[] {
      const seen: number[] = [];
      for (let picture = 1; picture <= seconds * 30; picture++) {
        now += PICTURE_MS;
        sendPicture();
        if (sound) sendSound();
        stream.router.pace(now);
        for (const { viewer, path } of viewers) {
          path?.pass(viewer.sink, now);
          for (const packet of path?.takeRequests() ?? []) viewer.sendRtcp(packet, now);
          if (path && now % FEEDBACK_MS === 0) for (const packet of path.feedback(now)) viewer.sendRtcp(packet, now);
        }
        stream.router.tick(now);
        if (picture % 30 === 0) seen.push(last(watched.sink));
      }
      return seen;
    },
  };
}
