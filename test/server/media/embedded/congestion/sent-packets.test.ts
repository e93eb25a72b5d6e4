import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { SentPackets } from '../../../../../server/media/embedded/congestion/sent-packets.js';

describe('packets that were sent', () => {
  let sent: SentPackets;

  beforeEach(() => {
    sent = new SentPackets();
  });

  it('are numbered across the wrap', () => {
    for (let count = 0; count < 65_536; count++) assert.equal(sent.add(1, 0), count);
    assert.equal(sent.add(1, 0), 0);
  });

  it('are known with their length and time until they are settled', () => {
    const sequence = sent.add(1_200, 7.5);
    assert.deepEqual([sent.bytes(sequence), sent.sentAt(sequence)], [1_200, 7.5]);
    sent.settle(sequence);
    assert.equal(sent.bytes(sequence), 0);
  });

  it('are not known before they are sent, nor long after', () => {
    const first = sent.add(100, 0);
    assert.equal(sent.bytes(first + 1), 0);
    for (let count = 0; count < 1_023; count++) sent.add(1, 0);
    assert.equal(sent.bytes(first), 100);
    sent.add(1, 0);
    assert.equal(sent.bytes(first), 0);
  });

  it('are counted, settled or not, numbered or not', () => {
    sent.settle(sent.add(100, 0));
    sent.add(50, 0);
    sent.count(7);
    assert.equal(sent.totalBytes, 157);
  });

  it('are not waited for where they have no number', () => {
    sent.count(100);
    assert.equal(sent.bytes(0), 0);
    assert.equal(sent.add(1, 0), 0);
  });
});
