import assert from 'node:assert/strict';
import { beforeEach, describe, it, type TestContext } from 'node:test';
import { readOffer } from '../../../../../server/media/sdp/offer.js';
import { negotiateSubscriber } from '../../../../../server/media/sdp/negotiation.js';
import { PeerSession, type PeerSessionTransport } from '../../../../../server/media/embedded/transport/peer-session.js';
import type { TransportListener } from '../../../../../server/media/embedded/transport/webrtc-transport.js';
import { describeSentTracks } from '../../../../../server/media/embedded/consumer/subscriber-parameters.js';
import { sdpOffer } from '../../../../support/media/offer.js';

const OFFER = readOffer(sdpOffer());
const LOCAL = { usernameFragment: 'u', password: 'p', fingerprint: 'f', setup: 'active', candidates: [] } as const;
const PACKET = Buffer.of(0x80);

/** A transport that the test opens and loses. */
interface FakeTransport extends PeerSessionTransport {
  readonly listener: TransportListener;
  isClosed: boolean;
  readonly sent: Buffer[];
}

describe('a session that moves to another network path', () => {
  let transports: FakeTransport[];
  let lost: number;
  let faults: unknown[];
  let onPacket: () => void;
  let session: PeerSession;

  beforeEach(async () => {
    transports = [];
    lost = 0;
    faults = [];
    onPacket = () => {};
    const { media } = negotiateSubscriber(OFFER, describeSentTracks());
    const connect = async (_offer: unknown, listener: TransportListener) => {
      const transport: FakeTransport = {
        local: LOCAL,
        listener,
        isClosed: false,
        sent: [],
        send: (packet) => !transport.isClosed && Boolean(transport.sent.push(packet)),
        close: async () => void (transport.isClosed = true),
      };
      transports.push(transport);
      return transport;
    };
    session = new PeerSession(
      {
        arrivalWindow: () => ({ notBefore: 0, now: 0 }),
        connect,
        candidates: () => [],
        onLost: () => lost++,
        onFault: (error) => faults.push(error),
      },
      media,
    );
    await session.start(OFFER, { onOpen: () => {}, onPacket: () => onPacket(), onClosed: () => {} });
    transports[0]!.listener.onOpen();
  });

  /** With fake timers. */
  async function renew(t: TestContext): Promise<FakeTransport[]> {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    await session.renew(OFFER);
    return transports;
  }

  it('uses the old transport until the new one is open', async (t) => {
    const [old, another] = await renew(t);
    session.send(PACKET);
    assert.deepEqual([old!.sent.length, another!.sent.length], [1, 0]);
    another!.listener.onOpen();
    session.send(PACKET);
    assert.deepEqual([old!.isClosed, another!.sent.length], [true, 1]);
  });

  it('closes the old transport after a while, because it may keep the peer from the new one', async (t) => {
    const [old, another] = await renew(t);
    t.mock.timers.tick(1_499);
    assert.equal(old!.isClosed, false);
    t.mock.timers.tick(1);
    assert.deepEqual([old!.isClosed, another!.isClosed, lost], [true, false, 0]);
    another!.listener.onOpen();
    assert.equal(session.send(PACKET), true);
  });

  it('is lost when both transports are lost', async (t) => {
    const [, another] = await renew(t);
    t.mock.timers.tick(1_500);
    another!.listener.onLost();
    assert.equal(lost, 1);
  });

  it('is lost alone, and once, after a packet that causes an error', () => {
    const fault = new Error('a fault of ours');
    onPacket = () => {
      throw fault;
    };
    transports[0]!.listener.onPacket(PACKET);
    assert.deepEqual([faults, lost, transports[0]!.isClosed], [[fault], 1, true]);
    transports[0]!.listener.onLost();
    assert.equal(lost, 1);
  });

  it('keeps the new transport if it opened in time', async (t) => {
    const [, another] = await renew(t);
    another!.listener.onOpen();
    t.mock.timers.tick(60_000);
    assert.equal(another!.isClosed, false);
  });
});
