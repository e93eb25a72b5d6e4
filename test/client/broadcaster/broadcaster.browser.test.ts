import { expect, waitUntil } from '@open-wc/testing';
import { Broadcaster, type ResumeStore } from '../../../src/client/broadcaster/broadcaster.js';
import { openCapture } from '../../../src/client/broadcaster/capture.js';
import { itNeeds } from '../../support/capabilities.js';
import { FakeService, granted } from '../../support/client/fake-service.js';
import { reachPhase } from '../../support/client/reach-phase.js';

const PATIENCE = { timeout: 10_000, interval: 10 };

describe('a broadcaster', () => {
  let service: FakeService;
  let broadcaster: Broadcaster;
  let media: MediaStream;
  let phases: string[];

  beforeEach(async () => {
    service = new FakeService();
    media = await openCapture();
    phases = [];
    broadcaster = new Broadcaster();
    broadcaster.addEventListener('phasechange', () => {
      if (phases.at(-1) !== broadcaster.phase.name) phases.push(broadcaster.phase.name);
    });
  });

  afterEach(() => {
    broadcaster.stop();
    for (const track of media.getTracks()) track.stop();
    service.close();
  });

  const inPhase = (name: string) => reachPhase(broadcaster, name);
  const commands = (name: string) => service.commands.filter((command) => command.name === name);
  const goLive = async (options: object = {}) => {
    broadcaster.start({ endpoint: 'https://live.test', streamName: 'keynote', token: 'sesame', media, ...options });
    await inPhase('live');
  };

  const sentTracks = async () => {
    const stats = [...(await broadcaster.getStats())!.values()] as { type: string; trackIdentifier?: string }[];
    return stats.filter(({ type }) => type === 'media-source').map(({ trackIdentifier }) => trackIdentifier);
  };
  /** Firefox adds a track to the statistics a moment later. */
  const sends = (track: MediaStreamTrack) =>
    waitUntil(async () => (await sentTracks()).includes(track.id), 'the track is not sent', PATIENCE);

  it('sends its options with publish, and that it can resume', async () => {
    await goLive({ codec: 'h264', sourceId: 'stage', priority: 5 });
    const { sdp, ...data } = commands('publish')[0]!.data;
    expect(sdp).to.be.a('string');
    expect(data).to.deep.equal({
      name: 'keynote',
      codec: 'h264',
      sourceId: 'stage',
      priority: 5,
      events: ['viewercount', 'migrate', 'recording', 'load'],
      resumable: true,
    });
  });

  it('knows that the server is overloaded, until the server says otherwise or it starts again', async () => {
    await goLive();
    const tell = (overloaded: unknown) => {
      service.sendEvent('load', { streamId: 'acme/keynote', sourceId: null, overloaded });
      return waitUntil(
        () => broadcaster.serverOverloaded === (overloaded === true),
        'the event has not come',
        PATIENCE,
      );
    };
    expect(broadcaster.serverOverloaded).to.equal(false);
    await tell(true);
    await tell('yes');
    await tell(true);
    broadcaster.stop();
    expect(broadcaster.serverOverloaded).to.equal(false);
  });

  it('sends unpublish when it stops', async () => {
    await goLive();
    broadcaster.stop();
    expect(commands('unpublish')).to.have.length(1);
    expect([service.sockets[0]!.readyState, service.sockets[0]!.closeCode]).to.deep.equal([3, undefined]);
  });

  it('sends unpublish before its media ends: otherwise the server would keep the source for the lease', async () => {
    await goLive();
    const { close } = RTCPeerConnection.prototype;
    const unpublished: number[] = [];
    RTCPeerConnection.prototype.close = function (this: RTCPeerConnection) {
      unpublished.push(commands('unpublish').length);
      close.call(this);
    };
    try {
      broadcaster.stop();
      await waitUntil(() => unpublished.length > 0, 'the connection is not closed', PATIENCE);
    } finally {
      RTCPeerConnection.prototype.close = close;
    }
    expect(unpublished).to.deep.equal([1]);
  });

  it('sends its session key where the server refuses to resume the session', async () => {
    service.resumes = 'refused';
    await goLive();
    service.sockets[0]!.close();
    await inPhase('reconnecting');
    await inPhase('live');
    expect(service.requests.map(({ body }) => (body as { sessionKey?: string }).sessionKey)).to.deep.equal([
      undefined,
      'key-1',
    ]);
    expect(commands('unpublish')).to.have.length(0);
  });

  it('takes another camera while it reconnects, and sends it from then on', async () => {
    await goLive();
    service.sockets[0]!.close();
    await inPhase('reconnecting');
    const [camera] = document.createElement('canvas').captureStream(10).getVideoTracks();
    await broadcaster.replaceTrack(camera!);
    expect(media.getVideoTracks()).to.deep.equal([camera]);
    await inPhase('live');
    await sends(camera!);
  });

  it('sends another camera over both connections while it migrates, and keeps it afterwards', async () => {
    const senders = new Set<RTCRtpSender>();
    const { addTransceiver } = RTCPeerConnection.prototype;
    RTCPeerConnection.prototype.addTransceiver = function (this: RTCPeerConnection, ...args) {
      const transceiver = addTransceiver.apply(this, args);
      if (transceiver.sender.track?.kind === 'video') senders.add(transceiver.sender);
      return transceiver;
    };
    const [camera] = document.createElement('canvas').captureStream(10).getVideoTracks();
    let letOpen = () => {};
    try {
      await goLive();
      service.opening = new Promise<void>((resolve) => (letOpen = resolve));
      service.sendEvent('migrate', {});
      await waitUntil(() => service.sockets.length === 2, 'there is no second connection', PATIENCE);
      await broadcaster.replaceTrack(camera!);
      expect([...senders].map(({ track }) => track)).to.deep.equal([camera, camera]);
    } finally {
      RTCPeerConnection.prototype.addTransceiver = addTransceiver;
      letOpen();
    }
    await waitUntil(() => service.open.length === 1, 'both sockets are open', PATIENCE);
    await sends(camera!);
  });

  it('sends the camera that is taken while a connection is made', async () => {
    await goLive();
    const [camera] = document.createElement('canvas').captureStream(10).getVideoTracks();
    const { replaceTrack } = RTCRtpSender.prototype;
    let goOn = () => {};
    RTCRtpSender.prototype.replaceTrack = async function (this: RTCRtpSender, track) {
      await new Promise<void>((resolve) => (goOn = resolve));
      await replaceTrack.call(this, track);
    };
    let letOpen = () => {};
    service.opening = new Promise<void>((resolve) => (letOpen = resolve));
    try {
      const replacing = broadcaster.replaceTrack(camera!);
      service.sendEvent('migrate', {});
      await waitUntil(() => service.sockets.length === 2, 'there is no second connection', PATIENCE);
      goOn();
      await replacing;
    } finally {
      RTCRtpSender.prototype.replaceTrack = replaceTrack;
      letOpen();
    }
    await waitUntil(() => service.open.length === 1, 'both sockets are open', PATIENCE);
    await sends(camera!);
  });

  it('keeps the wish to record while it reconnects, and waits for no answer of the lost session', async () => {
    const { data } = granted.body as { data: object };
    service.answer = { ...granted, body: { status: 'success', data: { ...data, record: true } } };
    await goLive();
    service.sockets[0]!.close();
    await inPhase('reconnecting');
    await broadcaster.unrecord();
    expect(commands('unrecord')).to.deep.equal([]);
    await inPhase('live');
    expect(commands('publish').map((command) => command.data['record'])).to.deep.equal([undefined, false]);
  });

  itNeeds('renewal-of-a-path')('does not send unpublish when it replaces its session', async () => {
    await goLive();
    service.refuses = 'unknown_command';
    window.dispatchEvent(new Event('online'));
    await inPhase('reconnecting');
    expect(commands('unpublish')).to.have.length(0);
    expect(service.sockets[0]!.closeCode).to.equal(4000);
  });

  itNeeds('renewal-of-a-path')('renews its media path on the same websocket', async () => {
    await goLive();
    phases.length = 0;
    window.dispatchEvent(new Event('online'));
    await waitUntil(() => commands('renew').length === 1, 'no renewal', PATIENCE);
    expect([phases, service.sockets.length]).to.deep.equal([[], 1]);
  });

  it('stays live while it migrates', async () => {
    await goLive();
    phases.length = 0;
    service.sendEvent('migrate', {});
    await waitUntil(() => commands('publish').length === 2, 'there is no second publish', PATIENCE);
    service.sockets[0]!.receive({ type: 'event', name: 'stopped', data: { code: 'replaced' } });
    await waitUntil(() => service.open.length === 1, 'both sockets are open', PATIENCE);
    // The new session dispatches live again where it is connected by now.
    expect(phases.filter((name) => name !== 'live')).to.deep.equal([]);
    expect((service.requests[1]!.body as { sessionKey?: string }).sessionKey).to.equal('key-1');
  });

  itNeeds('webrtc')('sends a large video in three sizes with simulcast', async () => {
    await goLive({ simulcast: true });
    const sdp = String(commands('publish')[0]!.data['sdp']);
    expect(sdp).to.match(/^a=simulcast:send q;h;f\r$/m);
    expect(sdp).to.match(/^a=rid:q send\r$/m);
  });

  it('continues when it is started again with the same options', async () => {
    await goLive();
    phases.length = 0;
    broadcaster.start({ endpoint: 'https://live.test', streamName: 'keynote', token: 'sesame', media });
    expect([phases, service.requests.length, commands('unpublish').length]).to.deep.equal([[], 1, 0]);
  });

  it('starts another broadcast with other options, or after a stop', async () => {
    await goLive();
    await goLive({ streamName: 'other' });
    expect(commands('publish').map(({ data }) => data['name'])).to.deep.equal(['keynote', 'other']);
    broadcaster.stop();
    await goLive({ streamName: 'other' });
    expect(commands('publish')).to.have.length(3);
  });

  describe('whose page unloads', () => {
    let storedKey: string | undefined;
    const resume: ResumeStore = { load: () => storedKey, save: (key) => (storedKey = key) };

    beforeEach(() => (storedKey = undefined));

    it('stores its session key, and does not release the source', async () => {
      await goLive({ resume });
      expect(storedKey).to.equal(undefined);
      broadcaster.leave();
      expect(storedKey).to.match(/key-1$/);
      expect(commands('unpublish')).to.have.length(0);
      expect(service.sockets[0]!.closeCode).to.equal(4000);
      await goLive({ resume });
      expect((service.requests[1]!.body as { sessionKey?: string }).sessionKey).to.equal('key-1');
      expect(storedKey, 'a duplicated tab must not find the key').to.equal(undefined);
    });

    it('stores its session key after stop, too: unpublish may be lost with the page', async () => {
      await goLive({ resume });
      broadcaster.stop();
      broadcaster.leave();
      expect(commands('unpublish')).to.have.length(1);
      expect(storedKey).to.match(/key-1$/);
    });

    for (const [what, other] of [
      ['stream', { streamName: 'other' }],
      ['endpoint', { endpoint: 'https://elsewhere.test' }],
      ['account', { accountId: 'umbrella' }],
      ['source', { sourceId: 'stage' }],
    ] as const) {
      it(`does not send its key for another ${what}, whatever the store returns`, async () => {
        await goLive({ resume });
        await goLive({ resume, ...other });
        expect((service.requests[1]!.body as { sessionKey?: string }).sessionKey).to.equal(undefined);
      });
    }

    it('finds the key of each stream in a store that keeps several', async () => {
      const keys = new Map<string, string | undefined>();
      const resumeByStream: ResumeStore = {
        load: (stream) => keys.get(stream),
        save: (key, stream) => keys.set(stream, key),
      };
      await goLive({ resume: resumeByStream });
      await goLive({ resume: resumeByStream, streamName: 'other' });
      await goLive({ resume: resumeByStream });
      expect(service.requests.map(({ body }) => (body as { sessionKey?: string }).sessionKey)).to.deep.equal([
        undefined,
        undefined,
        'key-1',
      ]);
    });
  });
});
