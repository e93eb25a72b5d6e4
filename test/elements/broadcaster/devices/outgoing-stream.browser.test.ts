import { expect } from '@open-wc/testing';
import type { TrackKind } from '../../../../src/client/viewer/sources.js';
import { OutgoingStream } from '../../../../src/elements/broadcaster/devices/outgoing-stream.js';

describe('the outgoing stream', () => {
  const context = new AudioContext();
  const videoTrack = () => {
    const canvas = document.createElement('canvas');
    canvas.getContext('2d');
    return canvas.captureStream().getVideoTracks()[0]!;
  };
  const audioTrack = () => context.createMediaStreamDestination().stream.getAudioTracks()[0]!;
  let devices: Partial<Record<TrackKind, MediaStreamTrack>>;
  let shared: MediaStream | undefined;
  let calls: string[];
  let out: OutgoingStream;

  beforeEach(() => {
    devices = { video: videoTrack(), audio: audioTrack() };
    shared = undefined;
    calls = [];
    out = new OutgoingStream({
      device: (kind) => devices[kind],
      shared: () => shared?.getTracks() ?? [],
      onReplace: async ({ kind }) => void calls.push(`replaces ${kind}`),
      onKindsChange: () => calls.push('kinds change'),
      onMixError: () => calls.push('no mix'),
    });
  });

  afterEach(() => out.close());
  after(() => context.close());

  const tracks = () => [out.track('video'), out.track('audio')];

  it('has the tracks of camera and microphone', async () => {
    await out.apply();
    expect(tracks()).to.deep.equal([devices.video, devices.audio]);
    expect(calls).to.deep.equal(['kinds change']);
  });

  it('has the video of a shared screen, and its sound mixed with the microphone', async () => {
    await out.apply();
    const { media } = out;
    shared = new MediaStream([videoTrack(), audioTrack()]);
    await out.apply();
    expect(out.track('video')).to.equal(shared.getVideoTracks()[0]);
    expect([devices.audio, ...shared.getAudioTracks()]).not.to.include(out.track('audio'));
    expect(out.media).to.equal(media);
    expect(calls).to.deep.equal(['kinds change', 'replaces video', 'replaces audio']);
  });

  it('has the camera again when the screen has ended, and stops the mixed track', async () => {
    shared = new MediaStream([videoTrack(), audioTrack()]);
    await out.apply();
    const mix = out.track('audio')!;
    for (const track of shared.getTracks()) track.stop();
    await out.apply();
    expect(tracks()).to.deep.equal([devices.video, devices.audio]);
    expect(mix.readyState).to.equal('ended');
  });

  it('keeps its last tracks until there are others', async () => {
    await out.apply();
    const before = tracks();
    devices = {};
    await out.apply();
    expect(tracks()).to.deep.equal(before);
    out.close();
    expect(tracks()).to.deep.equal([undefined, undefined]);
  });

  it('has one track of each kind, however fast they are replaced', async () => {
    await out.apply();
    for (let time = 0; time < 3; time++) {
      devices = { ...devices, video: videoTrack() };
      void out.apply();
    }
    await out.apply();
    expect(out.media!.getVideoTracks()).to.deep.equal([devices.video]);
  });

  it('reports other kinds where a track cannot be replaced', async () => {
    out = new OutgoingStream({
      device: (kind) => devices[kind],
      shared: () => shared?.getTracks() ?? [],
      onReplace: () => Promise.reject(new Error('another size')),
      onKindsChange: () => calls.push('kinds change'),
      onMixError: () => calls.push('no mix'),
    });
    await out.apply();
    devices = { ...devices, video: videoTrack() };
    await out.apply();
    expect(calls).to.deep.equal(['kinds change', 'kinds change']);
    expect(out.track('video')).to.equal(devices.video);
  });

  it('changes again after a change that threw', async () => {
    let isBroken = true;
    out = new OutgoingStream({
      device: (kind) => devices[kind],
      shared: () => [],
      onReplace: async () => {},
      onKindsChange: () => {
        if (isBroken) throw new Error('broken');
      },
      onMixError: () => {},
    });
    const thrown: unknown = await out.apply().catch((error: unknown) => error);
    expect(thrown).to.be.instanceOf(Error);
    isBroken = false;
    devices = { ...devices, video: videoTrack() };
    await out.apply();
    expect(out.track('video')).to.equal(devices.video);
  });
});
