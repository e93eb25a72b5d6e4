import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { beforeEach, describe, it } from 'node:test';
import { RelayOrigin } from '../../../../server/cluster/relay/relay-origin.js';
import { RelayPasses, type RelayPass } from '../../../../server/cluster/relay/relay-pass.js';
import { ApiError } from '../../../../server/errors.js';
import type { MediaEngineEvents } from '../../../../server/media/engine/media-engine.js';
import { MediaError } from '../../../../server/media/engine/media-error.js';
import type { SentRelay } from '../../../../server/media/engine/media-session.js';
import { streamIdOf } from '../../../../server/streams/stream-id.js';

const NOW = 1_800_000_000_000;
const PASS: RelayPass = { streamId: streamIdOf('acme', 'main'), from: 'edge', to: 'own', epoch: 3 };

class FakeEngine extends EventEmitter<MediaEngineEvents> {
  readonly open = new Set<string>();
  error: Error | undefined;
  onSend = (): void => {};

  canRelay(): boolean {
    return true;
  }

  async sendRelay(stream: string, offer: string): Promise<SentRelay> {
    if (this.error) throw this.error;
    this.onSend();
    const id = `${stream} ${this.open.size}`;
    this.open.add(id);
    return { id, answer: `answer to ${offer}`, close: () => void this.open.delete(id) };
  }
}

describe('a server that is asked for a stream by another', () => {
  const passes = new RelayPasses(createSecretKey(randomBytes(32)));
  let engine: FakeEngine;
  let node: { readonly identity: { id: string; url: undefined }; epoch: { id: string; epoch: number } | undefined };
  let streams: Set<string>;
  let now: number;
  let origin: RelayOrigin;

  beforeEach(() => {
    engine = new FakeEngine();
    node = { identity: { id: 'own', url: undefined }, epoch: { id: 'own', epoch: 3 } };
    streams = new Set(['acme/main']);
    now = NOW;
    const hasStream = (streamId: string) => streams.has(streamId);
    origin = new RelayOrigin({ node, passes, engine, hasStream, now: () => now });
  });

  const ask = (pass: Partial<RelayPass> = {}) => ({
    pass: passes.sign({ ...PASS, ...pass }, 'offer', NOW),
    offer: 'offer',
  });
  const refusal = async (request: ReturnType<typeof ask>) => {
    try {
      await origin.answer(request);
      return undefined;
    } catch (error) {
      return error instanceof ApiError ? [error.status, error.code] : error;
    }
  };

  it('sends it, with the proof that the answer is its own', async () => {
    const request = ask();
    const { answer, proof } = await origin.answer(request);
    assert.deepEqual([answer, passes.isProven(request.pass, answer, proof)], ['answer to offer', true]);
    assert.equal(engine.open.size, 1);
  });

  it('sends it once for each pass', async () => {
    const request = ask();
    await origin.answer(request);
    assert.deepEqual(await refusal(request), [401, 'relay_refused']);
    assert.equal(engine.open.size, 1);
  });

  it('refuses a pass that has expired', async () => {
    const request = ask();
    now = NOW + 15_000;
    assert.deepEqual(await refusal(request), [401, 'relay_refused']);
  });

  for (const [what, pass] of Object.entries({
    'another server': { to: 'other' },
    'an earlier epoch of its own': { epoch: 2 },
    'a later epoch': { epoch: 4 },
    'a stream that it does not have': { streamId: streamIdOf('acme', 'other') },
  })) {
    it(`does not send what is asked of ${what}`, async () => {
      assert.deepEqual(await refusal(ask(pass)), [409, 'relay_stale']);
      assert.equal(engine.open.size, 0);
    });
  }

  it('sends nothing while it may not keep its leases', async () => {
    node.epoch = undefined;
    assert.deepEqual(await refusal(ask()), [409, 'relay_stale']);
  });

  it('closes what it began to send, if it lost its leases meanwhile', async () => {
    engine.onSend = () => (node.epoch = undefined);
    assert.deepEqual(await refusal(ask()), [409, 'relay_stale']);
    assert.equal(engine.open.size, 0);
  });

  it('ends what it sends when it loses its leases', async () => {
    await origin.answer(ask());
    await origin.answer(ask());
    origin.closeAll();
    assert.equal(engine.open.size, 0);
  });

  it('says that the stream has no publisher at the moment', async () => {
    engine.error = new MediaError('engine_unavailable', 'no publisher');
    assert.deepEqual(await refusal(ask()), [503, 'engine_unavailable']);
  });

  it('says that the offer cannot be used', async () => {
    engine.error = new MediaError('invalid_sdp', 'no SDP');
    assert.deepEqual(await refusal(ask()), [400, 'invalid_sdp']);
  });
});
