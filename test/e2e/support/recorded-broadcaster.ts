import { expect } from '@playwright/test';
import type { RecordingName } from '../../support/media/recorded-encoder.ts';
import { RecordedPeer } from '../../support/media/recorded-peer.ts';
import { mediaFlows, type StreamAddress } from './pages.ts';

/** Goes live over WHIP with what an encoder once sent, which costs hardly anything. Resolves when media flows. */
export async function broadcastRecording(name: RecordingName, address: StreamAddress): Promise<RecordedPeer> {
  const { origin, token, streamName } = address;
  const peer = await RecordedPeer.open(name);
  const response = await fetch(`${origin}/api/whip/${streamName}?codec=${peer.encoder.codec}`, {
    method: 'POST',
    headers: { 'content-type': 'application/sdp', authorization: `Bearer ${token}` },
    body: peer.offer,
  });
  expect(response.status).toBe(201);
  await peer.accept({ answer: await response.text() });
  peer.play();
  await mediaFlows(address);
  return peer;
}
