import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { sequenceNumber, timestamp } from '../../../../../server/media/embedded/rtp/packet.js';
import { RID_EXTENSION, sdpOffer } from '../../../../support/media/offer.js';
import { RouterFixture } from '../../../../support/media/router-fixture.js';

const numbers = (packets: readonly Buffer[]) => packets.map(sequenceNumber);

describe('video packets that arrive in one turn of the event loop', () => {
  let stream: RouterFixture;
  let publisher: ReturnType<RouterFixture['publish']>;
  let [first, second]: ReturnType<RouterFixture['view']>[] = [];

  beforeEach(() => {
    stream = new RouterFixture({ paces: true });
    publisher = stream.publish(sdpOffer({ direction: 'sendonly' }));
    [first, second] = [stream.view(), stream.view()];
    publisher.video(1, { keyframe: true });
    stream.router.pace(0);
  });

  it('are sent at its end, viewer by viewer, in order', () => {
    const order: string[] = [];
    for (const [name, { sink }] of Object.entries({ first: first!, second: second! })) {
      sink.send = (packet) => order.push(`${name} ${sequenceNumber(packet)}`) > 0;
    }
    for (const sequence of [2, 3, 4]) publisher.video(sequence);
    assert.deepEqual(order, []);
    assert.equal(stream.router.pace(0), 'idle');
    assert.deepEqual(order, ['first 2', 'first 3', 'first 4', 'second 2', 'second 3', 'second 4']);
  });

  it('do not delay sound', () => {
    publisher.video(2);
    publisher.audio(1);
    assert.equal(first!.on('audio').length, 1);
    assert.equal(first!.on('video').length, 1);
  });

  it('are sent at once if they are many', () => {
    for (let sequence = 2; sequence <= 20; sequence++) publisher.video(sequence);
    assert.equal(second!.on('video').length, 17);
    stream.router.pace(0);
    assert.deepEqual(numbers(second!.on('video')), numbers(first!.on('video')));
    assert.equal(second!.on('video').length, 20);
  });

  it('reach a viewer who leaves, but not one who joins after them', () => {
    publisher.video(2, { keyframe: true });
    first!.leave();
    assert.deepEqual(numbers(first!.on('video')), [1, 2]);
    publisher.video(3);
    const joined = stream.view();
    stream.router.pace(0);
    assert.deepEqual(joined.on('video').map(timestamp), second!.on('video').slice(1).map(timestamp));
  });

  it('reach each viewer once when the stream ends', () => {
    publisher.video(2);
    publisher.end();
    stream.router.pace(0);
    assert.deepEqual(numbers(first!.on('video')), [1, 2]);
  });
});

type Step =
  | { readonly name: 'video'; readonly keyframe: boolean; readonly layer: 0 | 1 }
  | { readonly name: 'join' | 'leave' | 'turn' | 'audio' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ name: fc.constant('video'), keyframe: fc.boolean(), layer: fc.constantFrom(0, 1) }),
  },
  { weight: 3, arbitrary: fc.record({ name: fc.constantFrom('join', 'leave', 'turn', 'audio') }) },
);

const LAYERS = ['low', 'high'];
const ridOf = (layer: 0 | 1) => {
  const rid = Buffer.from(LAYERS[layer]!);
  const extension = Buffer.concat([Buffer.of((RID_EXTENSION << 4) | (rid.length - 1)), rid]);
  return Buffer.concat([extension, Buffer.alloc((4 - (extension.length % 4)) % 4)]);
};

/** What each viewer received, in the order of joining. */
function received(steps: readonly Step[], paces: boolean): readonly (readonly string[])[] {
  const stream = new RouterFixture({ paces });
  const publisher = stream.publish(sdpOffer({ direction: 'sendonly', rids: LAYERS }));
  const viewers: ReturnType<RouterFixture['view']>[] = [];
  const here: ReturnType<RouterFixture['view']>[] = [];
  const sent = [0, 0];
  let now = 0;
  for (const each of steps) {
    now += 1;
    if (each.name === 'video') {
      const sequence = ++sent[each.layer]!;
      const parts = { keyframe: each.keyframe, ssrc: 20 + each.layer, timestamp: now * 90 };
      publisher.video(sequence, { ...parts, extension: ridOf(each.layer) }, now);
    } else if (each.name === 'audio') publisher.audio(now, {}, now);
    else if (each.name === 'leave') here.shift()?.leave();
    else if (each.name === 'turn') stream.router.pace(now);
    else {
      const viewer = stream.view({}, { now });
      viewers.push(viewer);
      here.push(viewer);
    }
  }
  stream.router.pace(now);
  return viewers.map((viewer) =>
    [...viewer.on('audio'), ...viewer.on('video')].map((packet) => `${sequenceNumber(packet)} ${timestamp(packet)}`),
  );
}

it('a viewer receives the same packets whether or not packets are held until the end of a turn', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      assert.deepEqual(received(steps, true), received(steps, false));
    }),
    { numRuns: 500 },
  );
});
