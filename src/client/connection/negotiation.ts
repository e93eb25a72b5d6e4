// Offers and answers of an RTCPeerConnection (JSEP, RFC 9429). It makes the offers, except where a server offers instead.

import type { CommandAnswer } from '../../wire/websocket/server-message.js';
import { StreamError } from '../errors.js';
import { text, type Unread } from '../unread.js';

/** Changes an offer before the browser applies it and the server receives it. */
export type ShapeOffer = (sdp: string) => string;

/** Offers NACK for Opus too: browsers can do it, and do not offer it by themselves. */
export async function createOffer(peer: RTCPeerConnection, shape: ShapeOffer): Promise<string> {
  return shape((await peer.createOffer()).sdp!.replace(/^a=rtpmap:(\d+) opus.*/im, '$&\r\na=rtcp-fb:$1 nack'));
}

/** Applies an offer. The browser then starts to gather ICE candidates. */
export function applyOffer(peer: RTCPeerConnection, sdp: string): Promise<void> {
  return peer.setLocalDescription({ type: 'offer', sdp });
}

/**
 * @param type of the SDP: some servers answer with an offer
 * @throws {StreamError} `malformed_answer`: the answer to the command has no SDP
 */
export async function applyAnswer(peer: RTCPeerConnection, answer: Unread<CommandAnswer>, type: 'answer' | 'offer') {
  const sdp = text(answer, 'sdp');
  if (sdp === undefined) throw new StreamError('malformed_answer', 'The answer cannot be read');
  await peer.setRemoteDescription({ type, sdp });
}

/** Uses these ICE servers for offers that are applied later. Empty or undefined: changes nothing. */
export function useIceServers(peer: RTCPeerConnection, iceServers: readonly unknown[] = []): void {
  if (iceServers[0]) {
    peer.setConfiguration({ ...peer.getConfiguration(), iceServers: iceServers as RTCIceServer[] });
  }
}

/**
 * Whether the browser keeps its DTLS keys when the peer of a renewed path has another certificate. It then cannot
 * decrypt the media (RFC 8842 section 5). Firefox does so, as of version 153.
 */
export function keepsDtlsKeys(offer: string): boolean {
  return /^o=mozilla/m.test(offer);
}
