import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { PeerConnection, Video, type Track } from 'node-datachannel';

const PAYLOAD_TYPE = 96;
const SSRC = 2_222;

/** Publishes the RTP of ffmpeg by WHIP: what ffmpeg cannot do itself in the versions of Linux distributions. */
export class WhipForwarder {
  readonly #socket: Socket;
  readonly #connection: PeerConnection;
  readonly #track: Track;

  static async open(origin: string, streamName: string, token: string): Promise<WhipForwarder> {
    const connection = new PeerConnection('encoder', {
      iceServers: [],
      bindAddress: '127.0.0.1',
      disableAutoNegotiation: true,
    });
    connection.onStateChange(() => {});
    const video = new Video('0', 'SendOnly');
    video.addH264Codec(PAYLOAD_TYPE);
    video.addSSRC(SSRC, 'encoder', 'stream', 'video');
    const track = connection.addTrack(video);
    track.onClosed(() => {});
    await new Promise<void>((resolve) => {
      connection.onGatheringStateChange((state) => state === 'complete' && resolve());
      connection.setLocalDescription('offer');
    });
    const response = await fetch(`${origin}/api/whip/${streamName}`, {
      method: 'POST',
      headers: { 'content-type': 'application/sdp', authorization: `Bearer ${token}` },
      body: connection.localDescription()!.sdp,
    });
    if (response.status !== 201) throw new Error(`WHIP was refused: ${response.status} ${await response.text()}`);
    const lines = (await response.text()).split('\r\n');
    const isOpen = new Promise<void>((resolve) => track.onOpen(resolve));
    connection.setRemoteDescription(lines.filter((line) => !line.startsWith('a=candidate:')).join('\r\n'), 'answer');
    for (const line of new Set(lines)) {
      if (line.startsWith('a=candidate:')) connection.addRemoteCandidate(line.slice(2), '0');
    }
    await isOpen;
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new WhipForwarder(socket, connection, track);
  }

  private constructor(socket: Socket, connection: PeerConnection, track: Track) {
    [this.#socket, this.#connection, this.#track] = [socket, connection, track];
    socket.on('message', (packet) => {
      if (track.isOpen()) track.sendMessageBinary(packet);
    });
  }

  /** For ffmpeg's muxer `tee`. The parameter sets must be in the stream, because there is no other place for them. */
  get teeOutput(): string {
    const { port } = this.#socket.address() as AddressInfo;
    const options = `f=rtp:ssrc=${SSRC}:payload_type=${PAYLOAD_TYPE}:bsfs/v=dump_extra=freq=keyframe`;
    return `[${options}]rtp://127.0.0.1:${port}?pkt_size=1200`;
  }

  close(): void {
    this.#socket.close();
    this.#track.close();
    this.#connection.close();
  }
}
