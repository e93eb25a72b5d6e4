import { whipSession } from '../../support/ingest-client.ts';
import type { RecordingName } from '../../support/media/recorded-encoder.ts';
import { RecordedPeer } from '../../support/media/recorded-peer.ts';
import { mediaFlows, type StreamAddress } from './pages.ts';

/** Goes live over WHIP with what an encoder once sent, which costs hardly anything. Resolves when media flows. */
export async function broadcastRecording(name: RecordingName, address: StreamAddress): Promise<RecordedPeer> {
  const { origin, token, streamName } = address;
  const peer = await RecordedPeer.open(name);
  const { answer } = await whipSession(
    { origin },
    { token, body: peer.offer },
    `${streamName}?codec=${peer.encoder.codec}`,
  );
  await peer.accept({ answer });
  peer.play();
  await mediaFlows(address);
  return peer;
}
