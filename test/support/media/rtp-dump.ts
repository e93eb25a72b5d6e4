import { isRtcp } from '../../../server/media/embedded/rtp/packet.js';

/** A packet of RTP or RTCP, and when it arrived, in ms since the first one. */
export interface DumpedPacket {
  readonly at: number;
  readonly packet: Buffer;
}

/** The format of rtpdump from the RTP tools, which Wireshark reads too: a line of text, and then binary headers. */
const FIRST_LINE = '#!rtpplay1.0 127.0.0.1/0\n';
const FILE_HEADER_BYTES = 16;
const PACKET_HEADER_BYTES = 8;

export function writeRtpDump(packets: readonly DumpedPacket[]): Buffer {
  const parts = packets.map(({ at, packet }) => {
    const header = Buffer.alloc(PACKET_HEADER_BYTES);
    header.writeUInt16BE(PACKET_HEADER_BYTES + packet.length, 0);
    // Of RTCP, the second length is 0.
    header.writeUInt16BE(isRtcp(packet) ? 0 : packet.length, 2);
    header.writeUInt32BE(Math.round(at), 4);
    return Buffer.concat([header, packet]);
  });
  return Buffer.concat([Buffer.from(FIRST_LINE), Buffer.alloc(FILE_HEADER_BYTES), ...parts]);
}

export function readRtpDump(file: Buffer): DumpedPacket[] {
  const packets: DumpedPacket[] = [];
  for (let at = file.indexOf('\n') + 1 + FILE_HEADER_BYTES; at < file.length;) {
    const length = file.readUInt16BE(at);
    packets.push({ at: file.readUInt32BE(at + 4), packet: file.subarray(at + PACKET_HEADER_BYTES, at + length) });
    at += length;
  }
  return packets;
}
