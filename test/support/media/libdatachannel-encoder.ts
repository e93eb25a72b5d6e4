import { Audio, PeerConnection, Video, type Track } from 'node-datachannel';
import { KEYFRAME_PAYLOADS, rtpPacket } from './rtp.js';

const AUDIO = { payloadType: 111, ssrc: 1111 };
const VIDEO = { payloadType: 96, ssrc: 2222 };
const CNAME = 'encoder';

/**
 * An encoder that uses libdatachannel, as OBS Studio does: two tracks with their SSRCs, Opus and H.264, and the offer
 * that libdatachannel writes.
 */
export class LibdatachannelEncoder {
  readonly offer: string;
  readonly #connection: PeerConnection;
  readonly #audio: Track;
  readonly #video: Track;
  #sequence = 0;

  static async open(): Promise<LibdatachannelEncoder> {
    const connection = new PeerConnection('encoder', {
      iceServers: [],
      bindAddress: '127.0.0.1',
      disableAutoNegotiation: true,
    });
    const audio = new Audio('0', 'SendOnly');
    audio.addOpusCodec(AUDIO.payloadType);
    audio.addSSRC(AUDIO.ssrc, CNAME, 'stream', 'audio');
    const video = new Video('1', 'SendOnly');
    video.addH264Codec(VIDEO.payloadType);
    video.addSSRC(VIDEO.ssrc, CNAME, 'stream', 'video');
    const tracks = [connection.addTrack(audio), connection.addTrack(video)] as const;
    await new Promise<void>((resolve) => {
      connection.onGatheringStateChange((state) => state === 'complete' && resolve());
      connection.setLocalDescription('offer');
    });
    return new LibdatachannelEncoder(connection, ...tracks);
  }

  private constructor(connection: PeerConnection, audio: Track, video: Track) {
    this.#connection = connection;
    this.#audio = audio;
    this.#video = video;
    this.offer = connection.localDescription()!.sdp;
    // Without these callbacks, closed connections and tracks keep the process alive.
    connection.onStateChange(() => {});
    for (const track of [audio, video]) track.onClosed(() => {});
  }

  /** Applies the answer unchanged. Resolves when packets can be sent. */
  async accept(answer: string): Promise<void> {
    const open = [this.#audio, this.#video].map((track) => new Promise<void>((resolve) => track.onOpen(resolve)));
    // Candidates come last: see RtpPeer.accept.
    const [candidates, rest] = partition(answer.split('\r\n'), (line) => line.startsWith('a=candidate:'));
    this.#connection.setRemoteDescription(rest.join('\r\n'), 'answer');
    for (const line of new Set(candidates)) this.#connection.addRemoteCandidate(line.slice(2), '0');
    await Promise.all(open);
  }

  /** Sends one audio packet, and a keyframe. */
  sendFrame(): void {
    const sequence = (this.#sequence += 1);
    const timestamp = sequence * 3_000;
    this.#audio.sendMessageBinary(rtpPacket({ ...AUDIO, sequence, timestamp }));
    this.#video.sendMessageBinary(
      rtpPacket({ ...VIDEO, sequence, timestamp, marker: true, payload: KEYFRAME_PAYLOADS.h264 }),
    );
  }

  close(): void {
    this.#audio.close();
    this.#video.close();
    this.#connection.close();
  }
}

function partition<Item>(items: readonly Item[], belongs: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}
