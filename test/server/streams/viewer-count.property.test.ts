import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import * as fc from 'fast-check';
import type { MediaEngineEvents } from '../../../server/media/engine/media-engine.js';
import { StreamRegistry } from '../../../server/streams/stream-registry.js';
import { aPublisher, claimRequest, aViewer, dataOf, type TestPublisher } from '../../support/member.js';
import { streamIdOf } from '../../../server/streams/stream-id.js';

const streamId = streamIdOf('acme', 'main');
const VIEWERS = 5;

/** One thing that happens. `who` is the index of a viewer. */
type Step =
  | { readonly type: 'join' | 'leave' | 'reachable' | 'unreachable'; readonly who: number }
  | { readonly type: 'start' | 'end' | 'engine-lost' | 'publisher-lost' | 'publisher-resumes' | 'publisher-leaves' }
  | { readonly type: 'time'; readonly ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constantFrom('join', 'leave', 'reachable', 'unreachable'),
      who: fc.nat(VIEWERS - 1),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constantFrom('start', 'end', 'engine-lost', 'publisher-lost', 'publisher-resumes', 'publisher-leaves'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('time'), ms: fc.nat(12_000) }) },
);

describe('the viewer count', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }));
  afterEach(() => mock.timers.reset());

  it('is correct one second after any sequence of steps', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const engine = new EventEmitter<MediaEngineEvents>();
        const streams = new StreamRegistry(engine, { resumeWithinMs: 10_000, now: Date.now });
        // Receives the events, never counts, and keeps the stream registered.
        const observer = { ...aViewer(), reachable: false };
        streams.join(streamId, observer);

        const viewers = Array.from({ length: VIEWERS }, () => aViewer());
        const joined = new Set<number>();
        let publisher: TestPublisher | undefined;
        let flows = false;

        const releaseExpired = (publishing: TestPublisher | undefined): void => {
          if (publishing && publishing.leaseExpirations > 0) leave(publishing);
        };
        const leave = (leaving: TestPublisher): void => {
          if (publisher === leaving) publisher = undefined;
          flows = false;
          streams.release(streamId, leaving.id);
        };
        const act: Record<Step['type'], (step: never) => void> = {
          join: ({ who }: { who: number }) => {
            streams.join(streamId, viewers[who]!);
            joined.add(who);
          },
          leave: ({ who }: { who: number }) => {
            streams.leave(streamId, viewers[who]!);
            joined.delete(who);
          },
          reachable: ({ who }: { who: number }) => setReachable(who, true),
          unreachable: ({ who }: { who: number }) => setReachable(who, false),
          start: () => {
            if (!publisher) {
              publisher = aPublisher();
              streams.claim(streamId, publisher, claimRequest({ resumable: true }));
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
          'engine-lost': () => {
            for (const who of joined) streams.leave(streamId, viewers[who]!);
            joined.clear();
            losePublisher();
          },
          'publisher-lost': () => losePublisher(),
          'publisher-resumes': () => {
            if (!publisher) return;
            const resumed = aPublisher();
            assert.ok(streams.claim(streamId, resumed, claimRequest({ resumable: true, resumes: publisher.id })));
            publisher = resumed;
            flows = true;
            engine.emit('live', streamId, null, ['video']);
          },
          'publisher-leaves': () => {
            if (publisher) leave(publisher);
          },
          time: ({ ms }: { ms: number }) => mock.timers.tick(ms),
        };
        const setReachable = (who: number, reachable: boolean): void => {
          viewers[who]!.reachable = reachable;
          streams.reachabilityChanged(streamId, viewers[who]!);
        };
        const losePublisher = (): void => {
          if (!publisher || publisher.suspended) return;
          engine.emit('ended', streamId, null);
          publisher.suspended = true;
          streams.holdLease(streamId, publisher.id);
        };

        for (const one of steps) {
          act[one.type](one as never);
          releaseExpired(publisher);
        }
        mock.timers.tick(1_000);
        releaseExpired(publisher);
        mock.timers.tick(1_000);

        const counts = dataOf(observer, 'viewercount').map((data) => ('viewercount' in data ? data.viewercount : NaN));
        assert.ok(
          counts.every((count) => count >= 0 && count <= VIEWERS),
          counts.join(),
        );
        const isLive = flows && publisher !== undefined;
        const expected = isLive ? [...joined].filter((who) => viewers[who]!.reachable).length : 0;
        assert.equal(counts.at(-1), expected);
        streams.leave(streamId, observer);
      }),
      { numRuns: 500 },
    );
  });
});
