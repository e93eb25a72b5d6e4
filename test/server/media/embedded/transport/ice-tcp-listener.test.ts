import assert from 'node:assert/strict';
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { tcpFrame, TcpFrameReader } from '../../../../../server/media/embedded/transport/tcp-framing.js';
import { Sfu } from '../../../../../server/media/embedded/worker/sfu.js';
import { IceTcpListener, type IceTcpLimits } from '../../../../../server/media/embedded/transport/ice-tcp-listener.js';
import { patient } from '../../../../support/media/patient-engine.js';
import { RtpPeer } from '../../../../support/media/rtp-peer.js';
import { IceTcpClient } from '../../../../support/media/ice-tcp-client.js';
import { until } from '../../../../support/media/until.js';
import { sfuListener } from '../../../../support/media/sfu-listener.js';
import { readOffer } from '../../../../../server/media/sdp/offer.js';

const LOOPBACK = '127.0.0.1';

/** A binding request (RFC 8489) with no attribute but the user name: that of the session, and that of the peer. */
function stunRequest(session = 'session'): Buffer {
  const userName = Buffer.from(`${session}:peer`.padEnd(16, 'r'));
  const request = Buffer.alloc(24);
  request.writeUInt16BE(1, 0);
  request.writeUInt16BE(4 + userName.length, 2);
  request.writeUInt32BE(0x2112_a442, 4);
  request.writeUInt16BE(0x0006, 20);
  request.writeUInt16BE(userName.length, 22);
  return Buffer.concat([request, userName]);
}

/** A binding request without attributes. */
function namelessRequest(): Buffer {
  const request = stunRequest().subarray(0, 20);
  request.writeUInt16BE(0, 2);
  return request;
}

/** A listener, and a UDP socket in place of the media engine. */
async function openListener(t: TestContext, limits: Partial<IceTcpLimits> = {}) {
  const engine = createSocket('udp4');
  const received: { packet: Buffer; from: RemoteInfo }[] = [];
  engine.on('message', (packet, from) => received.push({ packet, from }));
  engine.bind(0, LOOPBACK);
  await once(engine, 'listening');
  t.after(() => engine.close());
  const listener = await IceTcpListener.open({
    bindAddress: LOOPBACK,
    tcpPort: 0,
    udpPort: engine.address().port,
    limits,
  });
  t.after(() => listener.close());
  const call = async (localAddress = LOOPBACK) => {
    const socket = connect({ port: listener.port, host: LOOPBACK, localAddress });
    t.after(() => socket.destroy());
    const packets: Buffer[] = [];
    const reader = new TcpFrameReader({ least: 1, most: 0xffff });
    socket.on('data', (chunk) => packets.push(...reader.read(chunk)));
    socket.on('error', () => {});
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    await once(socket, 'connect');
    return { socket, packets, closed };
  };
  const answer = (packet: Buffer) => engine.send(packet, received.at(-1)!.from.port, LOOPBACK);
  /** A connection of this session that the engine has answered. */
  const answered = async (session: string, localAddress = LOOPBACK) => {
    const caller = await call(localAddress);
    const before = received.length;
    send(caller.socket, stunRequest(session));
    await until('the engine receives it', () => received.length > before);
    answer(Buffer.from('answer'));
    await until('it is answered', () => caller.packets.length === 1);
    return caller;
  };
  return { engine, received, listener, call, answer, answered };
}

async function connected(t: TestContext, limits: Partial<IceTcpLimits> = {}) {
  const open = await openListener(t, limits);
  const caller = await open.call();
  caller.socket.write(tcpFrame(stunRequest()));
  await until('the engine receives the packet', () => open.received.length === 1);
  open.answer(Buffer.from('answer'));
  await until('it is answered', () => caller.packets.length === 1);
  return { ...open, ...caller };
}

const send = (socket: Socket, ...packets: Buffer[]) => socket.write(Buffer.concat(packets.map(tcpFrame)));

describe('an ICE-TCP connection', () => {
  it('forwards packets to the engine and back, one by one', async (t) => {
    const { engine, received, call } = await openListener(t);
    const { socket, packets } = await call();
    send(socket, stunRequest(), stunRequest());
    await until('the engine receives the packets', () => received.length === 2);
    engine.send(Buffer.from('three'), received[0]!.from.port, LOOPBACK);
    engine.send(Buffer.from('four'), received[0]!.from.port, LOOPBACK);
    await until('the peer received both', () => packets.length === 2);
    assert.deepEqual(packets.map(String), ['three', 'four']);
    send(socket, Buffer.from('the first packet'), Buffer.from('the second packet'));
    await until('the engine receives the packets', () => received.length === 4);
    assert.deepEqual(received.map(({ packet }) => packet.toString('latin1')).slice(2), [
      'the first packet',
      'the second packet',
    ]);
  });

  it('has its own UDP address', async (t) => {
    const { received, call } = await openListener(t);
    for (let callers = 0; callers < 2; callers++) send((await call()).socket, stunRequest());
    await until('both are received', () => received.length === 2);
    assert.notEqual(received[0]!.from.port, received[1]!.from.port);
  });

  it('closes its UDP socket when the peer disconnects', async (t) => {
    const { socket, closed, received } = await connected(t);
    const { port } = received[0]!.from;
    socket.end();
    await closed;
    const isFree = async () => {
      const probe = createSocket('udp4');
      try {
        probe.bind({ port, address: LOOPBACK, exclusive: true });
        await once(probe, 'listening');
        return true;
      } catch {
        return false;
      } finally {
        probe.close();
      }
    };
    await until('the UDP socket is closed', isFree);
  });

  for (const [what, first] of [
    ['sends something else than STUN', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    [
      'begins with another STUN message than a request',
      tcpFrame(Buffer.concat([Buffer.from([0x01, 0x01]), stunRequest().subarray(2)])),
    ],
    ['begins with a truncated request', tcpFrame(stunRequest().subarray(0, 19))],
    ['begins with a request of the wrong length', tcpFrame(Buffer.concat([stunRequest(), Buffer.alloc(4)]))],
    ['begins with an empty packet', Buffer.alloc(2)],
    ['begins with a request that names no session', tcpFrame(namelessRequest())],
  ] as const) {
    it(`is closed if the peer ${what}, and nothing is forwarded`, async (t) => {
      const { received, call } = await openListener(t);
      const { socket, closed } = await call();
      socket.write(first);
      await closed;
      assert.deepEqual(received, []);
    });
  }

  for (const bytes of [13, 2_049]) {
    it(`is closed after a packet of ${bytes} bytes, which no peer sends`, async (t) => {
      const { socket, closed } = await connected(t);
      send(socket, Buffer.alloc(bytes));
      await closed;
    });
  }

  it('is closed if the peer sends anything but requests before it is answered', async (t) => {
    const { received, call } = await openListener(t);
    const { socket, closed } = await call();
    send(socket, stunRequest(), Buffer.alloc(100));
    await closed;
    assert.ok(received.length <= 1);
  });

  it('is closed if the peer sends more requests than one that connects', async (t) => {
    const { received, call } = await openListener(t);
    const { socket, closed } = await call();
    send(socket, ...Array.from({ length: 1_000 }, () => stunRequest()));
    await closed;
    assert.ok(received.length <= 64);
  });

  it('is closed if the peer sends nothing', async (t) => {
    const { call } = await openListener(t, { answerTimeoutMs: 50 });
    await (
      await call()
    ).closed;
  });

  it('is closed if the engine does not answer, as it does not without a session', async (t) => {
    const { received, call } = await openListener(t, { answerTimeoutMs: 50 });
    const { socket, closed } = await call();
    send(socket, stunRequest());
    await closed;
    assert.equal(received.length, 1);
  });

  it('stays open after the engine answered', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { socket, received } = await connected(t);
    t.mock.timers.tick(60_000);
    send(socket, Buffer.from('one more packet'));
    await until('more packets arrive', () => received.length === 2);
  });

  it('is closed after a long silence', async (t) => {
    // Longer than a machine stands still while the peer connects.
    const { closed } = await connected(t, { idleTimeoutMs: 2_500 });
    await closed;
  });

  it('is closed if the peer names another session before it is answered', async (t) => {
    const { received, call } = await openListener(t);
    const { socket, closed } = await call();
    send(socket, stunRequest('mine'), stunRequest('other'));
    await closed;
    assert.ok(received.length <= 1);
  });

  it('is closed as the oldest of a session that has more than its part', async (t) => {
    const { answered } = await openListener(t, { ofSession: 2 });
    const another = await answered('another');
    const flood = [];
    for (let count = 0; count < 4; count++) flood.push(await answered('flood'));
    await Promise.all([flood[0]!.closed, flood[1]!.closed]);
    assert.deepEqual(
      [another, flood[2]!, flood[3]!].map(({ socket }) => socket.destroyed),
      [false, false, false],
    );
  });

  it('is closed as the oldest of the network that has the most, when all places are taken', async (t) => {
    const { answered } = await openListener(t, { answered: 3 });
    const honest = await answered('honest', '127.1.0.1');
    const flood = [];
    for (let count = 0; count < 3; count++) flood.push(await answered(`flood-${count}`));
    await flood[0]!.closed;
    const late = await answered('late', '127.2.0.1');
    await flood[1]!.closed;
    assert.deepEqual(
      [honest, late, flood[2]!].map(({ socket }) => socket.destroyed),
      [false, false, false],
    );
  });

  it('leaves its place to others when the peer has gone', async (t) => {
    const { answered } = await openListener(t, { answered: 1, ofSession: 1 });
    const first = await answered('session');
    first.socket.destroy();
    await first.closed;
    const next = await answered('session');
    const other = await answered('session');
    await next.closed;
    assert.equal(other.socket.destroyed, false);
  });

  it('is closed while it is not answered, as the oldest of the network that has the most', async (t) => {
    const { call, received, answer } = await openListener(t, { waiting: 3 });
    const answered = await call();
    send(answered.socket, stunRequest());
    await until('the engine receives it', () => received.length === 1);
    answer(Buffer.from('answer'));
    await until('it is answered', () => answered.packets.length === 1);
    const honest = await call('127.1.0.1');
    const flood = [await call(), await call(), await call()];
    await flood[0]!.closed;
    const late = await call('127.2.0.1');
    await flood[1]!.closed;
    for (const { socket } of [honest, late]) send(socket, stunRequest());
    await until('the engine receives both', () => received.length === 3);
    assert.deepEqual([answered.socket.destroyed, flood[2]!.socket.destroyed], [false, false]);
  });

  it('drops packets that the peer does not read in time, and no frame is corrupted', async (t) => {
    const { socket, packets, received, engine } = await connected(t, { maxBufferedBytes: 20_000 });
    socket.pause();
    const payload = (number: number) => Buffer.alloc(1_200, String(number % 10));
    // Far more than the sockets between them can buffer.
    const sent = 20_000;
    for (let number = 0; number < sent; number++) {
      engine.send(payload(number), received[0]!.from.port, LOOPBACK);
      if (number % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    socket.resume();
    await until('the peer receives packets again', () => {
      engine.send(Buffer.from('end'), received[0]!.from.port, LOOPBACK);
      return packets.some((packet) => packet.toString() === 'end');
    });
    const whole = packets.slice(1).filter((packet) => packet.toString() !== 'end');
    assert.ok(whole.length < sent, 'not all packets were buffered');
    assert.ok(whole.every((packet) => packet.length === 1_200 && packet.every((byte) => byte === packet[0])));
  });
});

describe('IceTcpListener', () => {
  it('reports that its port is in use', async (t) => {
    const { listener } = await openListener(t);
    await assert.rejects(IceTcpListener.open({ bindAddress: LOOPBACK, tcpPort: listener.port, udpPort: 9 }), {
      message: `cannot listen for media on 127.0.0.1, TCP port ${listener.port}: the port is in use; set MEDIA_TCP_PORT to another one`,
    });
  });

  it('closes all connections when it closes', async (t) => {
    const { listener, closed } = await connected(t);
    await listener.close();
    await closed;
    await assert.rejects(once(connect(listener.port, LOOPBACK), 'connect'));
  });
});

for (const bindAddress of [LOOPBACK, undefined]) {
  it(`carries a stream between peers without UDP, at ${bindAddress ?? 'all addresses'}`, async (t) => {
    const announcedIps = bindAddress === undefined ? [LOOPBACK] : [];
    const [publisher, viewer] = [await RtpPeer.open({ role: 'publisher' }), await RtpPeer.open({ role: 'viewer' })];
    t.after(() => [publisher, viewer].forEach((peer) => peer.close()));
    const sfu = patient(await Sfu.open({ bindAddress, announcedIps, udpPort: 0, tcpPort: 0 }, sfuListener));
    t.after(() => sfu.close());
    const sessions = [await sfu.publish('s', readOffer(publisher.offer)), await sfu.view('s', readOffer(viewer.offer))];
    for (const [index, peer] of [publisher, viewer].entries()) {
      const { answer } = sessions[index]!;
      const caller = await IceTcpClient.open(answer);
      t.after(() => caller.close());
      await peer.accept({ answer: caller.through(answer) });
    }
    await until('the viewer receives both', () => {
      publisher.sendFrame();
      return viewer.received('video') > 10 && viewer.received('audio') > 10;
    });
  });
}

it('an answer has no TCP candidate without a TCP port', async (t) => {
  const sfu = await Sfu.open({ bindAddress: LOOPBACK, udpPort: 0 }, sfuListener);
  t.after(() => sfu.close());
  const viewer = await RtpPeer.open({ role: 'viewer' });
  t.after(() => viewer.close());
  assert.doesNotMatch((await sfu.view('s', readOffer(viewer.offer))).answer, / TCP /);
});
