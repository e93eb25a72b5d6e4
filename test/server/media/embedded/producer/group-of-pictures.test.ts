import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { GroupOfPictures } from '../../../../../server/media/embedded/producer/group-of-pictures.js';

describe('a group of pictures', () => {
  let group: GroupOfPictures;
  beforeEach(() => {
    group = new GroupOfPictures();
  });
  const add = (...sequences: number[]) => {
    for (const sequence of sequences) group.add(Buffer.from([sequence & 0xff]), sequence);
  };

  it('has the packets since the newest keyframe', () => {
    group.begin(7);
    add(7, 8, 9);
    assert.deepEqual([group.first, group.last, group.find(8)?.[0], group.find(10)], [7, 9, 8, undefined]);
    group.begin(10);
    add(10);
    assert.deepEqual([group.first, group.last, group.find(9)], [10, 10, undefined]);
  });

  it('is not known before the first keyframe', () => {
    add(1, 2);
    assert.equal(group.first, undefined);
  });

  it('has the packets that come late, and none in place of those that are lost', () => {
    group.begin(1);
    add(1, 4, 3);
    assert.deepEqual([group.first, group.last, group.find(3)?.[0], group.find(2)], [1, 4, 3, undefined]);
  });

  it('has the packets of a keyframe that came before its first one', () => {
    group.begin(1);
    add(1, 2, 5);
    group.begin(4);
    add(4, 3);
    assert.deepEqual([group.first, group.last, group.find(5)?.[0], group.find(3)], [4, 5, 5, undefined]);
  });

  it('is forgotten with a wide gap, until the next keyframe', () => {
    group.begin(1);
    add(1, 2_000, 2_001);
    assert.deepEqual([group.first, group.find(2_001)], [undefined, undefined]);
    group.begin(2_002);
    add(2_002);
    assert.equal(group.first, 2_002);
  });

  it('is forgotten when it is too large', () => {
    group.begin(0);
    const packet = Buffer.alloc(1_200);
    for (let sequence = 0; sequence < 30_000; sequence++) group.add(packet, sequence);
    assert.equal(group.first, undefined);
  });
});
