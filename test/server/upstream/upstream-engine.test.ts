import { pino } from 'pino';
import { after } from 'node:test';
import { monotonicNow } from '../../../server/monotonic-now.js';
import { TargetAddresses } from '../../../server/outbound/target-addresses.js';
import { UPSTREAM_CAPABILITIES } from '../../../server/upstream/upstream-capabilities.js';
import { UpstreamClient } from '../../../server/upstream/upstream-client.js';
import { UpstreamEngine } from '../../../server/upstream/upstream-engine.js';
import { addressesOf } from '../../../server/upstream/upstream.js';
import { Cleanup } from '../../support/cleanup.js';
import { networkHarness, type MediaHarness } from '../../support/media/media-harness.js';
import { MemoryNotes } from '../../support/memory-notes.js';
import { upstreamServer } from '../../support/upstream-server.js';
import { mediaEngineContract } from '../media/engine/media-engine.contract.js';

const cleanup = new Cleanup();
after(() => cleanup.run());
const { upstream } = await upstreamServer(cleanup);

async function open(): Promise<MediaHarness> {
  const engine = new UpstreamEngine({
    targetOf: (stream) => ({
      upstream,
      addresses: addressesOf(upstream, { accountId: 'main', streamName: stream })!,
    }),
    client: new UpstreamClient(new TargetAddresses(['127.0.0.1'])),
    notes: new MemoryNotes(),
    owner: 'this',
    now: Date.now,
    monotonicNow,
    log: pino({ level: 'silent' }),
  });
  return networkHarness(engine);
}

mediaEngineContract('UpstreamEngine with another Streamgate', open, UPSTREAM_CAPABILITIES);
