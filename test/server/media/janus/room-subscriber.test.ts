import assert from 'node:assert/strict';
import { it } from 'node:test';
import { switches } from '../../../../server/media/janus/room-subscriber.js';
import type { Feed } from '../../../../server/media/janus/video-room.js';

const TRACKS = [
  { kind: 'audio', codec: 'opus', mid: 'a' },
  { kind: 'video', codec: 'vp8', mid: 'v' },
  { kind: 'video', codec: 'h264', mid: 'h' },
] as const;
const DUMMY: Feed = { id: 1, tracks: TRACKS };
const VP8: Feed = {
  id: 2,
  tracks: [
    { ...TRACKS[0], mid: '0' },
    { ...TRACKS[1], mid: '1' },
  ],
};
const H264: Feed = { id: 3, tracks: [{ ...TRACKS[2], mid: '0' }] };

it('shows a publisher on the m-lines of its codecs', () => {
  assert.deepEqual(switches(TRACKS, DUMMY, VP8, DUMMY), [
    { feed: 2, mid: '0', sub_mid: 'a' },
    { feed: 2, mid: '1', sub_mid: 'v' },
  ]);
});

it('gives the m-lines that the next publisher does not use back to the dummy publisher', () => {
  assert.deepEqual(switches(TRACKS, VP8, H264, DUMMY), [
    { feed: 1, mid: 'a', sub_mid: 'a' },
    { feed: 1, mid: 'v', sub_mid: 'v' },
    { feed: 3, mid: '0', sub_mid: 'h' },
  ]);
});

it('gives all m-lines of a publisher who left back to the dummy publisher, and no others', () => {
  assert.deepEqual(switches(TRACKS, VP8, DUMMY, DUMMY), [
    { feed: 1, mid: 'a', sub_mid: 'a' },
    { feed: 1, mid: 'v', sub_mid: 'v' },
  ]);
});
