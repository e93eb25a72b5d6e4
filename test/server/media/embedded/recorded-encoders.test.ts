import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createEmbeddedEngine, type EmbeddedEngine } from '../../../../server/media/embedded/embedded-engine.js';
import { openTap } from '../../../../server/media/embedded/tap/open-tap.js';
import type { LayerState } from '../../../../server/media/engine/media-figures.js';
import type { LayerChoice } from '../../../../server/media/engine/media-session.js';
import type { TappedFrame } from '../../../../server/media/engine/tap.js';
import { DEPENDENCY_DESCRIPTOR } from '../../../../server/media/sdp/extension-uris.js';
import { decodedHeights } from '../../../support/media/decoded-pictures.js';
import { patient } from '../../../support/media/patient-engine.js';
import { sdpOffer } from '../../../support/media/offer.js';
import { ReceivedFrames } from '../../../support/media/received-frames.js';
import { RECORDINGS, type RecordingName } from '../../../support/media/recorded-encoder.js';
import { RecordedPeer } from '../../../support/media/recorded-peer.js';
import { RtpPeer } from '../../../support/media/rtp-peer.js';
import { until } from '../../../support/media/until.js';

const VIEWER_OFFER = sdpOffer({ extensions: { 13: DEPENDENCY_DESCRIPTOR } });
/** Frames that are looked at after each change. */
const SOME = 3;

/** What the real encoders sent, through a real engine. They send at the same time, because each takes little. */
describe('what real encoders send', { concurrency: true, timeout: 180_000 }, () => {
  let engine: EmbeddedEngine;
  const layersOf = new Map<string, readonly LayerState[]>();

  before(async () => {
    engine = patient(await createEmbeddedEngine({ bindAddress: '127.0.0.1', udpPort: 0 }));
    engine.on('layers', (stream, _source, layers) => layersOf.set(stream, layers));
  });
  after(() => engine.close());

  for (const [recording, { codec, heights }] of Object.entries(RECORDINGS)) {
    const name = recording as RecordingName;
    it(`reaches viewers in each size they select, and recordings: ${name}`, async (t) => {
      const encoder = await RecordedPeer.open(name);
      t.after(() => encoder.close());
      await encoder.accept(await engine.publish(name, encoder.offer, { codec }));
      t.after(encoder.play());
      await until('all sizes are there', () => sizesOf(layersOf.get(name) ?? []).length === heights.length);
      assert.deepEqual(sizesOf(layersOf.get(name)!), heights);

      const tapped: TappedFrame[] = [];
      const losses: number[] = [];
      const ignored = () => {};
      const tap = openTap(
        engine.tapAddress(name)!,
        { stream: name, sourceId: null },
        {
          onSource: ignored,
          onFrame: (frame) => tapped.push(frame),
          onLoss: (frames) => losses.push(frames),
          onSourceEnded: ignored,
          onClosed: ignored,
        },
      );
      t.after(() => tap.close());

      const viewer = await RtpPeer.open({ role: 'viewer', offer: VIEWER_OFFER });
      t.after(() => viewer.close());
      const video = new ReceivedFrames(encoder.encoder);
      viewer.onRtp = (packet) => video.receive(packet);
      const session = await engine.view(name, viewer.offer);
      await viewer.accept(session);
      const hasSpatialLayers = name.includes('L3');
      const isShown = (height: number) => height === (hasSpatialLayers ? heights[video.spatialId] : video.height);
      for (const height of [...heights.toReversed(), heights.at(-1)!]) {
        await session.select(choiceOf(layersOf.get(name)!, height));
        await until(`${name} in ${height} lines`, () => isShown(height));
        const { length } = video.frames;
        await until('it goes on', () => video.frames.length >= length + SOME);
      }
      // Our client asks for three temporal layers, except with H.264. Firefox makes none.
      const temporalLayers = name.startsWith('chromium') && codec !== 'h264' ? 3 : 1;
      await until('there are all temporal layers', () => video.temporalIds.size >= temporalLayers);
      await until('the tap has some', () => tapped.filter(({ kind }) => kind === 'video').length >= SOME);

      const received = video.frames.map(({ data }) => data);
      const pictures = tapped.filter(({ kind }) => kind === 'video');
      assert.deepEqual([video.lost, video.gaps, losses], [0, 0, []]);
      assert.equal(video.switches.unusable, 0);
      if (name.endsWith('simulcast')) assert.ok(video.switches.all >= heights.length, `${video.switches.all}`);
      assert.equal(pictures[0]!.isKeyframe, true);
      const shown = await decodedHeights(codec, received);
      // GStreamer puts parameter sets between the slices of a picture, which are two to ffmpeg.
      assert.ok(shown.length >= received.length, `${shown.length} of ${received.length}`);
      // Layers of VP9 have even sizes, whatever their descriptor says.
      const isOf = (height: number) => shown.some((one) => Math.abs(one - height) <= 1);
      assert.deepEqual(heights.filter(isOf), heights);
      const recorded = await decodedHeights(
        codec,
        pictures.map(({ data }) => data),
      );
      assert.ok(recorded.length >= pictures.length, `${recorded.length} of ${pictures.length}`);
      assert.equal(recorded.at(-1), heights.at(-1));
      assert.ok(tapped.some(({ kind }) => kind === 'audio'));
    });
  }
});

/** The heights of the layers that are sent, the smallest first. */
function sizesOf(layers: readonly LayerState[]): number[] {
  const heights = layers.filter(({ active, height }) => active && height > 0).map(({ height }) => height);
  return [...new Set(heights)].toSorted((a, b) => a - b);
}

function choiceOf(layers: readonly LayerState[], height: number): LayerChoice {
  const { encodingId, spatialLayerId } = layers.find((layer) => layer.height === height)!;
  return { encodingId, spatialLayerId };
}
