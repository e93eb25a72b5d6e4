import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';

/**
 * What Chromium chooses from the ciphers of our engine, which connects to it as the DTLS client; a test checks that. All
 * forwarders use it in the benchmark.
 */
export const BROWSER_CIPHER = 'SRTP_AES128_CM_HMAC_SHA1_80';

/** The names of DTLS-SRTP protection profiles, by number (RFC 5764 section 4.1.2, RFC 7714 section 14.2). */
const PROFILES: Readonly<Record<number, string>> = {
  1: BROWSER_CIPHER,
  2: 'SRTP_AES128_CM_HMAC_SHA1_32',
  7: 'SRTP_AEAD_AES_128_GCM',
  8: 'SRTP_AEAD_AES_256_GCM',
};

const RECORD_HEADER = 13;
const MESSAGE_HEADER = 12;
const [HANDSHAKE, SERVER_HELLO] = [22, 2];
const USE_SRTP = 14;

/**
 * The cipher that a DTLS 1.2 server chose.
 * @param datagram any that passes between the peers
 * @returns undefined: it contains no ServerHello, or no cipher
 */
export function chosenCipher(datagram: Buffer): string | undefined {
  for (let at = 0; at + RECORD_HEADER + MESSAGE_HEADER <= datagram.length;) {
    const next = at + RECORD_HEADER + datagram.readUInt16BE(at + 11);
    const message = datagram.subarray(at + RECORD_HEADER, next);
    if (datagram[at] === HANDSHAKE && message[0] === SERVER_HELLO) return cipherOfServerHello(message);
    at = next;
  }
  return undefined;
}

/** RFC 5246 section 7.4.1.3: version, random, session id, cipher suite, compression, extensions. */
function cipherOfServerHello(message: Buffer): string | undefined {
  const sessionId = MESSAGE_HEADER + 2 + 32;
  let at = sessionId + 1 + (message[sessionId] ?? 0) + 2 + 1 + 2;
  while (at + 4 <= message.length) {
    const [type, length] = [message.readUInt16BE(at), message.readUInt16BE(at + 2)];
    // The length of the list comes first. The list has one entry.
    if (type === USE_SRTP && at + 8 <= message.length) return PROFILES[message.readUInt16BE(at + 6)];
    at += 4 + length;
  }
  return undefined;
}

/** Passes the datagrams of one client to a server and back, and reads the cipher of their handshake. */
export class HandshakeTap {
  cipher: string | undefined;
  readonly port: number;
  readonly #sockets: readonly Socket[];

  /** @param address of the server, and of the tap */
  static async open(address: string, serverPort: number): Promise<HandshakeTap> {
    const sockets = [createSocket('udp4'), createSocket('udp4')] as const;
    for (const socket of sockets) {
      socket.bind(0, address);
      await once(socket, 'listening');
    }
    return new HandshakeTap(sockets, address, serverPort);
  }

  private constructor(sockets: readonly [Socket, Socket], address: string, serverPort: number) {
    const [near, far] = sockets;
    this.#sockets = sockets;
    this.port = near.address().port;
    let client: RemoteInfo | undefined;
    near.on('message', (datagram, from) => {
      client = from;
      this.cipher ??= chosenCipher(datagram);
      far.send(datagram, serverPort, address);
    });
    far.on('message', (datagram) => {
      this.cipher ??= chosenCipher(datagram);
      if (client) near.send(datagram, client.port, client.address);
    });
  }

  close(): void {
    for (const socket of this.#sockets) socket.close();
  }
}
