import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { RouterRegistry } from '../../../../../server/media/embedded/stream/router-registry.js';

const NO_EVENTS = {
  onLive: () => {},
  onUpdated: () => {},
  onEnded: () => {},
  onLayers: () => {},
  onReception: () => {},
};

describe('RouterRegistry', () => {
  let events: string[];
  let registry: RouterRegistry;

  beforeEach(() => {
    events = [];
    registry = new RouterRegistry({
      eventsOf: () => NO_EVENTS,
      onFirst: () => events.push('first'),
      onEmpty: () => events.push('empty'),
    });
  });

  it('keeps one router for a stream until its last handle is released', () => {
    const [one, other] = [registry.acquire('s'), registry.acquire('s')];
    assert.equal(one.router, other.router);
    one.release();
    assert.equal(registry.find('s'), other.router);
    other.release();
    assert.equal(registry.find('s'), undefined);
  });

  it('creates a new router after the last handle was released', () => {
    const before = registry.acquire('s');
    before.release();
    assert.notEqual(registry.acquire('s').router, before.router);
  });

  it('reports the first router and the removal of the last', () => {
    const handles = ['a', 'b', 'a'].map((stream) => registry.acquire(stream));
    assert.deepEqual([events, registry.size], [['first'], 2]);
    for (const handle of handles) handle.release();
    assert.deepEqual([events, registry.size], [['first', 'empty'], 0]);
  });
});
