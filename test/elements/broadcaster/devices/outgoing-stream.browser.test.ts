import { expect } from '@open-wc/testing';
import type { TrackKind } from '../../../../src/client/viewer/sources.js';
import { OutgoingStream } from '../../../../src/elements/broadcaster/devices/outgoing-stream.js';

describe('what goes out', () => {
  const context = new AudioContext();
  const picture = () => {
    const canvas = document.createElement('canvas');
    canvas.getContext('2d');
    return canvas.captureStream().getVideoTracks()[0]!;
  };
  const sound = () => context.createMediaStreamDestination().stream.getAudioTracks()[0]!;
  let devices: Partial<Record<TrackKind, MediaStreamTrack>>;
  let shared: MediaStream | undefined;
  let told: string[];
  let out: OutgoingStream;

  beforeEach(() => {
    devices = { video: picture(), audio: sound() };
    shared = undefined;
    told = [];
    out = new OutgoingStream({
      device: (kind) => devices[kind],
      shared: () => shared,
      onReplace: async ({ kind }) => void told.push(`other ${kind}`),
      onKinds: () => told.push('other kinds'),
    });
  });

  afterEach(() => out.close());
  after(() => context.close());

  const tracks = () => [out.track('video'), out.track('audio')];

  it('is camera and microphone', async () => {
    await out.apply();
    expect(tracks()).to.deep.equal([devices.video, devices.audio]);
    expect(told).to.deep.equal(['other kinds']);
  });

  it('is the picture of the screen, and its sound together with that of the microphone', async () => {
    await out.apply();
    const { media } = out;
    shared = new MediaStream([picture(), sound()]);
    await out.apply();
    expect(out.track('video')).to.equal(shared.getVideoTracks()[0]);
    expect([devices.audio, ...shared.getAudioTracks()]).not.to.include(out.track('audio'));
    expect(out.media).to.equal(media);
    expect(told).to.deep.equal(['other kinds', 'other video', 'other audio']);
  });

  it('is the camera again when the screen has ended, and the mix is over', async () => {
    shared = new MediaStream([picture(), sound()]);
    await out.apply();
    const mix = out.track('audio')!;
    for (const track of shared.getTracks()) track.stop();
    await out.apply();
    expect(tracks()).to.deep.equal([devices.video, devices.audio]);
    expect(mix.readyState).to.equal('ended');
  });

  it('is the last there was until there is other', async () => {
    await out.apply();
    const before = tracks();
    devices = {};
    await out.apply();
    expect(tracks()).to.deep.equal(before);
    out.close();
    expect(tracks()).to.deep.equal([undefined, undefined]);
  });

  it('has one track of a kind, however fast one comes after the other', async () => {
    await out.apply();
    for (let time = 0; time < 3; time++) {
      devices = { ...devices, video: picture() };
      void out.apply();
    }
    await out.apply();
    expect(out.media!.getVideoTracks()).to.deep.equal([devices.video]);
  });

  it('must begin anew where a track cannot take the place of another', async () => {
    out = new OutgoingStream({
      device: (kind) => devices[kind],
      shared: () => shared,
      onReplace: () => Promise.reject(new Error('of another size')),
      onKinds: () => told.push('other kinds'),
    });
    await out.apply();
    devices = { ...devices, video: picture() };
    await out.apply();
    expect(told).to.deep.equal(['other kinds', 'other kinds']);
    expect(out.track('video')).to.equal(devices.video);
  });
});
