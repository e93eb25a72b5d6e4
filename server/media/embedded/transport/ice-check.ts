const HEADER_BYTES = 20;
const COOKIE = 0x2112_a442;
const BINDING_REQUEST = 0x0001;
const USER_NAME = 0x0006;

/**
 * The session that an ICE check is for: the ufrag of the server, with which the user name of the binding request begins
 * (RFC 8445 7.2.2, RFC 8489). Undefined: the packet is no check, with which every ICE connection begins.
 */
export function readIceCheck(packet: Buffer): string | undefined {
  if (!isBindingRequest(packet)) return undefined;
  let at = HEADER_BYTES;
  while (at + 4 <= packet.length) {
    const start = at + 4;
    const end = start + packet.readUInt16BE(at + 2);
    if (end > packet.length) return undefined;
    if (packet.readUInt16BE(at) === USER_NAME) return ufragOf(packet.subarray(start, end));
    at = start + Math.ceil((end - start) / 4) * 4;
  }
  return undefined;
}

function isBindingRequest(packet: Buffer): boolean {
  return (
    packet.length >= HEADER_BYTES &&
    packet.readUInt16BE(0) === BINDING_REQUEST &&
    packet.readUInt16BE(2) === packet.length - HEADER_BYTES &&
    packet.readUInt32BE(4) === COOKIE
  );
}

function ufragOf(userName: Buffer): string | undefined {
  const colon = userName.indexOf(':');
  return colon > 0 ? userName.toString('latin1', 0, colon) : undefined;
}
