import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { CalledProcessError, BenchProcess } from '../../../bench/support/bench-process.js';
import { NoPictureError, RefusedError } from '../../../bench/crowds/misses.js';
import type { Receivers } from '../../../bench/media/receivers.js';
import type { Storm } from '../../../bench/crowds/storm.js';
import { enter, view } from '../../../bench/crowds/waiting-viewer.js';
import { Cleanup } from '../../support/cleanup.js';
import { sdpOffer } from '../../support/media/offer.js';
import { RtpPeer } from '../../support/media/rtp-peer.js';
import { streamServer, type TestServer } from '../../support/stream-server.js';

describe('a viewer of a benchmark that the server cannot admit', () => {
  const cleanup = new Cleanup();
  let server: TestServer;
  let token: string;

  beforeEach(async () => {
    server = await streamServer(cleanup);
    token = await server.token('subscribe');
  });
  afterEach(() => cleanup.run());

  const isRefusal = (code: string) => (error: unknown) => error instanceof RefusedError && error.code === code;

  it('is refused by the director', async () => {
    await assert.rejects(enter(server.origin, { streamName: 'main' }), isRefusal('stream_not_live'));
    await assert.rejects(enter(server.origin, { streamName: 'main', token: 'x' }), isRefusal('token_unknown'));
  });

  it('is refused by the engine', async () => {
    const client = await enter(server.origin, { streamName: 'main', token });
    server.engine.crash();
    await assert.rejects(view(client, 'main', sdpOffer()), isRefusal('engine_unavailable'));
  });

  it('gets no picture from a server that has closed', async () => {
    await server.server.close();
    await assert.rejects(enter(server.origin, { streamName: 'main', token }), NoPictureError);
  });

  it('is counted by a storm, which continues', async () => {
    const storm = await BenchProcess.start<Storm>('crowds/storm.ts');
    cleanup.after(() => storm.stop());
    const joined = await storm.call('join', { origin: server.origin, streamName: 'main', viewers: 3, overMs: 0 });
    assert.deepEqual(
      joined,
      Array.from({ length: 3 }, () => ({ refused: 'stream_not_live' })),
    );
    assert.equal(await storm.call('playing', 1), 0);
    await storm.call('leave', null);
  });

  it('rejects an SDP answer after it was closed, without an unhandled rejection', async () => {
    const peer = await RtpPeer.open({ role: 'viewer' });
    peer.close();
    await assert.rejects(peer.accept({ answer: peer.offer }));
  });

  it('is closed by the receivers when a forwarder refuses it, and the receivers continue', async () => {
    const receivers = await BenchProcess.start<Receivers>('media/receivers.ts');
    cleanup.after(() => receivers.stop());
    const open = (addresses: readonly string[]) =>
      receivers.call('openViewers', { addresses, serverAddress: '127.0.0.1' });
    const { first, offers } = await open(['127.0.1.1', '127.0.1.2']);
    assert.equal(offers.length, 2);
    assert.equal(await receivers.call('accept', { first, answers: [null, null], withinMs: 1_000 }), 0);
    assert.equal((await open(['127.0.1.3'])).first, 2);
  });

  it('has an error of its own, different from that of a process that has ended', async () => {
    const storm = await BenchProcess.start<Storm>('crowds/storm.ts');
    await assert.rejects(storm.call('join', null as never), CalledProcessError);
    const playing = storm.call('playing', 60_000);
    process.kill(storm.pid, 'SIGKILL');
    await assert.rejects(playing, (error) => error instanceof Error && !(error instanceof CalledProcessError));
    await assert.rejects(storm.call('playing', 1), /a process has ended/);
  });
});
