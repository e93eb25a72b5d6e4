import { HubViewer } from '../../../server/media/embedded/hub-viewer.js';
import { PublisherLink } from '../../../server/media/embedded/publisher-link.js';
import { isRtcp, ssrc } from '../../../server/media/embedded/rtp/packet.js';
import { readRtcp } from '../../../server/media/embedded/rtp/rtcp.js';
import { negotiatePublisher, negotiateViewer } from '../../../server/media/embedded/sdp/negotiation.js';
import { readOffer } from '../../../server/media/embedded/sdp/offer.js';
import { StreamHub } from '../../../server/media/embedded/stream-hub.js';
import { describeSources, viewerTerms } from '../../../server/media/embedded/viewer-terms.js';
import type { LayerState, SourceId, TrackKind, VideoCodec, ViewOptions } from '../../../server/media/media-engine.js';
import { sdpOffer, type OfferParts } from './offer.js';
import { DELTA_PAYLOADS, KEYFRAME_PAYLOADS, rtpPacket, type RtpParts } from './rtp.js';

/** Keeps a copy of everything, as a network would. */
export class Sink {
  readonly packets: Buffer[] = [];

  send(packet: Buffer): boolean {
    this.packets.push(Buffer.from(packet));
    return true;
  }

  get rtp(): Buffer[] {
    return this.packets.filter((packet) => !isRtcp(packet));
  }

  get rtcp(): Buffer[] {
    return this.packets.filter((packet) => isRtcp(packet));
  }

  get messages() {
    return this.rtcp.flatMap((packet) => readRtcp(packet));
  }

  /** The SSRCs that were asked for a keyframe, in order. */
  get keyframeRequests(): number[] {
    return this.messages.flatMap((message) => (message.type === 'keyframe-request' ? [message.mediaSsrc] : []));
  }
}

export interface VideoParts extends RtpParts {
  readonly keyframe?: boolean;
  readonly codec?: VideoCodec;
}

/** A stream without a network: offers are negotiated as real ones, packets are handed over by calls. */
export class HubFixture {
  /** `live`, `updated` and `ended`, as they were said. */
  readonly said: string[] = [];
  readonly layers: { source: SourceId; layers: readonly LayerState[] }[] = [];
  readonly hub = new StreamHub({
    onLive: (source, kinds) => this.said.push(named('live', source, kinds)),
    onUpdated: (source, kinds) => this.said.push(named('updated', source, kinds)),
    onEnded: (source) => this.said.push(named('ended', source)),
    onLayers: (source, layers) => this.layers.push({ source, layers }),
  });

  publish(offer: string = sdpOffer({ direction: 'sendonly' }), source: SourceId = null, codec?: VideoCodec) {
    const { tracks, media } = negotiatePublisher(readOffer(offer), codec);
    const sink = new Sink();
    const link = new PublisherLink(source, tracks, sink, this.hub.sourceEvents);
    this.hub.addSource(link);
    const numberOf = (kind: TrackKind) => tracks.find((track) => track.kind === kind)?.format.payloadType ?? 0;
    const receive = (packet: Buffer, now: number) => link.receive(packet, { notBefore: now, now });
    return {
      sink,
      link,
      media,
      end: (now = 0) => this.hub.removeSource(link, now),
      send: (packet: Buffer, now = 0) => receive(packet, now),
      /** A frame in one packet, of SSRC 2. */
      video: (sequence: number, parts: VideoParts = {}, now = 0) => {
        const payload = (parts.keyframe ? KEYFRAME_PAYLOADS : DELTA_PAYLOADS)[parts.codec ?? codec ?? 'vp8'];
        const defaults = { payload, sequence, timestamp: sequence * 3_000, ssrc: 2, payloadType: numberOf('video') };
        receive(rtpPacket({ ...defaults, ...parts }), now);
      },
      /** Of SSRC 1. */
      audio: (sequence: number, parts: RtpParts = {}, now = 0) => {
        const defaults = { sequence, timestamp: sequence * 960, ssrc: 1, payloadType: numberOf('audio') };
        receive(rtpPacket({ ...defaults, ...parts }), now);
      },
    };
  }

  view(offer: OfferParts = {}, options: ViewOptions & { now?: number } = {}) {
    return this.viewBy(sdpOffer(offer), options);
  }

  viewBy(offer: string, { now = 0, ...options }: ViewOptions & { now?: number } = {}) {
    const { lines } = negotiateViewer(readOffer(offer), describeSources());
    const sink = new Sink();
    const reachable: boolean[] = [];
    const viewer = new HubViewer(sink, viewerTerms(lines, options), options, (is) => reachable.push(is));
    this.hub.addViewer(viewer, now);
    const ssrcOf = (kind: TrackKind) => lines.find((line) => line.kind === kind)?.source.ssrc ?? 0;
    return {
      sink,
      viewer,
      lines,
      reachable,
      ssrcOf,
      /** What came on the main m-line of a kind. */
      on: (kind: TrackKind) => sink.rtp.filter((packet) => ssrc(packet) === ssrcOf(kind)),
      says: (packet: Buffer, at = now) => this.hub.fromViewer(viewer, packet, at),
      leave: () => this.hub.removeViewer(viewer),
    };
  }

  /** Ticks as the engine does, from one moment to another. */
  pass(from: number, to: number): void {
    for (let now = from; now <= to; now += 20) this.hub.tick(now);
  }
}

function named(what: string, source: SourceId, kinds?: readonly TrackKind[]): string {
  return [what, source ?? [], kinds?.join() ?? []].flat().join(' ');
}
