import type { TrackKind } from './media-track.js';

/** Counters since the current publisher connected, and the current state. */
export interface StreamStats {
  readonly live: boolean;
  readonly viewers: number;
  readonly packetsIn: number;
  readonly bytesIn: number;
  readonly packetsOut: number;
  readonly keyframes: number;
  readonly nacksAnswered: number;
}

/** One layer of a source's video, as received in the last second. Bitrates in bit/s. */
export interface LayerState {
  /** Simulcast: '0' is the smallest encoding, and so on up, by the size of its pictures, then by bitrate. One encoding: '0'. */
  readonly encodingId: string;
  readonly simulcastIndex: number;
  /** Absent: the encoding is not scalable in that dimension. */
  readonly spatialLayerId?: number | undefined;
  readonly temporalLayerId?: number | undefined;
  /** Whether packets of it were received in that second. */
  readonly active: boolean;
  readonly bitrate: number;
  readonly packets: number;
  /** Since the source began. */
  readonly totalBytes: number;
  /** By the newest keyframe; 0 if unknown. */
  readonly width: number;
  readonly height: number;
}

/** How the media of a source arrived in the last second. */
export interface ReceptionState {
  /** Packets of audio and video that arrived, those that were sent again included. */
  readonly packets: number;
  /** Packets that did not arrive when they were due, whether or not they were sent again. */
  readonly lost: number;
  /** Frames of video and packets of sound that were not forwarded, because they waited too long for this server. */
  readonly shed: number;
  /** How much the time between packets varied (RFC 3550 6.4.1): of the video, or else of the audio. */
  readonly jitterMs: number;
  /** Of audio and video in bit/s, without what was sent again. */
  readonly bitrate: number;
  /** As negotiated. */
  readonly codecs: Readonly<Partial<Record<TrackKind, string>>>;
  /** Because of its load, the process sends viewers less than it receives. What it measures of the way to it says little. */
  readonly isOverloaded?: boolean;
}

/** What the way to a viewer lost, by the viewer's receiver reports. Sums since the session began. */
export interface NetworkState {
  /** Packets of audio and video that were sent. */
  readonly packets: number;
  /** Of these, those that the viewer missed. */
  readonly lost: number;
  /** Undefined: not known. */
  readonly roundTripMs: number | undefined;
}

/** What a viewer is being sent. */
export interface Delivery {
  readonly sessionId: string;
  /** Of audio and video, in bit/s, by the layers as they were measured in the last second. */
  readonly bitrate: number;
  /** What the viewer's network carries, in bit/s. Undefined: the viewer sends no reports about it. */
  readonly availableBitrate: number | undefined;
  /** Of the main video. Undefined: none is sent. */
  readonly layer: DeliveredLayer | undefined;
  /** Packets that could not be sent, since the session began. */
  readonly failedSends: number;
}

/** One encoding, and its layers up to these. */
export interface DeliveredLayer {
  readonly encodingId: string;
  /** Undefined: the encoding has no such layers. */
  readonly spatialLayerId: number | undefined;
  readonly temporalLayerId: number | undefined;
  /** By the newest keyframe; 0 if unknown. */
  readonly width: number;
  readonly height: number;
}

export interface MediaCounters {
  /** Packets from publishers, and those that did not arrive when they were due. */
  readonly packetsReceived: number;
  readonly packetsLost: number;
  /** Packets to viewers, those that viewers missed by their reports, and those that were sent again. */
  readonly packetsSent: number;
  readonly packetsMissed: number;
  readonly packetsResent: number;
  /** Packets to viewers that could not be sent. */
  readonly failedSends: number;
  /** To publishers. */
  readonly keyframeRequests: number;
  /** Frames of video, and packets of sound, that waited too long to be forwarded. */
  readonly shedFrames: number;
  readonly shedSoundPackets: number;
}

/**
 * The figures of one process that carries media, as they were at its last report. Counters begin with the process, and
 * with 0 again when it is restarted.
 */
export interface MediaProcessFigures extends MediaCounters {
  readonly worker: number;
  readonly publishers: number;
  readonly viewers: number;
  readonly streams: number;
  /** Of the viewers whose round trip is known: the median, in ms. */
  readonly roundTripMs: number | undefined;
  /** What the network of a viewer carries by estimate, of those who report about it: the median, in bit/s. */
  readonly availableBitrate: number | undefined;
  /** How long packets waited at most before they were handled in the last second, in ms. */
  readonly eventLoopDelayMs: number;
  /** The part of the last second in which the event loop was busy, 0 to 1. */
  readonly eventLoopBusy: number;
  /** How much less than all layers is sent because of the load: 0 (nothing less) to 4 (no video). */
  readonly loadDegree: number;
}

/** Whether what carries the media works: the processes of an engine, or the servers that it controls. */
export interface MediaHealth {
  /** Whether any new session can have media. */
  readonly isUsable: boolean;
  readonly faults: readonly MediaFault[];
  /** Works, and should be replaced: a library whose makers do not mend it any more. */
  readonly unsupported?: MediaFault | undefined;
}

/** Where packets reach a process of the engine that runs. */
export interface MediaPort {
  /** Undefined: all addresses. */
  readonly address: string | undefined;
  readonly port: number;
}

/** A process that does not run, a server that cannot be reached, or one of them that has not answered for some seconds. */
export interface MediaFault {
  /** Stable and unique in the engine: `media_process_0`, `janus`, `janus_edge_1`. */
  readonly component: string;
  /** Anybody may read it: no addresses. */
  readonly message: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}
