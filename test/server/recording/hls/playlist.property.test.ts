import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { mediaPlaylist } from '../../../../server/recording/hls/playlist.js';
import { endsBefore, hasSegments, segmentedParts, SEGMENT_MS } from '../../../../server/recording/hls/segments.js';
import type { PartGroup } from '../../../../server/recording/recorder.js';
import type { RewindPart } from '../../../../server/recording/rewind-source.js';
import { aPart } from '../../../support/rewind-recording.js';

const group = fc.record({
  bytes: fc.integer({ min: 1, max: 9_000 }),
  ms: fc.integer({ min: 1, max: 7_000 }),
  // With a keyframe of the size before, with one of another size, or without any.
  start: fc.constantFrom({}, {}, { isResized: true as const }, { isSound: true as const }),
});
/** Each part as its groups. A part begins with a keyframe. */
const part = fc
  .array(group, { minLength: 1, maxLength: 12 })
  .map((groups) => groups.with(0, Object.assign({}, groups[0], { start: {} })));
const broadcast = fc.array(part, { minLength: 1, maxLength: 4 });
type PlannedGroup = Omit<PartGroup, 'position' | 'timestampMs'>;
type Broadcast = readonly (readonly { readonly bytes: number; readonly ms: number; readonly start: PlannedGroup }[])[];

const STARTED = Date.parse('2030-01-01T00:00:00Z');

/** The parts as they were when so many groups had begun, in all of them. */
function partsAt(all: Broadcast, begun: number): RewindPart[] {
  let left = begun;
  return all.flatMap((planned, index) => {
    const groups: PartGroup[] = [];
    let [position, timestampMs] = [100, 0];
    for (const { bytes, ms, start } of planned.slice(0, left)) {
      groups.push({ ...start, position, timestampMs });
      position += bytes;
      timestampMs += ms;
    }
    left = Math.max(0, left - planned.length);
    const isOpen = left === 0;
    const startsAt = STARTED + index * 600_000;
    const part = aPart({ id: String(index + 1), startsAt, groups, isOpen, bytes: position, durationMs: timestampMs });
    return groups.length > 0 ? [part] : [];
  });
}

const closed = (parts: readonly RewindPart[]) => parts.map((part) => ({ ...part, isOpen: false }));
const playlistOf = (parts: readonly RewindPart[], isOpen: boolean) =>
  mediaPlaylist(segmentedParts({ parts }), { isOpen: isOpen && !endsBefore({ parts }) });
/** Without what may change: the head. */
const entries = (playlist: string): string[] =>
  playlist
    .split('\n')
    .slice(6)
    .filter((line) => line !== '');
const total = (all: Broadcast) => all.reduce((sum, groups) => sum + groups.length, 0);

describe('the playlist of a recording', () => {
  it('is known to have so many segments without listing them', () => {
    fc.assert(
      fc.property(broadcast, fc.nat(), fc.integer({ min: 1, max: 8 }), (all, begun, count) => {
        const parts = partsAt(all, begun % (total(all) + 1));
        const listed = segmentedParts({ parts }).reduce((sum, { segments }) => sum + segments.length, 0);
        assert.equal(hasSegments({ parts }, count), listed >= count);
      }),
    );
  });

  it('never changes what it listed, while more is recorded and when the recording ends', () => {
    fc.assert(
      fc.property(broadcast, (all) => {
        let before: string[] = [];
        for (let begun = 1; begun <= total(all); begun += 1) {
          const now = entries(playlistOf(partsAt(all, begun), true));
          assert.deepEqual(now.slice(0, before.length), before);
          before = now;
        }
        const ended = entries(playlistOf(closed(partsAt(all, total(all))), false));
        assert.deepEqual(ended.slice(0, before.length), before);
        assert.equal(ended.at(-1), '#EXT-X-ENDLIST');
      }),
    );
  });

  it('lists every byte and every millisecond of a recording that has ended once, in order', () => {
    fc.assert(
      fc.property(broadcast, (all) => {
        let offset = 0;
        const parts = segmentedParts({ parts: closed(partsAt(all, total(all))) });
        assert.equal(parts.length, all.length);
        for (const { part, segments, offsetMs } of parts) {
          assert.equal(offsetMs, offset);
          assert.equal(segments[0]!.from, part.groups[0]!.position);
          assert.equal(segments.at(-1)!.to, part.bytes);
          for (const [index, segment] of segments.slice(1).entries()) assert.equal(segment.from, segments[index]!.to);
          const sum = segments.reduce((ms, { durationMs }) => ms + durationMs, 0);
          assert.equal(sum, part.durationMs);
          offset += sum;
        }
      }),
    );
  });

  it('has segments of at least two seconds, except the last of a part and of a size', () => {
    fc.assert(
      fc.property(broadcast, (all) => {
        for (const { segments } of segmentedParts({ parts: closed(partsAt(all, total(all))) })) {
          for (const [index, { durationMs, initAt }] of segments.entries()) {
            const isLast = segments[index + 1]?.initAt !== initAt;
            assert.equal(durationMs >= SEGMENT_MS || isLast, true);
          }
        }
      }),
    );
  });

  it('has one size in a segment, with the initialization segment of its first keyframe', () => {
    fc.assert(
      fc.property(broadcast, (all) => {
        for (const { part, segments } of segmentedParts({ parts: closed(partsAt(all, total(all))) })) {
          for (const { from, to, initAt } of segments) {
            const sizes = part.groups.filter(({ isResized }, index) => index === 0 || isResized);
            assert.equal(initAt, sizes.findLast(({ position }) => position <= from)!.position);
            assert.equal(sizes.filter(({ position }) => position > from && position < to).length, 0);
          }
        }
      }),
    );
  });

  it('shows the latest keyframe at the start of a segment that has none there', () => {
    fc.assert(
      fc.property(broadcast, (all) => {
        for (const { part, segments } of segmentedParts({ parts: closed(partsAt(all, total(all))) })) {
          for (const { from, keyframeAt } of segments) {
            const latest = part.groups.findLast(({ position, isSound }) => position <= from && !isSound)!.position;
            assert.equal(keyframeAt ?? from, latest);
          }
        }
      }),
    );
  });

  it('names no duration longer than its target duration, as RFC 8216 requires', () => {
    fc.assert(
      fc.property(broadcast, (all) => {
        const playlist = playlistOf(closed(partsAt(all, total(all))), false);
        const target = Number(/TARGETDURATION:(\d+)/.exec(playlist)![1]);
        for (const [, seconds] of playlist.matchAll(/EXTINF:([\d.]+),/g)) {
          assert.equal(Math.round(Number(seconds)) <= target, true);
        }
      }),
    );
  });
});

describe('the playlist of the end of a recording', () => {
  /** Each segment with its number, the discontinuities before it, and its initialization segment. */
  const numbered = (playlist: string) => {
    let number = Number(/MEDIA-SEQUENCE:(\d+)/.exec(playlist)![1]);
    let discontinuities = Number(/DISCONTINUITY-SEQUENCE:(\d+)/.exec(playlist)?.[1] ?? 0);
    let init: string | undefined;
    return entries(playlist).flatMap((line) => {
      if (line === '#EXT-X-DISCONTINUITY') discontinuities += 1;
      init = /MAP:URI="(.+)"/.exec(line)?.[1] ?? init;
      return line.startsWith('#') ? [] : [{ number: number++, file: line, discontinuities, init }];
    });
  };
  const endOf = (parts: readonly RewindPart[]) =>
    mediaPlaylist(segmentedParts({ parts }), { isOpen: true, isEnd: true });

  it('lists the last segments of the whole playlist under the same numbers', () => {
    fc.assert(
      fc.property(broadcast, fc.nat({ max: 48 }), (all, begun) => {
        const parts = partsAt(all, 1 + (begun % total(all)));
        const whole = numbered(playlistOf(parts, true));
        const end = numbered(endOf(parts));
        assert.deepEqual(end, whole.slice(whole.length - end.length));
      }),
    );
  });

  it('has 30 seconds and four target durations, but no segment more', () => {
    fc.assert(
      fc.property(broadcast, (all) => {
        const parts = partsAt(all, total(all));
        const playlist = endOf(parts);
        const durations = [...playlist.matchAll(/EXTINF:([\d.]+),/g)].map(([, seconds]) => Number(seconds));
        const seconds = durations.reduce((sum, duration) => sum + duration, 0);
        const wanted = Math.max(30, 4 * Number(/TARGETDURATION:(\d+)/.exec(playlist)![1]));
        const isAll = durations.length === numbered(playlistOf(parts, true)).length;
        assert.equal(seconds > wanted - 0.001 || isAll, true);
        assert.equal(seconds - (durations[0] ?? 0) < wanted, true);
      }),
    );
  });

  it('is like this, word for word', () => {
    const groups = Array.from({ length: 21 }, (_, index) => ({ position: 100 + index, timestampMs: index * 2_000 }));
    assert.deepEqual(
      endOf([aPart({ groups })])
        .split('\n')
        .slice(0, 11),
      [
        '#EXTM3U',
        '#EXT-X-VERSION:7',
        '#EXT-X-TARGETDURATION:4',
        '#EXT-X-MEDIA-SEQUENCE:5',
        '#EXT-X-DISCONTINUITY-SEQUENCE:0',
        '#EXT-X-INDEPENDENT-SEGMENTS',
        '#EXT-X-MAP:URI="1-0.mp4"',
        '#EXT-X-PROGRAM-DATE-TIME:2030-01-01T00:00:10.000Z',
        '#EXTINF:2.000,',
        '1-5.m4s',
        '#EXTINF:2.000,',
      ],
    );
  });
});

describe('the playlist of a recording, word for word', () => {
  it('grows while it is recorded, and has no segment of a group that is not complete', () => {
    assert.equal(
      playlistOf([aPart()], true),
      [
        '#EXTM3U',
        '#EXT-X-VERSION:7',
        '#EXT-X-TARGETDURATION:4',
        '#EXT-X-MEDIA-SEQUENCE:0',
        '#EXT-X-PLAYLIST-TYPE:EVENT',
        '#EXT-X-INDEPENDENT-SEGMENTS',
        '#EXT-X-MAP:URI="1-0.mp4"',
        '#EXT-X-PROGRAM-DATE-TIME:2030-01-01T00:00:00.000Z',
        ...[0, 1, 2, 3].flatMap((index) => ['#EXTINF:2.000,', `1-${index}.m4s`]),
        '',
      ].join('\n'),
    );
  });

  it('has a discontinuity and the time of day after a gap, and an end', () => {
    const later = aPart({ id: '2', startsAt: Date.parse('2030-01-01T00:01:00Z'), isOpen: false });
    const lines = entries(playlistOf([aPart({ isOpen: false }), later], false));
    const second = lines.indexOf('#EXT-X-DISCONTINUITY');
    assert.deepEqual(lines.slice(second, second + 3), [
      '#EXT-X-DISCONTINUITY',
      '#EXT-X-MAP:URI="2-0.mp4"',
      '#EXT-X-PROGRAM-DATE-TIME:2030-01-01T00:01:00.000Z',
    ]);
    assert.deepEqual(lines.slice(-3), ['#EXTINF:1.000,', '2-4.m4s', '#EXT-X-ENDLIST']);
  });

  it('has another initialization segment, with a discontinuity, where the picture changes its size', () => {
    const { groups } = aPart();
    const resized = groups.map((group, index) =>
      index === 2 ? Object.assign(group, { isResized: true as const }) : group,
    );
    const lines = entries(playlistOf([aPart({ groups: resized })], true));
    assert.deepEqual(lines.slice(4, 10), [
      '#EXTINF:2.000,',
      '1-1.m4s',
      '#EXT-X-DISCONTINUITY',
      '#EXT-X-MAP:URI="1-2.mp4"',
      '#EXT-X-PROGRAM-DATE-TIME:2030-01-01T00:00:04.000Z',
      '#EXTINF:2.000,',
    ]);
  });

  it('cuts sound alone every two seconds, and shows no keyframe with it', () => {
    const groups = aPart().groups.map((group) => Object.assign(group, { isSound: true as const }));
    const parts = [aPart({ groups, video: undefined })];
    const segments = segmentedParts({ parts }).flatMap((one) => one.segments);
    assert.deepEqual(
      segments.map(({ durationMs, keyframeAt }) => [durationMs, keyframeAt]),
      Array.from({ length: 4 }, () => [2_000, undefined]),
    );
  });

  for (const [what, change] of [
    ['in VP8', { video: { codec: 'vp8' } }],
    ['with another codec than the first', { video: { codec: 'vp9' } }],
  ] as const) {
    it(`ends before a part ${what}, as the file that is ready does`, () => {
      const only = playlistOf([aPart({ isOpen: false })], false);
      const changed = [aPart({ isOpen: false }), aPart({ id: '2', isOpen: false, ...change })];
      assert.equal(playlistOf(changed, true), only);
      // What comes after it is in the next recording, whatever its codecs.
      assert.equal(playlistOf([...changed, aPart({ id: '3' })], true), only);
    });
  }

  it('begins after the parts in VP8', () => {
    const inVp8 = aPart({ id: '0', video: { codec: 'vp8' }, isOpen: false });
    assert.equal(playlistOf([inVp8, aPart()], true), playlistOf([aPart()], true));
  });

  it('has segments as long as the groups of an encoder that sends few keyframes, and says so', () => {
    const groups = [0, 10_033, 20_066].map((timestampMs, index) => ({ position: 100 + index * 1_000, timestampMs }));
    const lines = playlistOf([aPart({ groups })], true).split('\n');
    assert.deepEqual(
      [lines[2], lines.filter((line) => line.startsWith('#EXTINF'))],
      ['#EXT-X-TARGETDURATION:11', ['#EXTINF:10.033,', '#EXTINF:10.033,']],
    );
  });

  it('leaves out a last group of which nothing is on disk', () => {
    const cutOff = aPart({ isOpen: false, bytes: 4_100 });
    assert.deepEqual(entries(playlistOf([cutOff], true)).at(-1), '1-3.m4s');
  });
});
