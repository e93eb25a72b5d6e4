import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { extensionLength, findExtension } from '../../../../../server/media/embedded/rtp/header-extensions.js';
import { sequenceNumber, ssrc } from '../../../../../server/media/embedded/rtp/packet.js';
import { nack } from '../../../../../server/media/embedded/rtcp/rtcp.js';
import type { SourceId } from '../../../../../server/media/engine/media-track.js';
import { RouterFixture } from '../../../../support/media/router-fixture.js';
import { FIREFOX_PAYLOAD_TYPES, sdpOffer } from '../../../../support/media/offer.js';
import { KEYFRAME_PAYLOADS } from '../../../../support/media/rtp.js';

type Publisher = ReturnType<RouterFixture['publish']>;
type Viewer = ReturnType<RouterFixture['view']>;

const MID_EXTENSION = 4;

const midOf = (packet: Buffer): string => {
  const at = findExtension(packet, MID_EXTENSION);
  return packet.toString('latin1', at, at + extensionLength(packet, at));
};

describe('a stream with several sources', () => {
  let stream: RouterFixture;
  let sequence: number;

  beforeEach(() => {
    stream = new RouterFixture();
    sequence = 0;
  });

  const publish = (source: SourceId) => stream.publish(undefined, source);

  /** A keyframe and an audio packet whose last byte names the source. */
  function flow(publishers: Readonly<Record<number, Publisher>>) {
    sequence++;
    for (const [mark, publisher] of Object.entries(publishers)) {
      publisher.audio(sequence, { payload: Buffer.from([Number(mark)]) }, sequence);
      const payload = Buffer.concat([KEYFRAME_PAYLOADS.vp8, Buffer.from([Number(mark)])]);
      publisher.video(sequence, { payload }, sequence);
    }
  }

  /** The sources that were received on each mid, by the marks of `flow`. */
  function seen({ sink }: Viewer) {
    const marks: Record<string, number[]> = {};
    for (const packet of sink.rtp) (marks[midOf(packet)] ??= []).push(packet.at(-1)!);
    return marks;
  }

  describe('shows on the main m-lines', () => {
    it('the main source as soon as it is live', () => {
      const first = publish('first');
      const viewer = stream.view();
      flow({ 1: first });
      const main = publish(null);
      flow({ 1: first });
      flow({ 0: main, 1: first });
      flow({ 0: main, 1: first });
      assert.deepEqual(seen(viewer), { 0: [1, 1, 0, 0], 1: [1, 1, 0, 0] });
    });

    it('the first live source without a main source, and the next one when it ends', () => {
      const [first, second] = [publish('first'), publish('second')];
      const viewer = stream.view();
      flow({ 1: first, 2: second });
      first.end();
      flow({ 2: second });
      assert.deepEqual(seen(viewer), { 0: [1, 2], 1: [1, 2] });
    });

    it('the pinned source to a viewer who pinned it, and another only while it is missing', () => {
      const main = publish(null);
      const viewer = stream.view({}, { pinnedSourceId: 'pinned' });
      flow({ 0: main });
      const pinned = publish('pinned');
      flow({ 1: pinned });
      flow({ 0: main, 1: pinned });
      pinned.end();
      flow({ 0: main });
      assert.deepEqual(seen(viewer), { 0: [0, 1, 1, 0], 1: [0, 1, 1, 0] });
    });

    it('no excluded source to a viewer who excluded it', () => {
      const [first, second] = [publish('first'), publish('second')];
      const viewer = stream.view({}, { excludedSourceIds: ['first'] });
      const nothing = stream.view({}, { excludedSourceIds: ['first', 'second'] });
      flow({ 1: first, 2: second });
      assert.deepEqual(seen(viewer), { 0: [2], 1: [2] });
      assert.deepEqual(seen(nothing), {});
    });
  });

  it('reports of each source that it is live and that it ended', () => {
    const [first, second] = [publish('first'), publish('second')];
    flow({ 1: first, 2: second });
    first.end();
    second.end();
    assert.deepEqual(stream.events, [
      'live first audio,video',
      'live second audio,video',
      'ended first',
      'ended second',
    ]);
  });

  it('counts all sources', () => {
    const [first, second] = [publish('first'), publish('second')];
    stream.view();
    flow({ 1: first, 2: second });
    const { packetsIn, packetsOut, keyframes } = stream.router.stats();
    assert.deepEqual({ packetsIn, packetsOut, keyframes }, { packetsIn: 4, packetsOut: 2, keyframes: 2 });
  });

  describe('shows a projected source', () => {
    it('on the main m-lines, instead of the main source', () => {
      const [main, first] = [publish(null), publish('first')];
      const viewer = stream.view();
      flow({ 0: main, 1: first });
      stream.router.project(viewer.viewer, 'first', [{ kind: 'video' }], 2);
      flow({ 0: main, 1: first });
      assert.deepEqual(seen(viewer), { 0: [0, 0], 1: [0, 0, 1] });
    });

    it('on other m-lines of the offer, beside the main ones', () => {
      const [main, first] = [publish(null), publish('first')];
      const viewer = stream.view({ kinds: ['audio', 'video', 'audio'] });
      flow({ 0: main, 1: first });
      stream.router.project(viewer.viewer, 'first', [{ kind: 'audio', mediaId: '2' }], 2);
      flow({ 0: main, 1: first });
      assert.deepEqual(seen(viewer), { 0: [0, 0], 1: [0, 0], 2: [1] });
    });

    it('on m-lines that no offer had, with an SSRC of their own', () => {
      const [main, first] = [publish(null), publish('first')];
      const viewer = stream.view({ payloadTypes: FIREFOX_PAYLOAD_TYPES });
      flow({ 0: main, 1: first });
      stream.router.project(viewer.viewer, 'first', [{ kind: 'video', mediaId: 'x7' }], 2);
      flow({ 0: main, 1: first });
      // The recent keyframe is sent there at once.
      assert.deepEqual(seen(viewer), { 0: [0, 0], 1: [0, 0], x7: [1, 1] });
      const projected = viewer.sink.rtp.find((packet) => midOf(packet) === 'x7');
      assert.equal(projected![1]! & 0x7f, 120);
      assert.ok(!viewer.sent.some(({ track }) => track.ssrc === ssrc(projected!)));
      const before = viewer.sink.rtp.length;
      viewer.sendRtcp(nack(5, ssrc(projected!), [sequenceNumber(projected!)]), 3);
      assert.deepEqual(viewer.sink.rtp.slice(before), [projected], 'what is lost there is sent again');
    });

    it('on two m-lines at once', () => {
      const main = publish(null);
      const viewer = stream.view();
      flow({ 0: main });
      stream.router.project(viewer.viewer, null, [{ kind: 'video', mediaId: '7' }], 2);
      flow({ 0: main });
      assert.deepEqual(seen(viewer), { 0: [0, 0], 1: [0, 0], 7: [0, 0] });
    });

    it('until it is unprojected', () => {
      const [main, first] = [publish(null), publish('first')];
      const viewer = stream.view();
      stream.router.project(viewer.viewer, 'first', [{ kind: 'video', mediaId: '7' }], 1);
      flow({ 0: main, 1: first });
      stream.router.unproject(viewer.viewer, ['7', '0'], 2);
      flow({ 0: main, 1: first });
      assert.deepEqual(seen(viewer), { 0: [0], 1: [0, 0], 7: [1] });
    });

    it('until what the server chooses is shown again, with a successor when that ends', () => {
      const [first, second] = [publish('first'), publish('second')];
      const viewer = stream.view();
      stream.router.project(viewer.viewer, 'second', [{ kind: 'video' }], 1);
      stream.router.unproject(viewer.viewer, ['0', '1'], 1);
      flow({ 1: first, 2: second });
      stream.router.project(viewer.viewer, undefined, [{ kind: 'video' }, { kind: 'audio' }], 2);
      flow({ 1: first, 2: second });
      first.end();
      flow({ 2: second });
      // The recent keyframe is sent at once.
      assert.deepEqual(seen(viewer), { 0: [1, 2], 1: [1, 1, 2] });
    });

    it('again when the source returns', () => {
      const first = publish('first');
      const viewer = stream.view();
      stream.router.project(viewer.viewer, 'first', [{ kind: 'video', mediaId: '7' }], 1);
      flow({ 1: first });
      first.end();
      flow({ 1: publish('first') });
      assert.deepEqual(seen(viewer), { 0: [1, 1], 1: [1, 1], 7: [1, 1] });
    });
  });

  describe('refuses to project', () => {
    const refused = (code: string, act: () => void) => assert.throws(act, { code });

    it('an unknown source', () => {
      publish('first');
      const { viewer } = stream.view();
      refused('unknown_source', () => stream.router.project(viewer, 'second', [{ kind: 'video' }], 1));
      refused('unknown_source', () => stream.router.project(viewer, null, [{ kind: 'video' }], 1));
    });

    it('a kind onto an m-line of the other kind, or a kind that the viewer does not receive', () => {
      publish(null);
      const { viewer } = stream.view({ kinds: ['video'] });
      refused('unknown_media', () => stream.router.project(viewer, null, [{ kind: 'audio', mediaId: '0' }], 1));
      refused('unknown_media', () => stream.router.project(viewer, null, [{ kind: 'audio', mediaId: '5' }], 1));
      refused('unknown_media', () => stream.router.project(viewer, null, [{ kind: 'audio' }], 1));
      refused('unknown_media', () => stream.router.unproject(viewer, ['5'], 1));
    });

    it('onto a new m-line if the viewer could not assign its packets', () => {
      publish(null);
      const { viewer } = stream.viewBy(sdpOffer().replaceAll(/a=extmap:.*\r\n/g, ''));
      refused('unknown_media', () => stream.router.project(viewer, null, [{ kind: 'video', mediaId: '5' }], 1));
    });

    it('onto more m-lines than the limit, or with invalid mids', () => {
      publish(null);
      const { viewer } = stream.view();
      const project = (mediaId: string) => stream.router.project(viewer, null, [{ kind: 'video', mediaId }], 1);
      refused('unknown_media', () => project(''));
      refused('unknown_media', () => project('x'.repeat(300)));
      for (let index = 2; index < 64; index++) project(String(index));
      refused('unknown_media', () => project('64'));
    });

    it('anything if one of several projections is refused', () => {
      const [main, first] = [publish(null), publish('first')];
      const viewer = stream.view({ kinds: ['video'] });
      const both = [{ kind: 'video' }, { kind: 'audio' }] as const;
      refused('unknown_media', () => stream.router.project(viewer.viewer, 'first', both, 1));
      flow({ 0: main, 1: first });
      assert.deepEqual(seen(viewer), { 0: [0] });
    });
  });
});
