import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LayerState, ReceptionState } from '../../../server/media/engine/media-figures.js';
import { Stream } from '../../../server/streams/stream.js';
import { aPublisher, claimRequest, aViewer, dataOf, namesOf, type TestPublisher } from '../../support/member.js';
import { streamIdOf } from '../../../server/streams/stream-id.js';

const RESUME_WITHIN_MS = 10_000;
const streamId = streamIdOf('acme', 'main');
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

const reception = (packets: number): ReceptionState => ({
  packets,
  lost: 0,
  shed: 0,
  jitterMs: 0,
  bitrate: 0,
  codecs: {},
});

describe('Stream', () => {
  let stream: Stream;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 });
    stream = new Stream(streamId, { resumeWithinMs: RESUME_WITHIN_MS, now: Date.now });
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
    assert.ok(stream.claim(publisher, claimRequest({ sourceId, resumable })));
    return publisher;
  };

  /** What the session of a lost publisher does. */
  const lose = (publisher: TestPublisher) => {
    publisher.suspended = true;
    stream.holdLease(publisher.id);
  };

  describe('a source', () => {
    it('goes to the first session that claims it, and to no other', () => {
      const first = claimed();
      assert.equal(stream.claim(aPublisher(), claimRequest()), undefined);
      assert.equal(stream.sources.get(null)?.publisher, first);
      assert.deepEqual(first.stopped, []);
    });

    it('is the only source of its session', () => {
      const publisher = claimed();
      assert.throws(() => stream.claim(publisher, claimRequest({ sourceId: 'cam1' })), /has a source already/);
      assert.deepEqual([...stream.sources.keys()], [null]);
    });

    it('is told apart from other sources by its id', () => {
      const main = claimed();
      const camera = claimed({}, 'cam1');
      assert.deepEqual(
        [...stream.sources].map(([sourceId, { publisher }]) => [sourceId, publisher]),
        [
          [null, main],
          ['cam1', camera],
        ],
      );
      assert.equal(stream.claim(aPublisher(), claimRequest({ sourceId: 'cam1' })), undefined);
    });

    it('goes to the session that resumes its publisher, which is then stopped', () => {
      const first = claimed();
      const second = aPublisher();
      assert.deepEqual(stream.claim(second, claimRequest({ resumes: first.id })), { previous: first });
      assert.equal(stream.sources.get(null)?.publisher, second);
      assert.deepEqual(first.stopped, ['replaced']);
    });

    it('is not released by a session that was replaced', () => {
      const first = claimed();
      const second = aPublisher();
      stream.claim(second, claimRequest({ resumes: first.id }));
      stream.release(first.id);
      assert.equal(stream.sources.get(null)?.publisher, second);
    });
  });

  describe('a live source whose media stops', () => {
    let viewer: ReturnType<typeof joined>;
    const interrupted = () => dataOf(viewer, 'interrupted').map((data) => 'sourceIds' in data && data.sourceIds);
    const hear = (...packets: number[]) => {
      for (const heard of packets) stream.receptionMeasured(null, reception(heard));
    };

    beforeEach(() => {
      viewer = joined();
    });

    it('is interrupted after two seconds without any packet, until one comes', () => {
      claimed({}, null, true);
      stream.mediaStarted(null, ['audio', 'video']);
      hear(50, 0, 50, 0);
      assert.deepEqual(interrupted(), []);
      hear(0, 0, 0);
      assert.deepEqual(interrupted(), [[null]]);
      hear(1);
      assert.deepEqual(interrupted(), [[null], []]);
    });

    it('is interrupted after one second when its publisher is lost, and not while its media goes on', () => {
      const publisher = claimed({}, null, true);
      stream.mediaStarted(null, ['audio', 'video']);
      hear(50);
      lose(publisher);
      hear(50);
      assert.deepEqual(interrupted(), []);
      hear(0);
      assert.deepEqual(interrupted(), [[null]]);
    });

    it('is interrupted a second after its media ended, if it may resume', () => {
      claimed({}, null, true);
      claimed({}, 'cam1');
      stream.mediaStarted(null, ['audio', 'video']);
      stream.mediaStarted('cam1', ['video']);
      stream.mediaEnded(null);
      assert.deepEqual(interrupted(), []);
      mock.timers.tick(1_000);
      assert.deepEqual(interrupted(), [[null]]);
      mock.timers.tick(RESUME_WITHIN_MS);
      assert.deepEqual([interrupted(), dataOf(viewer, 'inactive')], [[[null], []], [{ streamId, sourceId: null }]]);
    });

    it('says whether the broadcaster ended it', () => {
      const publisher = claimed({}, null, true);
      stream.mediaStarted(null, ['audio', 'video']);
      stream.release(publisher.id, true);
      assert.deepEqual(dataOf(viewer, 'inactive'), [{ streamId, sourceId: null, declared: true, endedOn: 1_000_000 }]);
    });
  });

  describe('viewers receive', () => {
    it('active with the tracks when the stream starts while they wait', () => {
      const viewer = joined();
      claimed();
      assert.deepEqual(dataOf(viewer, 'active'), []);
      stream.mediaStarted(null, ['audio', 'video']);
      assert.deepEqual(dataOf(viewer, 'active'), [{ streamId, sourceId: null, tracks: BOTH }]);
    });

    it('everything that is true of the stream when they join later', () => {
      claimed();
      claimed({}, 'cam1');
      stream.mediaStarted(null, ['audio', 'video']);
      stream.mediaStarted('cam1', ['video']);
      stream.layersMeasured('cam1', [layer]);
      joined();
      const late = joined();
      assert.deepEqual(namesOf(late).slice(0, 4), ['active', 'active', 'viewercount', 'layers-measured']);
      assert.deepEqual(dataOf(late, 'active'), [
        { streamId, sourceId: null, tracks: BOTH },
        { streamId, sourceId: 'cam1', tracks: [{ trackId: '0', media: 'video' }] },
      ]);
      assert.deepEqual(dataOf(late, 'viewercount')[0], { streamId, viewercount: 1, viewerCount: 1 });
    });

    it('the same event objects when they join between two changes', () => {
      claimed();
      stream.mediaStarted(null, ['video']);
      const [one, two] = [
        { ...aViewer(), reachable: false },
        { ...aViewer(), reachable: false },
      ];
      stream.join(one);
      stream.join(two);
      assert.ok(one.received[0] === two.received[0]);
    });

    it('updated when the tracks change, and nothing when they stay the same', () => {
      claimed();
      const viewer = joined();
      stream.mediaStarted(null, ['audio', 'video']);
      stream.mediaUpdated(null, ['video', 'audio']);
      stream.mediaUpdated(null, ['audio']);
      assert.deepEqual(dataOf(viewer, 'updated'), [
        { streamId, sourceId: null, tracks: [{ trackId: '1', media: 'audio' }] },
      ]);
    });

    it('nothing about a source that is not live', () => {
      const viewer = joined();
      claimed();
      stream.mediaUpdated(null, ['audio']);
      stream.layersMeasured(null, [layer]);
      stream.mediaStarted('nobody', ['video']);
      mock.timers.tick(1_000);
      assert.deepEqual(namesOf(viewer), ['viewercount']);
    });

    it('inactive once for each source that ends', () => {
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

    it('the layers of all sources in one event', () => {
      claimed();
      claimed({}, 'cam1');
      const viewer = joined();
      stream.mediaStarted(null, ['video']);
      stream.mediaStarted('cam1', ['video']);
      stream.layersMeasured(null, [layer]);
      stream.layersMeasured('cam1', [layer, layer]);
      mock.timers.tick(100);
      const measured = viewer.received.filter((event) => event.name === 'layers-measured');
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

    it('active before the viewer count when there are many of them', async () => {
      claimed();
      const viewers = Array.from({ length: 1_200 }, joined);
      const last = viewers.at(-1)!;
      const receivedBy = async (events: number) => {
        while (last.received.length < events) await nextTurn();
      };
      stream.mediaStarted(null, ['video']);
      await receivedBy(3);
      assert.deepEqual(namesOf(last), ['viewercount', 'active', 'viewercount']);
      mock.timers.tick(1_000);
      stream.mediaEnded(null);
      stream.mediaStarted(null, ['video']);
      await receivedBy(6);
      assert.deepEqual(namesOf(last).slice(3), ['inactive', 'active', 'viewercount']);
      const numbers = last.received.map(({ seq }) => seq);
      assert.deepEqual(
        numbers,
        [...new Set(numbers)].toSorted((a, b) => a - b),
      );
    });

    it('sequence numbers that grow, also when the stream is created anew', () => {
      const publisher = claimed();
      const viewer = joined();
      stream.mediaStarted(null, ['video']);
      joined();
      stream.release(publisher.id);
      mock.timers.tick(1_000);
      const again = new Stream(streamId, { resumeWithinMs: 0, now: Date.now });
      again.join(viewer);
      const numbers = viewer.received.map(({ seq }) => seq);
      assert.ok(numbers.length > 5);
      assert.deepEqual(
        numbers,
        [...new Set(numbers)].toSorted((a, b) => a - b),
      );
      again.close();
    });
  });

  describe('publishers receive', () => {
    it('active when the first viewer joins and inactive when the last one leaves', () => {
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

    it('active at once when viewers were waiting', () => {
      const publisher = claimed();
      joined();
      stream.mediaStarted(null, ['video']);
      assert.deepEqual(namesOf(publisher), ['active', 'viewercount']);
    });

    it('the viewer count when they start', () => {
      claimed();
      stream.mediaStarted(null, ['video']);
      joined();
      const camera = claimed({}, 'cam1');
      stream.sendSnapshot(camera);
      assert.deepEqual(dataOf(camera, 'viewercount'), [{ streamId, viewercount: 1, viewerCount: 1 }]);
    });
  });

  describe('the viewer count', () => {
    const countsOf = (member: TestPublisher) =>
      dataOf(member, 'viewercount').map((data) => ('viewercount' in data ? data.viewercount : undefined));

    it('is sent at once, and then at most once a second', () => {
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

    it('is the number of viewers that media reaches while the stream is live', () => {
      const publisher = claimed();
      const viewer = joined();
      const countAfterASecond = () => {
        mock.timers.tick(1000);
        return countsOf(publisher).at(-1);
      };
      assert.equal(countAfterASecond(), undefined);
      stream.mediaStarted(null, ['video']);
      assert.equal(countAfterASecond(), 1);
      viewer.reachable = false;
      stream.reachabilityChanged(viewer);
      assert.equal(countAfterASecond(), 0);
      viewer.reachable = true;
      stream.reachabilityChanged(viewer);
      stream.reachabilityChanged(viewer);
      assert.equal(countAfterASecond(), 1);
      stream.mediaEnded(null);
      assert.equal(countAfterASecond(), 0);
    });

    it('ignores a viewer that is not on the stream', () => {
      const publisher = claimed();
      stream.mediaStarted(null, ['video']);
      const otherViewer = aViewer();
      stream.reachabilityChanged(otherViewer);
      stream.leave(otherViewer);
      mock.timers.tick(1000);
      assert.deepEqual(countsOf(publisher), []);
    });
  });

  describe('a lost publisher that can resume', () => {
    let publisher: TestPublisher;
    let viewer: ReturnType<typeof joined>;

    beforeEach(() => {
      publisher = claimed({}, null, true);
      viewer = joined();
      stream.mediaStarted(null, ['audio', 'video']);
      stream.mediaEnded(null);
      lose(publisher);
    });

    it('keeps its source: viewers receive nothing and no other session can claim it', () => {
      mock.timers.tick(RESUME_WITHIN_MS - 1);
      assert.deepEqual(dataOf(viewer, 'inactive'), []);
      assert.equal(stream.state.live, true);
      assert.equal(publisher.leaseExpirations, 0);
      assert.equal(stream.claim(aPublisher(), claimRequest()), undefined);
    });

    it('is interrupted for viewers after a second where nobody measures its media, also for those who come then', () => {
      mock.timers.tick(999);
      assert.deepEqual(dataOf(viewer, 'interrupted'), []);
      mock.timers.tick(1);
      const interrupted = [{ streamId, sourceIds: [null] }];
      assert.deepEqual(dataOf(viewer, 'interrupted'), interrupted);
      assert.deepEqual(dataOf(joined(), 'interrupted'), interrupted);
      stream.mediaStarted(null, ['audio', 'video']);
      assert.deepEqual(dataOf(viewer, 'interrupted').at(-1), { streamId, sourceIds: [] });
      assert.deepEqual(dataOf(joined(), 'interrupted'), []);
    });

    it('has a lease with an end', () => {
      mock.timers.tick(4_000);
      assert.equal(stream.sources.get(null)?.leaseExpiresAt, Date.now() + RESUME_WITHIN_MS - 4_000);
    });

    it('loses its source when it does not resume within the lease', () => {
      mock.timers.tick(RESUME_WITHIN_MS);
      assert.equal(publisher.leaseExpirations, 1);
      stream.release(publisher.id);
      assert.deepEqual(dataOf(viewer, 'inactive'), [{ streamId, sourceId: null }]);
      assert.ok(stream.claim(aPublisher(), claimRequest()));
    });

    it('continues without an event for viewers when its media flows again', () => {
      const resumed = aPublisher();
      stream.claim(resumed, claimRequest({ resumable: true, resumes: publisher.id }));
      mock.timers.tick(RESUME_WITHIN_MS - 1);
      stream.mediaStarted(null, ['video', 'audio']);
      mock.timers.tick(2 * RESUME_WITHIN_MS);
      assert.deepEqual(dataOf(viewer, 'active').length, 1);
      assert.deepEqual(dataOf(viewer, 'updated'), []);
      assert.deepEqual(dataOf(viewer, 'inactive'), []);
      assert.equal(stream.state.live, true);
    });

    it('causes updated when it resumes with other tracks', () => {
      stream.claim(aPublisher(), claimRequest({ resumable: true, resumes: publisher.id }));
      stream.mediaStarted(null, ['video']);
      assert.deepEqual(dataOf(viewer, 'updated'), [
        { streamId, sourceId: null, tracks: [{ trackId: '0', media: 'video' }] },
      ]);
    });

    it('loses the stream when it resumes and sends no media within the lease', () => {
      const resumed = aPublisher();
      stream.claim(resumed, claimRequest({ resumable: true, resumes: publisher.id }));
      mock.timers.tick(RESUME_WITHIN_MS);
      assert.deepEqual(dataOf(viewer, 'inactive'), [{ streamId, sourceId: null }]);
      assert.equal(resumed.leaseExpirations, 0);
      stream.mediaStarted(null, ['video']);
      assert.equal(dataOf(viewer, 'active').length, 2);
    });

    it('gets a new lease when it is lost again', () => {
      const resumed = aPublisher();
      stream.claim(resumed, claimRequest({ resumable: true, resumes: publisher.id }));
      mock.timers.tick(6_000);
      resumed.suspended = true;
      stream.holdLease(resumed.id);
      mock.timers.tick(6_000);
      assert.equal(resumed.leaseExpirations, 0);
      mock.timers.tick(4_000);
      assert.equal(resumed.leaseExpirations, 1);
    });
  });

  it('sends inactive at once when the media of a publisher ends that cannot resume', () => {
    claimed();
    const viewer = joined();
    stream.mediaStarted(null, ['video']);
    stream.mediaEnded(null);
    assert.deepEqual(dataOf(viewer, 'inactive'), [{ streamId, sourceId: null }]);
  });

  it('is empty when it has neither publishers nor viewers', () => {
    const publisher = claimed();
    const viewer = joined();
    stream.release(publisher.id);
    assert.equal(stream.isEmpty, false);
    stream.leave(viewer);
    assert.equal(stream.isEmpty, true);
  });
});
