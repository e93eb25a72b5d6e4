import { Subscriber } from '../../../server/media/embedded/consumer/subscriber.js';
import {
  PublisherTransport,
  type PublisherTransportOptions,
} from '../../../server/media/embedded/producer/publisher-transport.js';
import { isRtcp, ssrc } from '../../../server/media/embedded/rtp/packet.js';
import { readRtcp, type RtcpMessage } from '../../../server/media/embedded/rtcp/rtcp.js';
import { negotiatePublisher, negotiateSubscriber } from '../../../server/media/sdp/negotiation.js';
import { readOffer } from '../../../server/media/sdp/offer.js';
import { Router, type RouterEvents } from '../../../server/media/embedded/stream/router.js';
import {
  describeSentTracks,
  subscriberParameters,
} from '../../../server/media/embedded/consumer/subscriber-parameters.js';
import type { LayerState, ReceptionState } from '../../../server/media/engine/media-figures.js';
import type { ViewOptions } from '../../../server/media/engine/media-session.js';
import type { SourceId, TrackKind, VideoCodec } from '../../../server/media/engine/media-track.js';
import { sdpOffer, type OfferParts } from './offer.js';
import { DELTA_PAYLOADS, KEYFRAME_PAYLOADS, rtpPacket, type RtpParts } from './rtp.js';

/** Keeps a copy of every packet. */
export class Sink {
  readonly packets: Buffer[] = [];
  /** What the packets are, of those that were read. Simulations ask after each picture of an hour. */
  #read = {
    count: 0,
    rtp: [] as Buffer[],
    rtcp: [] as Buffer[],
    messages: [] as RtcpMessage[],
    requests: [] as number[],
  };

  send(packet: Buffer): boolean {
    this.packets.push(Buffer.from(packet));
    return true;
  }

  get rtp(): Buffer[] {
    return this.#readAll().rtp.slice();
  }

  get rtcp(): Buffer[] {
    return this.#readAll().rtcp.slice();
  }

  get messages(): RtcpMessage[] {
    return this.#readAll().messages.slice();
  }

  /** The SSRCs of the keyframe requests, in order. */
  get keyframeRequests(): number[] {
    return this.#readAll().requests.slice();
  }

  #readAll() {
    const { packets } = this;
    // A test has removed some.
    if (this.#read.count > packets.length) this.#read = { count: 0, rtp: [], rtcp: [], messages: [], requests: [] };
    const read = this.#read;
    for (; read.count < packets.length; read.count++) {
      const packet = packets[read.count]!;
      if (!isRtcp(packet)) read.rtp.push(packet);
      else {
        read.rtcp.push(packet);
        for (const message of readRtcp(packet)) {
          read.messages.push(message);
          if (message.type === 'keyframe-request') read.requests.push(message.mediaSsrc);
        }
      }
    }
    return read;
  }
}

export interface VideoParts extends RtpParts {
  readonly keyframe?: boolean;
  readonly codec?: VideoCodec;
}

/** A router without a network: offers are negotiated, and packets are passed by calls. */
export class RouterFixture {
  /** The `live`, `updated` and `ended` events. */
  readonly events: string[] = [];
  readonly layers: { source: SourceId; layers: readonly LayerState[] }[] = [];
  readonly receptions: { source: SourceId; state: ReceptionState }[] = [];
  readonly router: Router;

  /** @param paces whether large frames are held until `router.pace` is called */
  constructor({ paces = false } = {}) {
    this.router = new Router({ ...this.#routerEvents, onHeld: paces ? () => {} : undefined });
  }

  readonly #routerEvents: RouterEvents = {
    onLive: (source, kinds) => this.events.push(named('live', source, kinds)),
    onUpdated: (source, kinds) => this.events.push(named('updated', source, kinds)),
    onEnded: (source) => this.events.push(named('ended', source)),
    onLayers: (source, layers) => this.layers.push({ source, layers }),
    onReception: (source, state) => this.receptions.push({ source, state }),
  };

  publish(
    offer: string = sdpOffer({ direction: 'sendonly' }),
    source: SourceId = null,
    codec?: VideoCodec,
    options?: PublisherTransportOptions,
  ) {
    const { tracks, media } = negotiatePublisher(readOffer(offer), codec);
    const sink = new Sink();
    const transport = new PublisherTransport(source, tracks, sink, this.router.sourceEvents, options);
    this.router.addSource(transport);
    const payloadTypeOf = (kind: TrackKind) => tracks.find((track) => track.kind === kind)?.format.payloadType ?? 0;
    let waitedMs = 0;
    const receive = (packet: Buffer, now: number) => transport.receive(packet, { notBefore: now - waitedMs, now });
    return {
      sink,
      transport,
      media,
      end: (now = 0) => this.router.removeSource(transport, now),
      send: (packet: Buffer, now = 0) => receive(packet, now),
      /** From now on, packets have waited this long before they are received. */
      setWait: (ms: number) => void (waitedMs = ms),
      /** A video frame in one packet, with SSRC 2. */
      video: (sequence: number, parts: VideoParts = {}, now = 0) => {
        const payload = (parts.keyframe ? KEYFRAME_PAYLOADS : DELTA_PAYLOADS)[parts.codec ?? codec ?? 'vp8'];
        const defaults = {
          payload,
          sequence,
          timestamp: sequence * 3_000,
          ssrc: 2,
          payloadType: payloadTypeOf('video'),
        };
        receive(rtpPacket({ ...defaults, ...parts }), now);
      },
      /** An audio packet with SSRC 1. */
      audio: (sequence: number, parts: RtpParts = {}, now = 0) => {
        const defaults = { sequence, timestamp: sequence * 960, ssrc: 1, payloadType: payloadTypeOf('audio') };
        receive(rtpPacket({ ...defaults, ...parts }), now);
      },
    };
  }

  view(offer: OfferParts = {}, options: ViewOptions & { now?: number } = {}) {
    return this.viewBy(sdpOffer(offer), options);
  }

  viewBy(offer: string, { now = 0, ...options }: ViewOptions & { now?: number } = {}) {
    const { sent } = negotiateSubscriber(readOffer(offer), describeSentTracks());
    const sink = new Sink();
    const reachable: boolean[] = [];
    const paused: (readonly string[])[] = [];
    const viewer = new Subscriber(sink, subscriberParameters(sent, options), options, {
      onReachable: (is) => reachable.push(is),
      onPaused: (mediaIds) => paused.push(mediaIds),
    });
    this.router.addSubscriber(viewer, now);
    const ssrcOf = (kind: TrackKind) => sent.find((media) => media.kind === kind)?.track.ssrc ?? 0;
    return {
      sink,
      viewer,
      sent,
      reachable,
      paused,
      ssrcOf,
      /** The packets received on the main m-line of a kind. */
      on: (kind: TrackKind) => sink.rtp.filter((packet) => ssrc(packet) === ssrcOf(kind)),
      sendRtcp: (packet: Buffer, at = now) => this.router.onSubscriberPacket(viewer, packet, at),
      leave: () => this.router.removeSubscriber(viewer),
    };
  }

  /** Ticks as the engine does, from one time to another. */
  run(from: number, to: number): void {
    for (let now = from; now <= to; now += 20) this.router.tick(now);
  }
}

function named(what: string, source: SourceId, kinds?: readonly TrackKind[]): string {
  return [what, source ?? [], kinds?.join() ?? []].flat().join(' ');
}
