import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FollowedStream, STEADY_AFTER_MS } from '../../../../server/cluster/relay/followed-stream.js';
import { streamIdOf } from '../../../../server/streams/stream-id.js';
import { until } from '../../../support/media/until.js';

describe('a stream that is followed', () => {
  const follow = (lastsMs: number) => {
    let relays = 0;
    let now = 0;
    const stream = new FollowedStream({
      streamId: streamIdOf('main', 'main'),
      streams: { beginRelay() {}, endRelay() {} },
      engine: {
        async receiveRelay(_stream, exchange) {
          await exchange('offer');
          const id = String((relays += 1));
          setImmediate(() => {
            now += lastsMs;
            stream.sessionLost(id);
          });
          return { id, close() {} };
        },
      },
      exchange: async () => 'answer',
      onGivenUp: (_origin, reason) => assert.fail(String(reason)),
      onForgiven: () => assert.fail('nobody was given up'),
      monotonicNow: () => now,
    });
    stream.follow({ node: { id: 'other', epoch: 1 }, url: 'http://127.0.0.1:1' });
    return { stream, relays: () => relays };
  };

  it('is asked for again after a pause if the relay is lost at once', async () => {
    const { stream, relays } = follow(0);
    await until('the first relay', () => relays() > 0);
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
    const asked = relays();
    stream.close();
    assert.equal(asked, 1);
  });

  it('is asked for again at once if the relay had lasted', async () => {
    const { stream, relays } = follow(STEADY_AFTER_MS);
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
    const asked = relays();
    stream.close();
    assert.ok(asked > 5, `${asked}`);
  });
});
