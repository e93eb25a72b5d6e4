import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { tcpFrame, TcpFrameReader } from '../../../server/media/embedded/transport/tcp-framing.js';

const LOOPBACK = '127.0.0.1';

/**
 * Connects a peer by ICE-TCP, as browsers do. (libdatachannel 0.24.5 supports active TCP, too, but sometimes sends the
 * length of a packet twice, if it could not be sent at once.)
 */
export class IceTcpClient {
  readonly #udp: DatagramSocket;
  readonly #tcp: Socket;

  /** @param answer with a passive TCP candidate */
  static async open(answer: string): Promise<IceTcpClient> {
    const [, port] = / (\d+) typ host tcptype passive/.exec(answer)!;
    const tcp = connect(Number(port), LOOPBACK);
    const udp = createSocket('udp4');
    udp.bind(0, LOOPBACK);
    await Promise.all([once(tcp, 'connect'), once(udp, 'listening')]);
    return new IceTcpClient(udp, tcp);
  }

  private constructor(udp: DatagramSocket, tcp: Socket) {
    this.#udp = udp;
    this.#tcp = tcp;
    let peer = 0;
    const packets = new TcpFrameReader({ least: 1, most: 0xffff });
    udp.on('message', (packet, { port }) => {
      peer = port;
      tcp.write(tcpFrame(packet));
    });
    tcp.on('data', (chunk) => {
      for (const packet of packets.read(chunk)) udp.send(packet, peer, LOOPBACK);
    });
    tcp.on('error', () => {});
  }

  /** The answer for the peer, with this client as the only candidate. */
  through(answer: string): string {
    const { port } = this.#udp.address();
    return answer
      .replaceAll(/a=candidate:\S+ 1 TCP .*\r\n/g, '')
      .replaceAll(/(a=candidate:\S+ 1 UDP \d+ )\S+ \d+ /g, `$1${LOOPBACK} ${port} `);
  }

  close(): void {
    this.#tcp.destroy();
    this.#udp.close();
  }
}
