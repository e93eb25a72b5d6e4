/**
 * An `RTCPeerConnection` for tests in WebKitGTK, which has none: two of the same page find each other by their SDP, and a
 * track arrives as a picture that changes. It is loaded before the test files, and does nothing in other browsers.
 */

import { playPicturesOnly } from './play-pictures-only.js';

const peers = new Map<string, PeerStandIn>();
const PAYLOADS = {
  video: ['96', 'a=rtpmap:96 VP8/90000'],
  audio: ['111', 'a=rtpmap:111 opus/48000/2\r\na=fmtp:111 minptime=10;useinbandfec=1'],
} as const;
type Kind = keyof typeof PAYLOADS;

let sound: AudioContext | undefined;

/** The track of a receiver. Its picture changes while `isSent` says so. */
function receivedTrack(kind: Kind, isSent: () => boolean): MediaStreamTrack {
  if (kind === 'audio') {
    sound ??= new AudioContext();
    const [track] = sound.createMediaStreamDestination().stream.getAudioTracks();
    return track!;
  }
  const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 180 });
  const context = canvas.getContext('2d')!;
  const [track] = canvas.captureStream(20).getVideoTracks();
  const painter = setInterval(() => {
    if (track!.readyState === 'ended') clearInterval(painter);
    if (!isSent()) return;
    context.fillStyle = `hsl(${Math.random() * 360} 90% 50%)`;
    context.fillRect(0, 0, 320, 180);
  }, 50);
  return track!;
}

class SenderStandIn {
  static getCapabilities(kind: string): object {
    return { codecs: kind === 'video' ? ['VP8', 'H264', 'VP9'].map((name) => ({ mimeType: `video/${name}` })) : [] };
  }

  track: MediaStreamTrack | null;
  #parameters: object = { encodings: [{}], codecs: [], transactionId: '' };

  constructor(track: MediaStreamTrack | null) {
    this.track = track;
  }

  async replaceTrack(track: MediaStreamTrack | null): Promise<void> {
    this.track = track;
  }

  getParameters(): object {
    return structuredClone(this.#parameters);
  }

  async setParameters(parameters: object): Promise<void> {
    this.#parameters = parameters;
  }
}

class TransceiverStandIn {
  mid: string | null = null;
  direction: string;
  /** The sender at the other end. */
  remote: SenderStandIn | undefined;
  readonly kind: Kind;
  readonly sender: SenderStandIn;
  readonly receiver: { readonly track: MediaStreamTrack; getSynchronizationSources(): [] };

  constructor(kind: Kind, sent: MediaStreamTrack | null, direction: string) {
    this.kind = kind;
    this.direction = direction;
    this.sender = new SenderStandIn(sent);
    const track = receivedTrack(kind, () => Boolean(this.remote?.track));
    this.receiver = { track, getSynchronizationSources: () => [] };
  }
}

interface Description {
  readonly type: RTCSdpType;
  readonly sdp?: string;
}

class PeerStandIn extends EventTarget {
  connectionState: RTCPeerConnectionState = 'new';
  signalingState: RTCSignalingState = 'stable';
  iceGatheringState: RTCIceGatheringState = 'new';
  localDescription: Description | null = null;
  remoteDescription: Description | null = null;
  onsignalingstatechange: (() => void) | null = null;
  readonly #id = crypto.randomUUID();
  readonly #transceivers: TransceiverStandIn[] = [];
  #configuration: RTCConfiguration;
  #other: PeerStandIn | undefined;
  #packets = 0;

  constructor(configuration: RTCConfiguration = {}) {
    super();
    this.#configuration = configuration;
    peers.set(this.#id, this);
  }

  getConfiguration = (): RTCConfiguration => ({ iceServers: [], ...this.#configuration });
  setConfiguration(configuration: RTCConfiguration): void {
    this.#configuration = configuration;
  }

  getTransceivers = (): readonly TransceiverStandIn[] => [...this.#transceivers];
  getSenders = (): readonly SenderStandIn[] => this.#transceivers.map(({ sender }) => sender);
  getReceivers = (): readonly object[] => this.#transceivers.map(({ receiver }) => receiver);

  addTransceiver(trackOrKind: MediaStreamTrack | Kind, { direction = 'sendrecv' } = {}): TransceiverStandIn {
    const track = typeof trackOrKind === 'string' ? null : trackOrKind;
    const kind = (track?.kind ?? trackOrKind) as Kind;
    const transceiver = new TransceiverStandIn(kind, track, direction);
    this.#transceivers.push(transceiver);
    return transceiver;
  }

  async createOffer(): Promise<Description> {
    return { type: 'offer', sdp: this.#describe() };
  }

  async createAnswer(): Promise<Description> {
    return { type: 'answer', sdp: this.#describe() };
  }

  restartIce(): void {}

  async setLocalDescription(given?: Description): Promise<void> {
    const type = given?.type ?? (this.signalingState === 'have-remote-offer' ? 'answer' : 'offer');
    if (type === 'rollback') return this.#moveTo('stable');
    this.localDescription = { type, sdp: given?.sdp ?? this.#describe() };
    this.#moveTo(type === 'offer' ? 'have-local-offer' : 'stable');
    this.iceGatheringState = 'complete';
    this.dispatchEvent(new Event('icegatheringstatechange'));
    if (type === 'answer') this.#connect();
  }

  async setRemoteDescription(description: Description): Promise<void> {
    this.remoteDescription = description;
    this.#other = peers.get(/^a=stand-in:(.*)$/m.exec(description.sdp ?? '')?.[1]?.trim() ?? '');
    if (!this.#other) throw new DOMException('no SDP', 'OperationError');
    if (description.type === 'answer') {
      this.#moveTo('stable');
      return this.#connect();
    }
    const kinds = [...(description.sdp ?? '').matchAll(/^m=(\w+)/gm)].map(([, kind]) => kind as Kind);
    for (const kind of kinds.slice(this.#transceivers.length)) this.addTransceiver(kind, { direction: 'recvonly' });
    this.#moveTo('have-remote-offer');
  }

  async getStats(): Promise<Map<string, object>> {
    const isConnected = this.connectionState === 'connected';
    this.#packets += Number(isConnected);
    const received = this.#transceivers.flatMap(({ kind, mid, remote }) =>
      remote?.track
        ? [{ type: 'inbound-rtp', id: `in-${mid}`, kind, mid, timestamp: performance.now(), ...this.#amounts(kind) }]
        : [],
    );
    const sent = this.#transceivers.flatMap(({ sender: { track }, kind }) =>
      track ? [{ type: 'media-source', id: `source-${kind}`, kind, trackIdentifier: track.id }] : [],
    );
    return new Map([...received, ...sent].map((one) => [one.id, one]));
  }

  close(): void {
    if (this.connectionState === 'closed') return;
    this.connectionState = 'closed';
    peers.delete(this.#id);
    for (const { receiver } of this.#transceivers) receiver.track.stop();
    const other = this.#other;
    setTimeout(() => other?.connectionState === 'connected' && other.#become('failed'));
  }

  #amounts(kind: Kind): object {
    const amounts = {
      packetsReceived: this.#packets,
      packetsLost: 0,
      bytesReceived: 10_000 * this.#packets,
      jitter: 0,
    };
    return kind === 'video' ? { ...amounts, frameWidth: 320, frameHeight: 180, framesPerSecond: 20 } : amounts;
  }

  #describe(): string {
    const lines = this.#transceivers.map((transceiver, index) => {
      transceiver.mid = String(index);
      const { kind, direction } = transceiver;
      const [payload, map] = PAYLOADS[kind];
      return `m=${kind} 9 UDP/TLS/RTP/SAVPF ${payload}\r\na=mid:${index}\r\na=${direction}\r\n${map}\r\n`;
    });
    return `v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\na=stand-in:${this.#id}\r\n${lines.join('')}`;
  }

  /** Has what the other end sends arrive. */
  #connect(): void {
    for (const [index, transceiver] of this.#transceivers.entries()) {
      const other = this.#other?.getTransceivers()[index];
      if (other?.direction.startsWith('send')) transceiver.remote = other.sender;
      transceiver.mid ??= String(index);
    }
    setTimeout(() => this.connectionState === 'new' && this.#become('connected'));
  }

  #become(state: RTCPeerConnectionState): void {
    this.connectionState = state;
    this.dispatchEvent(new Event('connectionstatechange'));
  }

  #moveTo(state: RTCSignalingState): void {
    this.signalingState = state;
    this.onsignalingstatechange?.();
  }
}

if (!('RTCPeerConnection' in window)) {
  Object.assign(window, { RTCPeerConnection: PeerStandIn, RTCRtpSender: SenderStandIn });
  playPicturesOnly();
}
