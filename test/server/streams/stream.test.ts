import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LayerState } from '../../../server/media/media-engine.js';
import { Stream } from '../../../server/streams/stream.js';
import { aPublisher, aWish, aViewer, dataOf, namesOf, type TestPublisher } from '../../support/member.js';

const RESUME_WITHIN_MS = 10_000;
const streamId = 'acme/main';
const BOTH = [
  { trackId: '1', media: 'audio' },
  { trackId: '0', media: 'video' },
];

const layer: LayerState = {
  encodingId: '0',
  simulcastIndex: 0,
  active: true,
  bitrate: 1_000_000,
  packets: 100,
  totalBytes: 125_000,
  width: 1280,
  height: 720,
};

describe('Stream', () => {
  let stream: Stream;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 });
    stream = new Stream(streamId, { resumeWithinMs: RESUME_WITHIN_MS, now: Date.now, onFault: assert.ifError });
  });

  afterEach(() => {
    stream.close();
    mock.timers.reset();
  });

  const joined = () => {
    const viewer = aViewer();
    stream.join(viewer);
    return viewer;
  };

  const claimed = (
    overrides: Parameters<typeof aPublisher>[0] = {},
    sourceId: string | null = null,
    resumable = false,
  ) => {
    const publisher = aPublisher(overrides);
    assert.ok(stream.claim(publisher, aWish({ sourceId, resumable })));
    return publisher;
  };

  /** As the session does that was lost. */
  const lose = (publisher: TestPublisher) => {
    publisher.suspended = true;
    stream.holdLease(publisher.id);
  };

  describe('a source', () => {
    it('is given to the first who claims it, and to nobody else', () => {
      const first = claimed();
      assert.equal(stream.claim(aPublisher(), aWish()), undefined);
      assert.equal(stream.sources.get(null)?.publisher, first);
      assert.deepEqual(first.stopped, []);
    });

    it('is the only one of its session', () => {
      const publisher = claimed();
      assert.throws(() => stream.claim(publisher, aWish({ sourceId: 'cam1' })), /has a source already/);
      assert.deepEqual([...stream.sources.keys()], [null]);
    });

    it('is one of many: another name for it is another source', () => {
      const main = claimed();
      const camera = claimed({}, 'cam1');
      assert.deepEqual(
        [...stream.sources].map(([sourceId, { publisher }]) => [sourceId, publisher]),
        [
          [null, main],
          ['cam1', camera],
        ],
      );
      assert.equal(stream.claim(aPublisher(), aWish({ sourceId: 'cam1' })), undefined);
    });

    it('is given to whoever resumes the session that has it, and that session is stopped', () => {
      const first = claimed();
      const second = aPublisher();
      assert.deepEqual(stream.claim(second, aWish({ resumes: first.id })), { before: first });
      assert.equal(stream.sources.get(null)?.publisher, second);
      assert.deepEqual(first.stopped, ['replaced']);
    });

    it('is not freed by a session that was replaced', () => {
      const first = claimed();
      const second = aPublisher();
      stream.claim(second, aWish({ resumes: first.id }));
      stream.release(first.id);
      assert.equal(stream.sources.get(null)?.publisher, second);
    });
  });

  describe('what viewers hear', () => {
    it('active, of who waited when it begins, and with which tracks', () => {
      const viewer = joined();
      claimed();
      assert.deepEqual(dataOf(viewer, 'active'), []);
      stream.mediaStarted(null, ['audio', 'video']);
      assert.deepEqual(dataOf(viewer, 'active'), [{ streamId, sourceId: null, tracks: BOTH }]);
    });

    it('everything that is true, of who comes late', () => {
      claimed();
      claimed({}, 'cam1');
      stream.mediaStarted(null, ['audio', 'video']);
      stream.mediaStarted('cam1', ['video']);
      stream.layersMeasured('cam1', [layer]);
      joined();
      const late = joined();
      assert.deepEqual(namesOf(late).slice(0, 4), ['active', 'active', 'viewercount', 'measured']);
      assert.deepEqual(dataOf(late, 'active'), [
        { streamId, sourceId: null, tracks: BOTH },
        { streamId, sourceId: 'cam1', tracks: [{ trackId: '0', media: 'video' }] },
      ]);
      assert.deepEqual(dataOf(late, 'viewercount')[0], { streamId, viewercount: 1, viewerCount: 1 });
    });

    it('the same objects, of who comes at the same time', () => {
      claimed();
      stream.mediaStarted(null, ['video']);
      const [one, two] = [
        { ...aViewer(), reachable: false },
        { ...aViewer(), reachable: false },
      ];
      stream.join(one);
      stream.join(two);
      assert.ok(one.heard[0] === two.heard[0]);
    });

    it('updated, when other tracks flow, and not when they are the same', () => {
      claimed();
      const viewer = joined();
      stream.mediaStarted(null, ['audio', 'video']);
      stream.mediaUpdated(null, ['video', 'audio']);
      stream.mediaUpdated(null, ['audio']);
      assert.deepEqual(dataOf(viewer, 'updated'), [
        { streamId, sourceId: null, tracks: [{ trackId: '1', media: 'audio' }] },
      ]);
    });

    it('nothing of a source that is not live', () => {
      const viewer = joined();
      claimed();
      stream.mediaUpdated(null, ['audio']);
      stream.layersMeasured(null, [layer]);
      stream.mediaStarted('nobody', ['video']);
      mock.timers.tick(1_000);
      assert.deepEqual(namesOf(viewer), ['viewercount']);
    });

    it('inactive of each source that ends, once', () => {
      const camera = claimed({}, 'cam1');
      const main = claimed();
      const viewer = joined();
      stream.mediaStarted('cam1', ['video']);
      stream.mediaStarted(null, ['video']);
      stream.mediaEnded('cam1');
      stream.release(camera.id);
      stream.mediaEnded('cam1');
      assert.deepEqual(dataOf(viewer, 'inactive'), [{ streamId, sourceId: 'cam1' }]);
      assert.equal(stream.state.live, true);
      stream.release(main.id);
      assert.deepEqual(dataOf(viewer, 'inactive')[1], { streamId, sourceId: null });
      assert.equal(stream.state.live, false);
    });

    it('the measures of all sources together', () => {
      claimed();
      claimed({}, 'cam1');
      const viewer = joined();
      stream.mediaStarted(null, ['video']);
      stream.mediaStarted('cam1', ['video']);
      stream.layersMeasured(null, [layer]);
      stream.layersMeasured('cam1', [layer, layer]);
      mock.timers.tick(100);
      const measured = viewer.heard.filter((news) => news.name === 'measured');
      assert.deepEqual(
        measured.map(({ layers }) => Array.from(layers)),
        [
          [
            [null, [layer]],
            ['cam1', [layer, layer]],
          ],
        ],
      );
    });

    it('that it goes on before how many watch, where a crowd is told both', async () => {
      claimed();
      const viewers = Array.from({ length: 1_200 }, joined);
      const last = viewers.at(-1)!;
      const hears = async (events: number) => {
        while (last.heard.length < events) await nextTurn();
      };
      stream.mediaStarted(null, ['video']);
      await hears(3);
      assert.deepEqual(namesOf(last), ['viewercount', 'active', 'viewercount']);
      mock.timers.tick(1_000);
      stream.mediaEnded(null);
      stream.mediaStarted(null, ['video']);
      await hears(6);
      assert.deepEqual(namesOf(last).slice(3), ['inactive', 'active', 'viewercount']);
      const numbers = last.heard.map(({ seq }) => seq);
      assert.deepEqual(
        numbers,
        [...new Set(numbers)].toSorted((a, b) => a - b),
      );
    });

    it('all of it under numbers that grow, over the end of the stream, too', () => {
      const publisher = claimed();
      const viewer = joined();
      stream.mediaStarted(null, ['video']);
      joined();
      stream.release(publisher.id);
      mock.timers.tick(1_000);
      const again = new Stream(streamId, { resumeWithinMs: 0, now: Date.now, onFault: assert.ifError });
      again.join(viewer);
      const numbers = viewer.heard.map(({ seq }) => seq);
      assert.ok(numbers.length > 5);
      assert.deepEqual(
        numbers,
        [...new Set(numbers)].toSorted((a, b) => a - b),
      );
      again.close();
    });
  });

  describe('its publishers', () => {
    it('hear when the first viewer comes and when the last one leaves', () => {
      const publisher = claimed();
      stream.mediaStarted(null, ['video']);
      const [one, two] = [joined(), joined()];
      stream.leave(one);
      assert.deepEqual(dataOf(publisher, 'inactive'), []);
      stream.leave(two);
      assert.deepEqual(
        namesOf(publisher).filter((name) => name !== 'viewercount'),
        ['active', 'inactive'],
      );
    });

    it('hear of viewers who were waiting already', () => {
      const publisher = claimed();
      joined();
      stream.mediaStarted(null, ['video']);
      assert.deepEqual(namesOf(publisher), ['active', 'viewercount']);
    });

    it('hear the count when they come', () => {
      claimed();
      stream.mediaStarted(null, ['video']);
      joined();
      const camera = claimed({}, 'cam1');
      stream.sendSnapshot(camera);
      assert.deepEqual(dataOf(camera, 'viewercount'), [{ streamId, viewercount: 1, viewerCount: 1 }]);
    });
  });

  describe('its count', () => {
    const countsOf = (member: TestPublisher) =>
      dataOf(member, 'viewercount').map((data) => ('viewercount' in data ? data.viewercount : undefined));

    it('is told at once, and then no more than once a second', () => {
      const publisher = claimed();
      stream.mediaStarted(null, ['video']);
      joined();
      joined();
      joined();
      assert.deepEqual(countsOf(publisher), [1]);
      mock.timers.tick(1000);
      assert.deepEqual(countsOf(publisher), [1, 3]);
      mock.timers.tick(1000);
      assert.deepEqual(countsOf(publisher), [1, 3]);
    });

    it('counts whom media gets through to, while there is any', () => {
      const publisher = claimed();
      const viewer = joined();
      const told = () => {
        mock.timers.tick(1000);
        return countsOf(publisher).at(-1);
      };
      assert.equal(told(), undefined);
      stream.mediaStarted(null, ['video']);
      assert.equal(told(), 1);
      viewer.reachable = false;
      stream.reachabilityChanged(viewer);
      assert.equal(told(), 0);
      viewer.reachable = true;
      stream.reachabilityChanged(viewer);
      stream.reachabilityChanged(viewer);
      assert.equal(told(), 1);
      stream.mediaEnded(null);
      assert.equal(told(), 0);
    });

    it('is not changed by somebody who is not here', () => {
      const publisher = claimed();
      stream.mediaStarted(null, ['video']);
      const stranger = aViewer();
      stream.reachabilityChanged(stranger);
      stream.leave(stranger);
      mock.timers.tick(1000);
      assert.deepEqual(countsOf(publisher), []);
    });
  });

  describe('a broadcaster who was lost and can come back', () => {
    let publisher: TestPublisher;
    let viewer: ReturnType<typeof joined>;

    beforeEach(() => {
      publisher = claimed({}, null, true);
      viewer = joined();
      stream.mediaStarted(null, ['audio', 'video']);
      stream.mediaEnded(null);
      lose(publisher);
    });

    it('keeps his place: viewers hear nothing, and nobody else gets it', () => {
      mock.timers.tick(RESUME_WITHIN_MS - 1);
      assert.deepEqual(dataOf(viewer, 'inactive'), []);
      assert.equal(stream.state.live, true);
      assert.equal(publisher.lapses, 0);
      assert.equal(stream.claim(aPublisher(), aWish()), undefined);
    });

    it('tells until when', () => {
      mock.timers.tick(4_000);
      assert.equal(stream.sources.get(null)?.leaseExpiresAt, Date.now() + RESUME_WITHIN_MS - 4_000);
    });

    it('has lost it when he does not come in time', () => {
      mock.timers.tick(RESUME_WITHIN_MS);
      assert.equal(publisher.lapses, 1);
      stream.release(publisher.id);
      assert.deepEqual(dataOf(viewer, 'inactive'), [{ streamId, sourceId: null }]);
      assert.ok(stream.claim(aPublisher(), aWish()));
    });

    it('goes on as if nothing had been, when his media flows again', () => {
      const back = aPublisher();
      stream.claim(back, aWish({ resumable: true, resumes: publisher.id }));
      mock.timers.tick(RESUME_WITHIN_MS - 1);
      stream.mediaStarted(null, ['video', 'audio']);
      mock.timers.tick(2 * RESUME_WITHIN_MS);
      assert.deepEqual(dataOf(viewer, 'active').length, 1);
      assert.deepEqual(dataOf(viewer, 'updated'), []);
      assert.deepEqual(dataOf(viewer, 'inactive'), []);
      assert.equal(stream.state.live, true);
    });

    it('is told apart when he comes back with other tracks', () => {
      stream.claim(aPublisher(), aWish({ resumable: true, resumes: publisher.id }));
      stream.mediaStarted(null, ['video']);
      assert.deepEqual(dataOf(viewer, 'updated'), [
        { streamId, sourceId: null, tracks: [{ trackId: '0', media: 'video' }] },
      ]);
    });

    it('keeps nobody waiting when he comes back and sends nothing', () => {
      const back = aPublisher();
      stream.claim(back, aWish({ resumable: true, resumes: publisher.id }));
      mock.timers.tick(RESUME_WITHIN_MS);
      assert.deepEqual(dataOf(viewer, 'inactive'), [{ streamId, sourceId: null }]);
      assert.equal(back.lapses, 0);
      stream.mediaStarted(null, ['video']);
      assert.equal(dataOf(viewer, 'active').length, 2);
    });

    it('has the whole time again when he is lost again', () => {
      const back = aPublisher();
      stream.claim(back, aWish({ resumable: true, resumes: publisher.id }));
      mock.timers.tick(6_000);
      back.suspended = true;
      stream.holdLease(back.id);
      mock.timers.tick(6_000);
      assert.equal(back.lapses, 0);
      mock.timers.tick(4_000);
      assert.equal(back.lapses, 1);
    });
  });

  it('says inactive at once of a broadcaster who cannot come back', () => {
    claimed();
    const viewer = joined();
    stream.mediaStarted(null, ['video']);
    stream.mediaEnded(null);
    assert.deepEqual(dataOf(viewer, 'inactive'), [{ streamId, sourceId: null }]);
  });

  it('is deserted when nobody publishes and nobody watches', () => {
    const publisher = claimed();
    const viewer = joined();
    stream.release(publisher.id);
    assert.equal(stream.isEmpty, false);
    stream.leave(viewer);
    assert.equal(stream.isEmpty, true);
  });
});
