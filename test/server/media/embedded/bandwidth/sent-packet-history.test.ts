import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { SentPacketHistory } from '../../../../../server/media/embedded/bandwidth/sent-packet-history.js';

describe('SentPacketHistory', () => {
  let sent: SentPacketHistory;

  beforeEach(() => {
    sent = new SentPacketHistory();
  });

  it('numbers packets across the wrap', () => {
    for (let count = 0; count < 65_536; count++) assert.equal(sent.add(1, 0), count);
    assert.equal(sent.add(1, 0), 0);
  });

  it('knows size and send time of a packet until it is acknowledged', () => {
    const sequence = sent.add(1_200, 7.5);
    assert.deepEqual([sent.bytes(sequence), sent.sentAt(sequence)], [1_200, 7.5]);
    sent.acknowledge(sequence);
    assert.equal(sent.bytes(sequence), 0);
  });

  it('knows no packet before the first is sent', () => {
    assert.deepEqual(
      [0, 1, 65_535].map((sequence) => sent.bytes(sequence)),
      [0, 0, 0],
    );
    sent.acknowledge(65_535);
    assert.equal(sent.add(1_200, 1), 0);
    assert.equal(sent.bytes(0), 1_200);
  });

  it('knows neither packets that were not sent nor old ones', () => {
    const first = sent.add(100, 0);
    assert.equal(sent.bytes(first + 1), 0);
    for (let count = 0; count < 1_023; count++) sent.add(1, 0);
    assert.equal(sent.bytes(first), 100);
    sent.add(1, 0);
    assert.equal(sent.bytes(first), 0);
  });

  describe('the bitrate of SentPacketHistory', () => {
    /** The bitrate after these bytes by this time. */
    function bitrate(bytes: number, now: number): number {
      sent.countUnnumbered(bytes);
      sent.measure(now);
      return sent.bitrate;
    }

    beforeEach(() => sent.measure(0));

    it('counts all packets, acknowledged or not, numbered or not', () => {
      sent.acknowledge(sent.add(100, 0));
      sent.add(50, 0);
      assert.equal(bitrate(100, 2_500), 800);
    });

    it('is measured over at least 200 ms, and follows by half', () => {
      assert.deepEqual([bitrate(1_000, 199), bitrate(1_000, 200), bitrate(0, 400)], [0, 40_000, 20_000]);
    });

    it('starts anew after two seconds', () => {
      assert.deepEqual([bitrate(1_000, 1_000), bitrate(4_000, 5_000)], [4_000, 8_000]);
    });
  });

  it('counts unnumbered packets without remembering them', () => {
    sent.countUnnumbered(100);
    assert.equal(sent.bytes(0), 0);
    assert.equal(sent.add(1, 0), 0);
  });
});
