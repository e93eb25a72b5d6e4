import { randomBytes, randomInt } from 'node:crypto';
import type { StreamStats, TrackKind, VideoCodec } from '../media-engine.js';
import { ForwardedTrack, type Outlet, type PacketSink } from './forwarded-track.js';
import { KeyframeRequests } from './keyframe-requests.js';
import { startsKeyframe } from './rtp/keyframe.js';
import { isRtcp, isRtp, payloadType, sequenceNumber, ssrc, timestamp, withoutHeaderExtension } from './rtp/packet.js';
import { Reception } from './rtp/reception.js';
import { maximumBitrate, nack, pictureLossIndication, readRtcp, receiverReport, type RtcpMessage } from './rtp/rtcp.js';
import type { SentSource } from './sdp/answer.js';
import { clockRate, type Format } from './sdp/codecs.js';
import type { PublishedTrack } from './sdp/negotiation.js';

export interface StreamHubEvents {
  onLive(tracks: readonly TrackKind[]): void;
  onEnded(): void;
}

/** One viewer of the stream; opaque to others. */
export type HubViewer = Readonly<Record<TrackKind, Outlet>>;

interface SourceTrack extends PublishedTrack {
  /** Once the first packet came. */
  reception: Reception | undefined;
}

interface Publisher {
  readonly sink: PacketSink;
  readonly tracks: readonly SourceTrack[];
  readonly keyframes: KeyframeRequests;
  keyframeTimestamp: number | undefined;
  live: boolean;
  reportedAt: number;
}

/** What a publisher may send in all, told every second by REMB. */
const MAXIMUM_BITRATE = 4_000_000;
const REPORT_EVERY_MS = 1_000;

const noCounts = () => ({ packetsIn: 0, bytesIn: 0, packetsOut: 0, keyframes: 0, nacksAnswered: 0 });

/**
 * One stream: what its publisher sends goes to its viewers, what they miss is sent again or asked for. Knows packets
 * and nothing of how they travel. Whatever arrives, it never throws. `now` is in ms of one clock throughout.
 */
export class StreamHub {
  /** What we call ourselves in reports to the publisher. */
  readonly #ssrc = randomInt(1, 2 ** 32);
  readonly #cname = randomBytes(8).toString('hex');
  readonly #tracks = {
    audio: new ForwardedTrack('audio', this.#cname),
    video: new ForwardedTrack('video', this.#cname),
  };
  readonly #viewers = new Set<HubViewer>();
  readonly #events: StreamHubEvents;
  #publisher: Publisher | undefined;
  #counts = noCounts();

  constructor(events: StreamHubEvents) {
    this.#events = events;
  }

  /** What a viewer's answer says of a track. The same for all viewers, and for as long as there are any. */
  source(kind: TrackKind): SentSource {
    return { ssrc: this.#tracks[kind].ssrc, cname: this.#cname, stream: this.#cname, track: kind };
  }

  setPublisher(sink: PacketSink, tracks: readonly PublishedTrack[]): void {
    this.clearPublisher();
    this.#counts = noCounts();
    this.#publisher = {
      sink,
      tracks: tracks.map((track) => ({ ...track, reception: undefined })),
      keyframes: new KeyframeRequests(),
      keyframeTimestamp: undefined,
      live: false,
      reportedAt: -Infinity,
    };
    for (const { kind, format } of tracks) this.#tracks[kind].setSource(format);
  }

  clearPublisher(): void {
    const publisher = this.#publisher;
    if (!publisher) return;
    this.#publisher = undefined;
    this.#tracks.audio.setSource(undefined);
    this.#tracks.video.setSource(undefined);
    if (publisher.live) this.#events.onEnded();
  }

  addViewer(sink: PacketSink, formats: Readonly<Record<TrackKind, readonly Format[]>>, now: number): HubViewer {
    const viewer: HubViewer = {
      audio: { sink, formats: formats.audio, payloadType: 0, resendsLeft: 0 },
      video: { sink, formats: formats.video, payloadType: 0, resendsLeft: 0 },
    };
    this.#viewers.add(viewer);
    this.#tracks.audio.add(viewer.audio);
    this.#tracks.video.add(viewer.video);
    if (this.#tracks.video.awaited) this.#wantKeyframe(now);
    return viewer;
  }

  removeViewer(viewer: HubViewer): void {
    this.#viewers.delete(viewer);
    this.#tracks.audio.remove(viewer.audio);
    this.#tracks.video.remove(viewer.video);
  }

  fromPublisher(packet: Buffer, now: number): void {
    const publisher = this.#publisher;
    if (!publisher) return;
    if (isRtp(packet)) this.#forward(publisher, packet, now);
    else if (isRtcp(packet)) for (const message of readRtcp(packet)) this.#hearPublisher(publisher, message, now);
  }

  fromViewer(viewer: HubViewer, packet: Buffer, now: number): void {
    if (!isRtcp(packet)) return;
    for (const message of readRtcp(packet)) {
      if (message.type === 'keyframe-request') this.#wantKeyframe(now);
      else if (message.type === 'nack' && message.mediaSsrc === this.#tracks.video.ssrc) {
        this.#counts.nacksAnswered += this.#tracks.video.resend(viewer.video, message.sequenceNumbers);
      }
    }
  }

  /** To be called every few tens of ms: asks for what is missing, and reports once a second. */
  tick(now: number): void {
    const publisher = this.#publisher;
    if (!publisher) return;
    const video = publisher.tracks.find(({ kind }) => kind === 'video')?.reception;
    const missing = video?.askFor(now) ?? [];
    if (video && missing.length) publisher.sink.send(nack(this.#ssrc, video.ssrc, missing));
    this.#askForKeyframe(publisher, now);
    if (now - publisher.reportedAt >= REPORT_EVERY_MS) this.#report(publisher, now);
  }

  stats(): StreamStats {
    return { live: this.#publisher?.live ?? false, viewers: this.#viewers.size, ...this.#counts };
  }

  #forward(publisher: Publisher, received: Buffer, now: number): void {
    const number = payloadType(received);
    const track = publisher.tracks.find(({ format }) => format.payloadType === number);
    if (!track) return;
    const from = ssrc(received);
    // Another layer of a simulcast has the same payload type, and numbers of its own.
    if (from !== (track.ssrc ?? track.reception?.ssrc ?? from)) return;
    track.reception ??= new Reception(from, clockRate(track.kind));
    const sequence = track.reception.receive(sequenceNumber(received), timestamp(received), now);
    if (sequence === undefined) return;

    const packet = withoutHeaderExtension(received);
    const isKeyframe = track.kind === 'video' && startsKeyframe(track.format.codec as VideoCodec, packet);
    this.#counts.packetsIn++;
    this.#counts.bytesIn += packet.length;
    if (isKeyframe) {
      // Parameter sets and picture may both be a beginning, of the same keyframe.
      if (timestamp(packet) !== publisher.keyframeTimestamp) this.#counts.keyframes++;
      publisher.keyframeTimestamp = timestamp(packet);
      publisher.keyframes.arrived();
    }
    this.#counts.packetsOut += this.#tracks[track.kind].forward(packet, sequence, isKeyframe, now);
    if (!publisher.live) this.#goLive(publisher, now);
  }

  #goLive(publisher: Publisher, now: number): void {
    publisher.live = true;
    if (this.#tracks.video.awaited) this.#wantKeyframe(now);
    this.#events.onLive(publisher.tracks.map(({ kind }) => kind));
  }

  #hearPublisher(publisher: Publisher, message: RtcpMessage, now: number): void {
    if (message.type !== 'sender-report') return;
    const track = publisher.tracks.find(({ reception }) => reception?.ssrc === message.ssrc);
    if (!track) return;
    track.reception?.noteSenderReport(message.report, now);
    this.#tracks[track.kind].relay(message.report);
  }

  #wantKeyframe(now: number): void {
    if (!this.#publisher) return;
    this.#publisher.keyframes.want();
    this.#askForKeyframe(this.#publisher, now);
  }

  #askForKeyframe(publisher: Publisher, now: number): void {
    // Before its first packet there is nothing to ask: that one will be a keyframe anyway.
    const video = publisher.tracks.find(({ kind }) => kind === 'video')?.reception;
    if (!video || !publisher.keyframes.due(now)) return;
    publisher.sink.send(pictureLossIndication(this.#ssrc, video.ssrc));
  }

  #report(publisher: Publisher, now: number): void {
    const receptions = publisher.tracks.flatMap(({ reception }) => reception ?? []);
    if (!receptions.length) return;
    publisher.reportedAt = now;
    const reports = receptions.map((reception) => reception.report(now));
    const ssrcs = receptions.map((reception) => reception.ssrc);
    publisher.sink.send(
      Buffer.concat([receiverReport(this.#ssrc, reports), maximumBitrate(this.#ssrc, MAXIMUM_BITRATE, ssrcs)]),
    );
    this.#tracks.video.allowResends();
  }
}
