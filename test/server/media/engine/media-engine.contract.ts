import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { EVERY_CAPABILITY, type EngineCapabilities } from '../../../../server/media/engine/engine-capabilities.js';
import { MediaError, type MediaErrorCode } from '../../../../server/media/engine/media-error.js';
import type { AddedSource, ViewOptions } from '../../../../server/media/engine/media-session.js';
import type { SourceFrame, SourceId, TrackKind, VideoCodec } from '../../../../server/media/engine/media-track.js';
import {
  harnessOfATest,
  type MediaHarness,
  type MediaPeer,
  type TestHarness,
} from '../../../support/media/media-harness.js';
import { sdpOffer } from '../../../support/media/offer.js';
import { KEYFRAME_PAYLOADS } from '../../../support/media/rtp.js';
import { until } from '../../../support/media/until.js';

type EngineEvent =
  ['live', string, SourceId, readonly string[]] | ['ended', string, SourceId] | ['session-lost', string, string];

/**
 * The behaviour of every media engine. What an engine cannot do by its capabilities it refuses, or knows nothing about.
 */
export function mediaEngineContract(
  name: string,
  open: () => Promise<MediaHarness>,
  capabilities: EngineCapabilities = EVERY_CAPABILITY,
): void {
  const { layers, resume, keepsViewers, frames, answersWaiting, limitsBitrate, offerFrom } = capabilities;
  describe(`${name} as a MediaEngine`, () => {
    /** With one engine for all tests, each of which has streams of its own. */
    let shared: MediaHarness;
    let tests = 0;
    let harness: TestHarness;
    let events: EngineEvent[];

    before(async () => {
      shared = await open();
    });

    after(() => shared.engine.close());

    beforeEach(() => {
      harness = harnessOfATest(shared, `${(tests += 1)}-`);
      events = [];
      harness.engine.on('live', (...event) => events.push(['live', ...event]));
      harness.engine.on('ended', (...event) => events.push(['ended', ...event]));
      harness.engine.on('session-lost', (...event) => events.push(['session-lost', ...event]));
    });

    afterEach(() => harness.close());

    const hasEmitted = (event: EngineEvent[0]) => events.some(([type]) => type === event);

    /** Events of an action come before the answer to the next call, or never. */
    const nothingMore = () => harness.engine.stats('s');

    async function publish(stream: string, codec?: VideoCodec, sourceId: SourceId = null) {
      const peer = await harness.publisher(stream, codec, sourceId);
      const session = await harness.engine.publish(stream, peer.offer, { sourceId });
      await peer.accept(session);
      return { peer, session };
    }

    /** Publishes, and sends until the stream is live. */
    async function live(stream: string, codec?: VideoCodec) {
      const published = await publish(stream, codec);
      const isLive = () => events.some(([type, key]) => type === 'live' && key === stream);
      await until('the stream is live', () => {
        published.peer.sendFrame();
        return isLive();
      });
      return published;
    }

    /** Connects a viewer with this offer, or with an offer of the engine. */
    function openViewing(stream: string, offer: string, options?: ViewOptions) {
      const { engine } = harness;
      return offerFrom === 'server' ? engine.offer!(stream, offer, options) : engine.view(stream, offer, options);
    }

    async function view(stream: string, options?: ViewOptions) {
      const peer = await harness.viewer();
      const session = await openViewing(stream, peer.offer, options);
      if ('accept' in session) await session.accept(await peer.answer(session.offer));
      else await peer.accept(session);
      await until('the viewer is counted', async () => (await harness.engine.stats(stream)).viewers > 0);
      return { peer, session };
    }

    /** Sends until the viewer has received some: the first packets may come before the viewer is connected. */
    async function flow(publisher: MediaPeer, viewer: MediaPeer) {
      const [sound, picture] = [viewer.received('audio'), viewer.received('video')];
      await until('the viewer receives audio and video', () => {
        publisher.sendFrame();
        return viewer.received('audio') > sound && viewer.received('video') > picture;
      });
    }

    it('declares what it can do', () => {
      assert.deepEqual(harness.engine.capabilities, capabilities);
    });

    it('knows of no fault while all of it works, if it can tell', () => {
      const { isUsable, faults } = harness.engine.health();
      assert.deepEqual([isUsable, faults], [true, []]);
    });

    it('sends a publisher’s media to a viewer who connects later', async () => {
      const { peer: publisher } = await live('s');
      const { peer: viewer } = await view('s');
      await flow(publisher, viewer);
    });

    it('sends a publisher’s media to a viewer who was waiting', async () => {
      const viewing = view('s');
      if (answersWaiting) await viewing;
      const { peer: publisher } = await live('s');
      const { peer: viewer } = await viewing;
      await flow(publisher, viewer);
    });

    it('reports once that a stream is live, when the first packet arrives', async () => {
      const { peer } = await publish('s');
      assert.deepEqual(events, []);
      peer.sendFrame();
      await until('the stream is live', () => hasEmitted('live'));
      const { peer: viewer } = await view('s');
      await flow(peer, viewer);
      assert.deepEqual(events, [['live', 's', null, ['audio', 'video']]]);
    });

    it('reports that a stream ended when its publisher is closed, and no lost session', async () => {
      const { peer, session } = await publish('s');
      peer.sendFrame();
      await until('the stream is live', () => hasEmitted('live'));
      session.close();
      await until('the stream ended', () => hasEmitted('ended'));
      session.close();
      await nothingMore();
      assert.deepEqual(events.slice(1), [['ended', 's', null]]);
    });

    it('reports nothing of a publisher without media', async () => {
      const { session } = await publish('s');
      session.close();
      await nothingMore();
      assert.deepEqual(events, []);
    });

    it('refuses a second publisher while the first is connected', async () => {
      const { peer: publisher } = await live('s');
      const { peer: viewer } = await view('s');
      const second = await harness.publisher('s');
      await assert.rejects(harness.engine.publish('s', second.offer), refusal('stream_in_use'));
      await flow(publisher, viewer);
    });

    it('accepts one of two publishers that connect at the same time', async () => {
      const peers = [await harness.publisher('s'), await harness.publisher('s')];
      const outcomes = await Promise.allSettled(peers.map((peer) => harness.engine.publish('s', peer.offer)));
      assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    });

    it('accepts another publisher after the first was closed', async () => {
      const { session } = await publish('s');
      session.close();
      await assert.doesNotReject(publish('s'));
    });

    it('keeps streams apart', async () => {
      const { peer: publisher } = await live('a');
      const { peer: viewer } = await view('a');
      const viewing = view('b');
      viewing.catch(() => {});
      const other = answersWaiting ? (await viewing).peer : undefined;
      await flow(publisher, viewer);
      if (other) assert.equal(other.received('audio') + other.received('video'), 0);
      else assert.equal(await Promise.race([viewing, 'not answered']), 'not answered');
    });

    if (limitsBitrate) {
      it('tells a publisher the most that it may send, and each new limit', async () => {
        const { peer, session } = await publish('s');
        for (const limit of [512_000, 256_000]) {
          await session.limitBitrate(limit);
          await until('the publisher was told', () => {
            peer.sendFrame();
            return peer.told() === limit;
          });
        }
      });
    } else {
      it('does nothing about a limit of what a publisher sends', async () => {
        const { peer, session } = await live('s');
        await session.limitBitrate(512_000);
        const { peer: viewer } = await view('s');
        await flow(peer, viewer);
      });
    }

    it('has empty statistics for an unknown stream', async () => {
      assert.deepEqual(await harness.engine.stats('s'), {
        live: false,
        viewers: 0,
        packetsIn: 0,
        bytesIn: 0,
        packetsOut: 0,
        keyframes: 0,
        nacksAnswered: 0,
      });
    });

    it('has no keyframe of an unknown stream, nor of a source that sends nothing', async () => {
      await publish('s');
      assert.equal(await harness.engine.keyframe('other', null), undefined);
      assert.equal(await harness.engine.keyframe('s', null), undefined);
      assert.equal(await harness.engine.keyframe('s', 'camera'), undefined);
    });

    it('names the main m-lines of a viewer', async () => {
      await live('s');
      const offer = sdpOffer({ kinds: ['video', 'audio', 'audio'] });
      const session = await openViewing('s', offer);
      const soundOnly = await openViewing('s', sdpOffer({ kinds: ['audio'] }));
      if ('offer' in session) {
        assert.deepEqual(mLines(session.offer), Object.entries(session.mids));
        assert.deepEqual(Object.keys(session.mids), ['video', 'audio']);
        assert.deepEqual(Object.keys(soundOnly.mids), ['audio']);
      } else {
        assert.deepEqual(session.mids, { video: '0', audio: '1' });
        assert.deepEqual(soundOnly.mids, { audio: '0' });
      }
    });

    it('reports a viewer as reachable once it is connected', async () => {
      const reachable: [string, boolean][] = [];
      harness.engine.on('reachable', (...event) => reachable.push(event));
      await live('s');
      const { session } = await view('s');
      await until('the viewer is reachable', () => reachable.length > 0);
      assert.deepEqual(reachable, [[session.id, true]]);
    });

    it('refuses an invalid offer', async () => {
      await assert.rejects(harness.engine.publish('s', 'hello'), refusal('invalid_sdp'));
      await assert.rejects(openViewing('s', ''), refusal('invalid_sdp'));
    });

    it('refuses a publisher who offers nothing to send, and a viewer who offers nothing to receive', async () => {
      await assert.rejects(harness.engine.publish('s', sdpOffer({ direction: 'recvonly' })), refusal('invalid_sdp'));
      await assert.rejects(openViewing('s', sdpOffer({ direction: 'sendonly' })), refusal('invalid_sdp'));
    });

    it('refuses an offer without a supported codec', async () => {
      const alien = (direction: 'sendonly' | 'recvonly') =>
        sdpOffer({ direction, kinds: ['video'], videoCodecs: ['vp8'] }).replace('VP8/90000', 'H261/90000');
      await assert.rejects(harness.engine.publish('s', alien('sendonly')), refusal('no_common_codec'));
      await assert.rejects(openViewing('s', alien('recvonly')), refusal('no_common_codec'));
    });

    it('refuses a requested codec that was not offered, and leaves the stream free', async () => {
      const offer = sdpOffer({ direction: 'sendonly', videoCodecs: ['vp8'] });
      await assert.rejects(harness.engine.publish('s', offer, { codec: 'av1' }), refusal('no_common_codec'));
      await assert.doesNotReject(publish('s'));
    });

    it('accepts the requested codec', async () => {
      const offer = sdpOffer({ direction: 'sendonly', videoCodecs: ['vp8', 'h264'] });
      const { answer } = await harness.engine.publish('s', offer, { codec: 'h264' });
      assert.match(answer, /a=rtpmap:108 H264\/90000/);
      assert.doesNotMatch(answer, /VP8/);
    });

    if (layers) {
      it('reports what the network of a viewer lost, if it connected so, and only once something was sent', async () => {
        const { peer: publisher } = await publish('s');
        const other = await view('s');
        const { peer: viewer, session } = await view('s', { networkEveryMs: 20 });
        const reports: unknown[] = [];
        harness.engine.on('network', (id, { packets, lost }) => {
          assert.equal(id, session.id, `not ${other.session.id}`);
          assert.ok(packets > 0 && lost === 0);
          reports.push(id);
        });
        await flow(publisher, viewer);
        await until('two reports came', () => reports.length > 1);
        session.close();
        await nothingMore();
        const count = reports.length;
        await nothingMore();
        assert.equal(reports.length, count);
      });

      it('counts packets and viewers', async () => {
        const { peer: publisher } = await publish('s');
        const { peer: viewer } = await view('s');
        await flow(publisher, viewer);
        const { live, viewers, bytesIn, keyframes, packetsOut } = await harness.engine.stats('s');
        assert.deepEqual([live, viewers], [true, 1]);
        assert.ok(
          bytesIn >= 24 && keyframes >= 1 && packetsOut >= 2,
          JSON.stringify({ bytesIn, keyframes, packetsOut }),
        );
        // Several workers count, and packets may still be on their way to one of them.
        await until('each packet that was sent has been counted as received', async () => {
          const stats = await harness.engine.stats('s');
          return stats.packetsIn >= 2 && stats.packetsOut <= stats.packetsIn;
        });
      });

      it('says what each viewer of a stream is being sent', async () => {
        const { peer: publisher } = await publish('s', 'vp8');
        const watching = await view('s');
        await view('other');
        const idle = await harness.engine.deliveries('other');
        assert.deepEqual(
          idle.map(({ bitrate, layer }) => ({ bitrate, layer })),
          [{ bitrate: 0, layer: undefined }],
        );
        await flow(publisher, watching.peer);
        await until('a layer is sent', async () => {
          publisher.sendFrame();
          const [delivery] = await harness.engine.deliveries('s');
          return delivery?.layer !== undefined && delivery.bitrate > 0;
        });
        const [delivery, ...others] = await harness.engine.deliveries('s');
        assert.equal(others.length, 0);
        assert.equal(delivery?.sessionId, watching.session.id);
        assert.equal(delivery.layer?.encodingId, '0');
        assert.deepEqual([delivery.layer.width, delivery.layer.height], [320, 180]);
        watching.session.close();
        await nothingMore();
        assert.deepEqual(await harness.engine.deliveries('s'), []);
      });
    }

    if (frames) {
      it('gives a keyframe of a live source, as the publisher sent it', async () => {
        const { peer } = await publish('s', 'vp8');
        await until('the stream is live', () => {
          peer.sendFrame();
          return hasEmitted('live');
        });
        const asked = harness.engine.keyframe('s', null);
        const timer = setInterval(() => peer.sendFrame(), 20);
        const keyframe = await asked.finally(() => clearInterval(timer));
        assert.equal(keyframe?.codec, 'vp8');
        assert.deepEqual([keyframe.width, keyframe.height], [320, 180]);
        assert.deepEqual([...keyframe.data], [...KEYFRAME_PAYLOADS.vp8.subarray(1)]);
      });

      describe('an added source', () => {
        const TRACKS = { audio: { codec: 'opus' }, video: { codec: 'vp8' } } as const;
        const picture = (timestampMs: number): SourceFrame => ({
          kind: 'video',
          data: KEYFRAME_PAYLOADS.vp8.subarray(1),
          isKeyframe: true,
          timestampMs,
        });
        const sound = (timestampMs: number): SourceFrame => ({
          kind: 'audio',
          data: Buffer.from([0xf8, 0xff, 0xfe]),
          isKeyframe: true,
          timestampMs,
        });
        /** Writes frames until the viewer has received some. */
        async function frames(source: AddedSource, viewer: MediaPeer) {
          const before = [viewer.received('audio'), viewer.received('video')] as const;
          let time = 0;
          await until('the viewer receives audio and video', () => {
            time += 20;
            source.write(sound(time));
            source.write(picture(time));
            return viewer.received('audio') > before[0] && viewer.received('video') > before[1];
          });
        }

        it('is live with its first frame, and reaches viewers who wait and viewers who come later', async () => {
          const early = await view('s');
          const source = await harness.engine.addSource('s', TRACKS);
          await nothingMore();
          assert.equal(hasEmitted('live'), false);
          await frames(source, early.peer);
          assert.deepEqual(
            events.filter(([name]) => name === 'live').map(([, stream, sourceId]) => [stream, sourceId]),
            [['s', null]],
          );
          const late = await view('s');
          await frames(source, late.peer);
        });

        it('goes on with other tracks without an end', async () => {
          const viewer = await view('s');
          const source = await harness.engine.addSource('s', { audio: TRACKS.audio });
          let time = 0;
          await until('the viewer receives audio', () => {
            source.write(sound((time += 20)));
            return viewer.peer.received('audio') > 0;
          });
          const announced: (readonly TrackKind[])[] = [];
          harness.engine.on('updated', (_stream, _source, tracks) => announced.push(tracks));
          source.setTracks(TRACKS);
          await frames(source, viewer.peer);
          await until('the tracks are announced', () => announced.length > 0);
          assert.deepEqual(announced[0], ['audio', 'video']);
          source.close();
          await until('it ended', () => hasEmitted('ended'));
          assert.deepEqual(events, [
            ['live', 's', null, ['audio']],
            ['ended', 's', null],
          ]);
        });

        it('that is closed before its other tracks came has ended', async () => {
          const viewer = await view('s');
          const source = await harness.engine.addSource('s', TRACKS);
          await frames(source, viewer.peer);
          source.setTracks({ video: TRACKS.video });
          source.close();
          await until('it ended', () => hasEmitted('ended'));
          await publish('s');
        });

        it('ends once it is closed, and leaves its name free', async () => {
          const viewer = await view('s');
          const source = await harness.engine.addSource('s', TRACKS);
          await frames(source, viewer.peer);
          source.close();
          source.close();
          await until('it ended', () => hasEmitted('ended'));
          source.write(picture(90_000));
          await nothingMore();
          assert.deepEqual(
            events.map(([name]) => name),
            ['live', 'ended'],
          );
          await publish('s');
        });

        it('takes no name that has a publisher, and keeps its own', async () => {
          await publish('s');
          await assert.rejects(harness.engine.addSource('s', TRACKS), refusal('stream_in_use'));
          await harness.engine.addSource('s', TRACKS, { sourceId: 'encoder' });
          const peer = await harness.publisher('s', undefined, 'encoder');
          await assert.rejects(
            harness.engine.publish('s', peer.offer, { sourceId: 'encoder' }),
            refusal('stream_in_use'),
          );
        });

        it('gives keyframes, and is not asked for a kind that it does not have', async () => {
          const source = await harness.engine.addSource('s', { video: { codec: 'vp8' } });
          source.write(sound(10));
          source.write(picture(10));
          await until('the stream is live', () => hasEmitted('live'));
          const asked = harness.engine.keyframe('s', null);
          let time = 10;
          const timer = setInterval(() => source.write(picture((time += 20))), 20);
          const keyframe = await asked.finally(() => clearInterval(timer));
          assert.deepEqual([keyframe?.width, keyframe?.height], [320, 180]);
        });
      });
    } else {
      it('gives no frames, and takes none', async () => {
        await live('s');
        assert.equal(await harness.engine.keyframe('s', null), undefined);
        assert.equal(harness.engine.tapAddress('s'), undefined);
        const adding = harness.engine.addSource('other', { video: { codec: 'vp8' } });
        await assert.rejects(adding, refusal('engine_unsupported'));
      });
    }

    if (layers) {
      describe('with several sources', () => {
        it('reports of each source that it is live and that it ended', async () => {
          const { peer, session } = await publish('s', undefined, 'cam');
          peer.sendFrame();
          await until('the stream is live', () => hasEmitted('live'));
          session.close();
          await until('the stream ended', () => hasEmitted('ended'));
          assert.deepEqual(events, [
            ['live', 's', 'cam', ['audio', 'video']],
            ['ended', 's', 'cam'],
          ]);
        });

        it('accepts another source, and no second publisher of one', async () => {
          await publish('s');
          await publish('s', undefined, 'cam');
          const second = await harness.publisher('s');
          await assert.rejects(
            harness.engine.publish('s', second.offer, { sourceId: 'cam' }),
            refusal('stream_in_use'),
          );
          await assert.doesNotReject(publish('other', undefined, 'cam'));
        });

        it('shows the only source, and the main source when it is live', async () => {
          const { peer: viewer } = await view('s');
          const { peer: cam } = await publish('s', undefined, 'cam');
          await flow(cam, viewer);
          const { peer: main } = await publish('s');
          await flow(main, viewer);
          const before = viewer.received('video');
          cam.sendFrame();
          await until('the packet arrives', async () => (await harness.engine.stats('s')).packetsIn > 0);
          await flow(main, viewer);
          assert.ok(viewer.received('video') > before);
        });

        it('shows the source that a viewer pinned', async () => {
          const { peer: viewer } = await view('s', { pinnedSourceId: 'cam' });
          await publish('s');
          const { peer: cam } = await publish('s', undefined, 'cam');
          await flow(cam, viewer);
        });

        it('shows a projected source, and nothing after it was unprojected', async () => {
          const { peer: main } = await publish('s');
          const { peer: cam } = await publish('s', undefined, 'cam');
          const { peer: viewer, session } = await view('s');
          await flow(main, viewer);
          await session.project('cam', [{ kind: 'video' }, { kind: 'audio' }]);
          await flow(cam, viewer);
          await session.unproject([session.mids.video!]);
          const moreSound = async () => {
            const sound = viewer.received('audio');
            await until('audio arrives', () => {
              cam.sendFrame();
              return viewer.received('audio') > sound + 1;
            });
          };
          // By then all packets under way have arrived.
          await moreSound();
          const pictures = viewer.received('video');
          await moreSound();
          assert.equal(viewer.received('video'), pictures);
        });

        it('refuses to project an unknown source, or onto an unknown m-line', async () => {
          await publish('s');
          const { session } = await view('s');
          await assert.rejects(session.project('cam', [{ kind: 'video' }]), refusal('unknown_source'));
          const onSound = [{ kind: 'video', mediaId: session.mids.audio! }] as const;
          await assert.rejects(session.project(null, onSound), refusal('unknown_media'));
          await assert.rejects(session.unproject(['nothing']), refusal('unknown_media'));
          await assert.doesNotReject(session.select({ encodingId: '7', maxWidth: 320 }));
        });
      });
    } else {
      it('refuses to select and to show, and a second source', async () => {
        await live('s');
        const { session } = await view('s');
        await assert.rejects(session.select({ encodingId: '1' }), refusal('engine_unsupported'));
        await assert.rejects(session.project(null, [{ kind: 'video' }]), refusal('engine_unsupported'));
        await assert.rejects(session.unproject(['0']), refusal('engine_unsupported'));
        const second = await harness.publisher('s', undefined, 'cam');
        const publishing = harness.engine.publish('s', second.offer, { sourceId: 'cam' });
        await assert.rejects(publishing, refusal('engine_unsupported'));
      });
    }

    if (keepsViewers) {
      it('continues for a viewer when the publisher returns with another codec', async () => {
        const { peer: viewer } = await view('s');
        const first = await publish('s', 'vp8');
        await flow(first.peer, viewer);
        first.session.close();
        await until('the stream ended', () => hasEmitted('ended'));
        const second = await publish('s', 'h264');
        await flow(second.peer, viewer);
      });
    } else {
      it('loses the viewers of a broadcast that ended, who cannot go on with the next one', async () => {
        const { session: publisher } = await live('s');
        const { session: viewer } = await view('s');
        publisher.close();
        await until('the stream ended', () => hasEmitted('ended'));
        assert.deepEqual(events.slice(1), [
          ['session-lost', viewer.id, 'transport_lost'],
          ['ended', 's', null],
        ]);
        await assert.rejects(viewer.select({}), refusal('engine_unavailable'));
      });
    }

    if (resume) {
      it('moves a session to another network path, and its media continues', async () => {
        const publisher = await publish('s');
        const viewer = await harness.viewer();
        const session = await harness.engine.view('s', viewer.offer);
        await viewer.accept(session);
        await flow(publisher.peer, viewer);
        const moved = await harness.viewer();
        await moved.accept({ ...session, answer: await session.renew(moved.offer) });
        await flow(publisher.peer, moved);
        const otherPath = await harness.publisher('s');
        await otherPath.accept({ ...publisher.session, answer: await publisher.session.renew(otherPath.offer) });
        await flow(otherPath, moved);
        assert.deepEqual(events, [['live', 's', null, ['audio', 'video']]]);
      });

      it('refuses to move a session with other m-lines, or one that has ended', async () => {
        const session = await harness.engine.view('s', sdpOffer());
        await assert.rejects(session.renew(sdpOffer({ kinds: ['video'] })), refusal('invalid_sdp'));
        await assert.rejects(session.renew('hello'), refusal('invalid_sdp'));
        session.close();
        const { offer } = await harness.viewer();
        await assert.rejects(session.renew(offer), refusal('engine_unavailable'));
        await assert.rejects(session.select({}), refusal('engine_unavailable'));
      });
    } else {
      it('refuses to move a session to another network path', async () => {
        const { session: publisher } = await live('s');
        const { session: viewer } = await view('s');
        const { offer } = await harness.viewer();
        await assert.rejects(publisher.renew(offer), refusal('engine_unsupported'));
        if (!('renew' in viewer)) return;
        await assert.rejects(viewer.renew(offer), refusal('engine_unsupported'));
        viewer.close();
        await assert.rejects(viewer.renew(offer), refusal('engine_unavailable'));
      });
    }

    if (offerFrom === 'server') {
      it('refuses a viewer who cannot answer an offer, and one who pins a source', async () => {
        await assert.rejects(harness.engine.view('s', sdpOffer()), refusal('answer_required'));
        const pinning = harness.engine.offer!('s', sdpOffer(), { pinnedSourceId: 'cam' });
        await assert.rejects(pinning, refusal('engine_unsupported'));
      });

      it('refuses an answer that it cannot read', async () => {
        const session = await harness.engine.offer!('s', sdpOffer());
        await assert.rejects(session.accept('hello'), refusal('invalid_sdp'));
      });
    }

    if (!answersWaiting) {
      it('gives up a viewer who leaves while waiting', async () => {
        const leaving = new AbortController();
        const peer = await harness.viewer();
        const viewing = harness.engine.view('s', peer.offer, { signal: leaving.signal });
        leaving.abort(new MediaError('engine_unavailable', 'the viewer left'));
        await assert.rejects(viewing, refusal('engine_unavailable'));
        await live('s');
        assert.equal((await harness.engine.stats('s')).viewers, 0);
      });
    }

    // The last test, because it closes the engine of all.
    it('refuses every call after it was closed', async () => {
      const { peer } = await publish('s');
      peer.sendFrame();
      await until('the stream is live', () => hasEmitted('live'));
      await shared.engine.close();
      assert.deepEqual(events.slice(1), [['ended', 's', null]]);
      await assert.rejects(harness.engine.publish('s', peer.offer), refusal('engine_unavailable'));
      await assert.rejects(openViewing('s', sdpOffer()), refusal('engine_unavailable'));
      await assert.rejects(harness.engine.stats('s'), refusal('engine_unavailable'));
      const adding = harness.engine.addSource('s', { video: { codec: 'vp8' } });
      await assert.rejects(adding, refusal('engine_unavailable'));
      await shared.engine.close();
    });
  });
}

function refusal(code: MediaErrorCode): (error: unknown) => boolean {
  return (error) => error instanceof MediaError && error.code === code && error.message.length > 0;
}

/** The kind and the mid of each m-line. */
function mLines(sdp: string): [kind: string, mid: string][] {
  return Array.from(sdp.matchAll(/^m=(\w+) [^]*?^a=mid:(\S+)/gm), ([, kind, mid]) => [kind!, mid!]);
}
