import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { Stream } from '../../../server/streams/stream.js';
import { aPublisher, aViewer, namesOf } from '../../support/member.js';

describe('Stream', () => {
  let stream: Stream;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    stream = new Stream('acme/main');
  });

  afterEach(() => {
    stream.close();
    mock.timers.reset();
  });

  it('gives its name to the first who claims it, and to nobody else', () => {
    const [first, second] = [aPublisher(), aPublisher()];
    assert.equal(stream.claim(first, null), true);
    assert.equal(stream.claim(second, null), false);
    assert.equal(stream.publisher, first);
    assert.deepEqual(first.stopped, []);
  });

  it('gives the name to whoever resumes the session that has it, and stops that session', () => {
    const [first, second] = [aPublisher(), aPublisher()];
    stream.claim(first, null);
    assert.equal(stream.claim(second, first.id), true);
    assert.equal(stream.publisher, second);
    assert.deepEqual(first.stopped, ['replaced']);
  });

  it('is not freed by a session that was replaced', () => {
    const [first, second] = [aPublisher(), aPublisher()];
    stream.claim(first, null);
    stream.claim(second, first.id);
    stream.release(first);
    assert.equal(stream.publisher, second);
  });

  it('tells a viewer who waited when it begins, and with which tracks', () => {
    const viewer = aViewer();
    stream.join(viewer);
    assert.deepEqual(namesOf(viewer).includes('active'), false);

    stream.begin(['audio', 'video']);
    assert.deepEqual(viewer.heard.at(-1), {
      name: 'active',
      data: {
        streamId: 'acme/main',
        sourceId: null,
        tracks: [
          { trackId: '1', media: 'audio' },
          { trackId: '0', media: 'video' },
        ],
      },
    });
  });

  it('tells a viewer who comes late that it is live', () => {
    stream.begin(['video']);
    const viewer = aViewer();
    stream.join(viewer);
    assert.equal(viewer.heard[0]?.name, 'active');
  });

  it('tells its viewers when it ends, once', () => {
    const viewer = aViewer();
    stream.join(viewer);
    stream.begin(['video']);
    stream.end();
    stream.end();
    assert.deepEqual(
      namesOf(viewer).filter((name) => name === 'inactive'),
      ['inactive'],
    );
    assert.equal(stream.live, false);
  });

  it('tells the publisher when the first viewer comes and when the last one leaves', () => {
    const publisher = aPublisher();
    stream.claim(publisher, null);
    stream.begin(['video']);
    const [one, two] = [aViewer(), aViewer()];
    stream.join(one);
    stream.join(two);
    stream.leave(one);
    stream.leave(two);
    assert.deepEqual(
      namesOf(publisher).filter((name) => name !== 'viewercount'),
      ['active', 'inactive'],
    );
  });

  it('tells a publisher whose viewers were waiting already', () => {
    const publisher = aPublisher();
    stream.join(aViewer());
    stream.claim(publisher, null);
    stream.begin(['video']);
    assert.deepEqual(namesOf(publisher), ['active', 'viewercount']);
  });

  it('counts its viewers to everybody, at once and then no more than once a second', () => {
    const publisher = aPublisher();
    stream.claim(publisher, null);
    const viewers = [aViewer(), aViewer(), aViewer()];
    for (const viewer of viewers) stream.join(viewer);
    const counts = () =>
      publisher.heard.flatMap((event) => (event.name === 'viewercount' ? [event.data.viewercount] : []));
    assert.deepEqual(counts(), [1]);

    mock.timers.tick(1000);
    assert.deepEqual(counts(), [1, 3]);

    mock.timers.tick(1000);
    assert.deepEqual(counts(), [1, 3]);
  });

  it('is deserted when nobody publishes and nobody watches', () => {
    const [publisher, viewer] = [aPublisher(), aViewer()];
    stream.claim(publisher, null);
    stream.join(viewer);
    stream.release(publisher);
    assert.equal(stream.deserted, false);
    stream.leave(viewer);
    assert.equal(stream.deserted, true);
  });
});
