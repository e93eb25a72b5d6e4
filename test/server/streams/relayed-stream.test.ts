import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { LayerState } from '../../../server/media/engine/media-figures.js';
import { Stream, type StreamNews } from '../../../server/streams/stream.js';
import { aPublisher, aViewer, claimRequest, dataOf, namesOf } from '../../support/member.js';
import { streamIdOf } from '../../../server/streams/stream-id.js';

const RESUME_WITHIN_MS = 10_000;
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

describe('a stream that another server has', () => {
  let stream: Stream;
  let elsewhere: number;
  let here: number[];
  let news: StreamNews[];

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 });
    elsewhere = 0;
    here = [];
    news = [];
    stream = new Stream(streamIdOf('acme', 'main'), {
      resumeWithinMs: RESUME_WITHIN_MS,
      now: Date.now,
      onNews: (one) => news.push(one),
      onViewersHere: (_streamId, viewers) => here.push(viewers),
      viewersElsewhere: () => elsewhere,
    });
    stream.beginRelay();
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

  it('is shown to those who wait and to those who join', () => {
    const waiting = joined();
    stream.mediaStarted(null, ['audio', 'video']);
    const late = joined();
    assert.equal(dataOf(waiting, 'active').length, 1);
    assert.equal(dataOf(late, 'active').length, 1);
  });

  it('has no publisher here, is not live here, and starts and ends nothing', () => {
    joined();
    stream.mediaStarted(null, ['audio', 'video']);
    stream.endRelayedExcept(new Set());
    assert.deepEqual([stream.state, stream.liveStatus, news], [{ live: false, publishers: [] }, undefined, []]);
  });

  it('passes on its tracks and its layers', () => {
    const viewer = joined();
    stream.mediaStarted(null, ['audio', 'video']);
    stream.mediaUpdated(null, ['audio']);
    stream.layersMeasured(null, [layer]);
    mock.timers.tick(50);
    assert.deepEqual([namesOf(viewer).includes('updated'), namesOf(viewer).at(-1)], [true, 'layers-measured']);
    const late = joined();
    assert.equal(namesOf(late).at(-1), 'layers-measured');
  });

  it('keeps its last picture while a relay is lost, and says only that it is interrupted', () => {
    const viewer = joined();
    stream.mediaStarted(null, ['audio', 'video']);
    const before = namesOf(viewer).length;
    stream.mediaEnded(null);
    stream.endRelay();
    mock.timers.tick(RESUME_WITHIN_MS - 1);
    stream.beginRelay();
    stream.mediaStarted(null, ['audio', 'video']);
    mock.timers.tick(RESUME_WITHIN_MS);
    const told = namesOf(viewer).slice(before);
    assert.deepEqual(
      told.filter((name) => name !== 'viewercount'),
      ['interrupted', 'interrupted'],
    );
    assert.deepEqual(dataOf(viewer, 'interrupted'), [
      { streamId: stream.id, sourceIds: [null] },
      { streamId: stream.id, sourceIds: [] },
    ]);
  });

  it('ends when it does not come again', () => {
    const viewer = joined();
    stream.mediaStarted(null, ['audio', 'video']);
    stream.mediaEnded(null);
    mock.timers.tick(RESUME_WITHIN_MS - 1);
    assert.equal(dataOf(viewer, 'inactive').length, 0);
    mock.timers.tick(1);
    assert.equal(dataOf(viewer, 'inactive').length, 1);
  });

  it('ends at once in the sources that its server ended', () => {
    const viewer = joined();
    stream.mediaStarted(null, ['audio', 'video']);
    stream.mediaStarted('cam1', ['video']);
    stream.endRelayedExcept(new Set(['cam1']));
    assert.deepEqual(
      dataOf(viewer, 'inactive').map((data) => ('sourceId' in data ? data.sourceId : undefined)),
      [null],
    );
  });

  it('goes on with a publisher who comes back here', () => {
    const viewer = joined();
    stream.mediaStarted(null, ['audio', 'video']);
    const publisher = aPublisher();
    assert.ok(stream.claim(publisher, claimRequest()));
    stream.mediaEnded(null);
    stream.endRelay();
    stream.mediaStarted(null, ['audio', 'video']);
    mock.timers.tick(RESUME_WITHIN_MS);
    assert.deepEqual([dataOf(viewer, 'inactive').length, stream.state.live], [0, true]);
  });

  it('has the viewers of all servers, and tells how many are here', () => {
    const viewer = joined();
    stream.mediaStarted(null, ['audio', 'video']);
    elsewhere = 4;
    stream.viewersElsewhereChanged();
    mock.timers.tick(1_000);
    const counts = dataOf(viewer, 'viewercount').map((data) => ('viewercount' in data ? data.viewercount : undefined));
    assert.deepEqual([counts.at(-1), here], [5, [1]]);
  });

  it('tells that nobody is here any more, however soon it is over', () => {
    const viewer = joined();
    stream.mediaStarted(null, ['audio', 'video']);
    stream.leave(viewer);
    stream.close();
    assert.deepEqual(here, [1, 0]);
  });

  it('ignores media that nobody relays', () => {
    stream.endRelay();
    const viewer = joined();
    stream.mediaStarted(null, ['audio', 'video']);
    assert.equal(dataOf(viewer, 'active').length, 0);
  });
});

describe('a stream that this server has, with viewers on others', () => {
  it('counts all of them, and is watched by any of them', () => {
    let elsewhere = 3;
    const news: string[] = [];
    const stream = new Stream(streamIdOf('acme', 'main'), {
      resumeWithinMs: RESUME_WITHIN_MS,
      now: Date.now,
      onNews: ({ name }) => news.push(name),
      viewersElsewhere: () => elsewhere,
    });
    stream.claim(aPublisher(), claimRequest());
    stream.mediaStarted(null, ['video']);
    assert.deepEqual([stream.liveStatus?.viewers, news], [3, ['started', 'watched']]);
    elsewhere = 0;
    stream.viewersElsewhereChanged();
    assert.deepEqual([stream.liveStatus?.viewers, news.at(-1)], [0, 'unwatched']);
    stream.close();
  });
});
