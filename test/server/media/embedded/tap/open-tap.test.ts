import { createEmbeddedEngine } from '../../../../../server/media/embedded/embedded-engine.js';
import { openTap } from '../../../../../server/media/embedded/tap/open-tap.js';
import { patient } from '../../../../support/media/patient-engine.js';
import { RtpPeer } from '../../../../support/media/rtp-peer.js';
import { tapContract, type TapHarness } from '../../engine/tap.contract.js';

const LOOPBACK = { bindAddress: '127.0.0.1', udpPort: 0 };

async function harness(workers: number): Promise<TapHarness> {
  const engine = patient(await createEmbeddedEngine({ ...LOOPBACK, workers }));
  return {
    engine,
    openTap,
    async publish(stream, sourceId) {
      const peer = await RtpPeer.open({ role: 'publisher' });
      await peer.accept(await engine.publish(stream, peer.offer, { sourceId }));
      return {
        sendFrame: (keyframe) => peer.sendFrame({ keyframe }),
        // PLI (RFC 4585 section 6.3.1).
        get keyframeRequests() {
          return peer.rtcp.filter((packet) => packet[1] === 206 && (packet[0]! & 31) === 1).length;
        },
        close: () => peer.close(),
      };
    },
  };
}

tapContract('EmbeddedEngine', () => harness(1));
tapContract('EmbeddedEngine of two workers', () => harness(2));
