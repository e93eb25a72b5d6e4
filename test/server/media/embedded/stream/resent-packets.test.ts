import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { nack } from '../../../../../server/media/embedded/rtcp/rtcp.js';
import { sequenceNumber } from '../../../../../server/media/embedded/rtp/packet.js';
import { RouterFixture } from '../../../../support/media/router-fixture.js';

const EXTENSIONS = {
  3: 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01',
  5: 'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time',
  6: 'http://www.webrtc.org/experiments/rtp-hdrext/playout-delay',
};

/** SRTP derives its nonce from SSRC and sequence number: a second packet with both must not differ in a single bit. */
describe('a packet that is resent without RTX', () => {
  let stream: RouterFixture;
  let camera: ReturnType<RouterFixture['publish']>;

  beforeEach(() => {
    stream = new RouterFixture();
    camera = stream.publish();
  });

  const view = () => stream.view({ extensions: EXTENSIONS, congestionFeedback: ['transport-cc'] });
  type Viewer = ReturnType<RouterFixture['view']>;

  function ask(viewer: Viewer, packets: readonly Buffer[], now: number): Buffer[] {
    const before = viewer.sink.rtp.length;
    viewer.sendRtcp(nack(9, viewer.ssrcOf('video'), packets.map(sequenceNumber)), now);
    return viewer.sink.rtp.slice(before);
  }

  it('has the header extensions that it had', () => {
    const viewer = view();
    camera.video(1, { keyframe: true, marker: true }, 100);
    camera.video(2, {}, 140);
    const sent = viewer.on('video');
    assert.deepEqual(ask(viewer, sent, 300), sent);
    assert.deepEqual(ask(viewer, sent, 500), sent, 'each time');
  });

  it('has the playout delay that it had, although that is longer now', () => {
    const viewer = view();
    camera.video(1, { keyframe: true }, 100);
    const sent = viewer.on('video');
    viewer.viewer.transport.playoutDelay.onLatePacket(400, 200);
    for (const late of [0, 1, 2]) viewer.viewer.transport.playoutDelay.onLatePacket(400, 300 + late);
    stream.run(1_000, 2_100);
    assert.deepEqual(ask(viewer, sent, 2_200), sent);
  });

  it('is the one of the encoding that was sent, also after another source took over', () => {
    const viewer = view();
    camera.video(1, { keyframe: true }, 100);
    camera.video(2, {}, 140);
    const sent = viewer.on('video');
    camera.end(150);
    stream.publish().video(7_000, { keyframe: true, timestamp: 9_000 }, 160);
    assert.deepEqual(ask(viewer, sent, 200), sent);
  });

  it('is not resent if it was sent without a payload', () => {
    const viewer = stream.view({ extensions: EXTENSIONS }, { layer: { temporalLayerId: 0 } });
    const picture = (id: number, temporal: number, sequence: number, now: number) =>
      camera.video(
        sequence,
        {
          keyframe: id === 0,
          // A VP8 descriptor (RFC 7741 section 4.2) with picture id, TL0PICIDX and temporal layer.
          payload: Buffer.of(
            0x90,
            0xe0,
            0x80,
            id,
            id,
            temporal << 6,
            id === 0 ? 0 : 1,
            0,
            0,
            0x9d,
            1,
            0x2a,
            64,
            1,
            180,
            0,
          ),
        },
        now,
      );
    for (let id = 0; id < 100; id++) picture(id, id % 2, id + 1, id * 40);
    stream.run(4_000, 4_100);
    for (let id = 100; id < 104; id++) if (id !== 101) picture(id, id % 2, id + 1, 4_100 + id);
    const before = viewer.on('video').length;
    picture(101, 1, 102, 4_300);
    const late = viewer.on('video').slice(before);
    assert.deepEqual(
      late.map((packet) => packet.length),
      [12],
    );
    assert.deepEqual(ask(viewer, late, 4_400), []);
  });
});
