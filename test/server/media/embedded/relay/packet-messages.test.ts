import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import fc from 'fast-check';
import { PacketMessages, readPackets } from '../../../../../server/media/embedded/relay/packet-messages.js';
import { messageFrame } from '../../../../../server/media/embedded/relay/relay-frames.js';

interface Packet {
  readonly source: number;
  readonly encoding: number;
  readonly sequence: number;
  readonly packet: string;
}

/** Of a frame of one packet. */
const PACKET: Packet = { source: 1, encoding: 0, sequence: 7, packet: 'abcd' };
/** What is sent until then goes together. */
const endOfTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Sends packets, and copies the messages as the other end gets them. */
function open() {
  const sent: Buffer[] = [];
  const messages = new PacketMessages((message) => sent.push(Buffer.from(message)));
  const add = ({ source, encoding, sequence, packet }: Packet, { moreFollow = false } = {}) =>
    messages.add(source, encoding, { sequence, packet: Buffer.from(packet, 'hex'), arrivedAt: 0 }, moreFollow);
  return { add, sent, messages };
}

function read(message: Buffer): readonly Packet[] {
  const received: Packet[] = [];
  readPackets(
    message,
    (source, encoding, { sequence, packet }) =>
      void received.push({ source, encoding, sequence, packet: packet.toString('hex') }),
  );
  return received;
}

const packets = fc.array(
  fc
    .tuple(fc.integer({ min: 1, max: 2 }), fc.nat(1), fc.maxSafeNat(), fc.uint8Array({ maxLength: 1_500 }))
    .map(([source, encoding, sequence, bytes]) => ({
      source,
      encoding,
      sequence,
      packet: Buffer.from(bytes).toString('hex'),
    })),
  { maxLength: 60 },
);

const sequences = (sent: readonly Buffer[]) => sent.map((message) => read(message).map(({ sequence }) => sequence));

describe('messages of packets to another server', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('have all packets that were sent, in order, whatever they are', async () => {
    await fc.assert(
      fc.asyncProperty(packets, fc.infiniteStream(fc.boolean()), async (all, moreFollow) => {
        const { add, sent, messages } = open();
        for (const packet of all) add(packet, { moreFollow: moreFollow.next().value });
        await endOfTurn();
        mock.timers.tick(2);
        assert.deepEqual(sent.flatMap(read), all);
        assert.equal(messages.bytes, 0);
      }),
    );
  });

  it('have a frame together that comes in several turns', async () => {
    const { add, sent } = open();
    add(PACKET, { moreFollow: true });
    await endOfTurn();
    add({ ...PACKET, sequence: 8 }, { moreFollow: true });
    await endOfTurn();
    assert.equal(sent.length, 0);
    add({ ...PACKET, sequence: 9 });
    await endOfTurn();
    assert.deepEqual(sequences(sent), [[7, 8, 9]]);
  });

  it('hold a packet back for the rest of its frame for 2 ms at most', () => {
    const { add, sent } = open();
    add(PACKET, { moreFollow: true });
    mock.timers.tick(1);
    add({ ...PACKET, sequence: 8 }, { moreFollow: true });
    assert.equal(sent.length, 0);
    mock.timers.tick(1);
    assert.deepEqual(sequences(sent), [[7, 8]]);
  });

  it('do not hold a packet back for another encoding', async () => {
    const { add, sent } = open();
    add(PACKET, { moreFollow: true });
    add({ ...PACKET, encoding: 1, sequence: 8 });
    await endOfTurn();
    assert.deepEqual(sequences(sent), [[7], [8]]);
  });

  it('are not sent after the end', async () => {
    const { add, sent, messages } = open();
    add(PACKET);
    add({ ...PACKET, sequence: 8 }, { moreFollow: true });
    messages.close();
    await endOfTurn();
    mock.timers.tick(2);
    assert.deepEqual(sent, []);
  });

  it('have what was sent in one turn of the event loop together', async () => {
    const { add, sent } = open();
    add(PACKET);
    add({ ...PACKET, sequence: 8 });
    assert.equal(sent.length, 0);
    await endOfTurn();
    add({ ...PACKET, sequence: 9 });
    await endOfTurn();
    assert.deepEqual(sequences(sent), [[7, 8], [9]]);
  });

  it('are of one encoding each', async () => {
    await fc.assert(
      fc.asyncProperty(packets, async (all) => {
        const { add, sent } = open();
        for (const packet of all) add(packet);
        await endOfTurn();
        for (const message of sent) {
          const encodings = new Set(read(message).map(({ source, encoding }) => `${source} ${encoding}`));
          assert.equal(encodings.size, 1);
        }
      }),
    );
  });

  it('stay below 16 KB', async () => {
    const { add, sent } = open();
    for (let sequence = 0; sequence < 60; sequence += 1) add({ ...PACKET, sequence, packet: 'ab'.repeat(1_200) });
    await endOfTurn();
    assert.ok(sent.every(({ length }) => length <= 16_384));
    assert.equal(sent.flatMap(read).length, 60);
  });

  it('are refused if they are cut off, or hold something else', async () => {
    const { add, sent } = open();
    add(PACKET);
    await endOfTurn();
    const [message] = sent as [Buffer];
    for (let length = 1; length < message.length; length += 1) {
      assert.throws(() => read(message.subarray(0, length)), `${length} bytes`);
    }
    assert.throws(() => read(Buffer.concat([message, Buffer.from([1])])));
    assert.throws(() => read(messageFrame({ type: 'current' })));
  });

  it('give the time at which they were read as the arrival of their packets', async () => {
    const { add, sent } = open();
    add(PACKET);
    await endOfTurn();
    const before = performance.now();
    readPackets(sent[0]!, (_source, _encoding, { arrivedAt }) => assert.ok(arrivedAt >= before));
  });
});
