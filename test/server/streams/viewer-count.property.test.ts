import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import * as fc from 'fast-check';
import type { MediaEngineEvents } from '../../../server/media/media-engine.js';
import { StreamRegistry } from '../../../server/streams/stream-registry.js';
import { aPublisher, aWish, aViewer, dataOf, type TestPublisher } from '../../support/member.js';

const streamId = 'acme/main';
const CROWD = 5;

/** One thing that happens; `who` is one of the crowd, whatever he is doing. */
type Step =
  | { readonly type: 'join' | 'leave' | 'reach' | 'silence'; readonly who: number }
  | { readonly type: 'begin' | 'end' | 'engine-dies' | 'publisher-lost' | 'publisher-back' | 'publisher-leaves' }
  | { readonly type: 'time'; readonly ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ type: fc.constantFrom('join', 'leave', 'reach', 'silence'), who: fc.nat(CROWD - 1) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constantFrom('begin', 'end', 'engine-dies', 'publisher-lost', 'publisher-back', 'publisher-leaves'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('time'), ms: fc.nat(12_000) }) },
);

describe('the viewer count', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }));
  afterEach(() => mock.timers.reset());

  it('is right a second after anything, in every order of things', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const engine = new EventEmitter<MediaEngineEvents>();
        const streams = new StreamRegistry(engine, { resumeWithinMs: 10_000, now: Date.now });
        // Somebody who only listens, and keeps the stream from being forgotten.
        const witness = { ...aViewer(), reachable: false };
        streams.join(streamId, witness);

        const crowd = Array.from({ length: CROWD }, () => aViewer());
        const inside = new Set<number>();
        let publisher: TestPublisher | undefined;
        let flows = false;

        const settle = (after: TestPublisher | undefined): void => {
          if (after && after.lapses > 0) leave(after);
        };
        const leave = (leaving: TestPublisher): void => {
          if (publisher === leaving) publisher = undefined;
          flows = false;
          streams.release(streamId, leaving.id);
        };
        const act: Record<Step['type'], (step: never) => void> = {
          join: ({ who }: { who: number }) => {
            streams.join(streamId, crowd[who]!);
            inside.add(who);
          },
          leave: ({ who }: { who: number }) => {
            streams.leave(streamId, crowd[who]!);
            inside.delete(who);
          },
          reach: ({ who }: { who: number }) => turn(who, true),
          silence: ({ who }: { who: number }) => turn(who, false),
          begin: () => {
            if (!publisher) {
              publisher = aPublisher();
              streams.claim(streamId, publisher, aWish({ resumable: true }));
            }
            if (publisher.suspended) return;
            flows = true;
            engine.emit('live', streamId, null, ['video']);
          },
          end: () => {
            if (!flows || !publisher) return;
            engine.emit('ended', streamId, null);
            leave(publisher);
          },
          'engine-dies': () => {
            for (const who of inside) streams.leave(streamId, crowd[who]!);
            inside.clear();
            lose();
          },
          'publisher-lost': () => lose(),
          'publisher-back': () => {
            if (!publisher) return;
            const back = aPublisher();
            assert.ok(streams.claim(streamId, back, aWish({ resumable: true, resumes: publisher.id })));
            publisher = back;
            flows = true;
            engine.emit('live', streamId, null, ['video']);
          },
          'publisher-leaves': () => {
            if (publisher) leave(publisher);
          },
          time: ({ ms }: { ms: number }) => mock.timers.tick(ms),
        };
        const turn = (who: number, reachable: boolean): void => {
          crowd[who]!.reachable = reachable;
          streams.reachabilityChanged(streamId, crowd[who]!);
        };
        const lose = (): void => {
          if (!publisher || publisher.suspended) return;
          engine.emit('ended', streamId, null);
          publisher.suspended = true;
          streams.holdLease(streamId, publisher.id);
        };

        for (const one of steps) {
          act[one.type](one as never);
          settle(publisher);
        }
        mock.timers.tick(1_000);
        settle(publisher);
        mock.timers.tick(1_000);

        const told = dataOf(witness, 'viewercount').map((data) => ('viewercount' in data ? data.viewercount : NaN));
        assert.ok(
          told.every((count) => count >= 0 && count <= CROWD),
          told.join(),
        );
        const isLive = flows && publisher !== undefined;
        const expected = isLive ? [...inside].filter((who) => crowd[who]!.reachable).length : 0;
        assert.equal(told.at(-1), expected);
        streams.leave(streamId, witness);
      }),
      { numRuns: 500 },
    );
  });
});
