import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PacketCache } from '../../../../../server/media/embedded/rtp/packet-cache.js';
import { rtpPacket } from '../../../../support/media/rtp.js';

it('finds recent packets by sequence number, and not those before them', () => {
  const cache = new PacketCache(4);
  const packets = [65_534, 65_535, 0, 1, 2].map((sequence) => rtpPacket({ sequence }));
  for (const packet of packets) cache.add(packet);
  assert.deepEqual(
    [65_534, 65_535, 0, 1, 2, 3].map((sequence) => cache.find(sequence)),
    [undefined, ...packets.slice(1), undefined],
  );
});

it('is empty after it was cleared', () => {
  const cache = new PacketCache(4);
  cache.add(rtpPacket({ sequence: 1 }));
  cache.clear();
  assert.equal(cache.find(1), undefined);
});
