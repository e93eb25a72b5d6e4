import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import '../../../../src/define/stream-broadcaster.js';
import type { StreamBroadcasterElement } from '../../../../src/elements/broadcaster/stream-broadcaster-element.js';
import { itNeeds } from '../../../support/capabilities.js';
import { FakeService } from '../../../support/client/fake-service.js';

const PATIENCE = { timeout: 10_000, interval: 10 };

describe('the devices of <stream-broadcaster>', () => {
  const { mediaDevices, permissions } = navigator;
  let service: FakeService;
  let undo: (() => void)[] = [];

  beforeEach(() => {
    service = new FakeService();
    localStorage.clear();
  });

  afterEach(() => {
    for (const one of undo) one();
    undo = [];
    service.close();
  });

  /** Replaces a member of a browser API until the test is over. */
  function pretend<Target extends object, Name extends keyof Target & string>(
    target: Target,
    name: Name,
    fake: Target[Name],
  ): void {
    Object.defineProperty(target, name, { value: fake, configurable: true, writable: true });
    undo.push(() => Reflect.deleteProperty(target, name));
  }

  const text = (element: StreamBroadcasterElement) => element.shadowRoot!.textContent.replaceAll(/\s+/g, ' ');
  const notice = (element: StreamBroadcasterElement) =>
    [...element.shadowRoot!.querySelectorAll('[role=alert]')].map(({ textContent }) => textContent).join(' ');
  const find = <Found extends Element>(element: StreamBroadcasterElement, selector: string) =>
    element.shadowRoot!.querySelector<Found>(selector)!;
  const button = (element: StreamBroadcasterElement, label: string) =>
    [...element.shadowRoot!.querySelectorAll('button')].find((one) =>
      (one.getAttribute('aria-label') ?? one.textContent).includes(label),
    );
  const until = (what: () => unknown, fault: string) => waitUntil(what, fault, PATIENCE);
  const sent = (element: StreamBroadcasterElement, kind: string) => {
    const media = find<HTMLVideoElement>(element, 'video').srcObject;
    return media instanceof MediaStream ? media.getTracks().find((track) => track.kind === kind) : undefined;
  };
  /** Ends a track as a browser does when its device is unplugged. */
  const unplug = (track: MediaStreamTrack) => {
    track.stop();
    track.dispatchEvent(new Event('ended'));
  };

  async function withCamera(): Promise<StreamBroadcasterElement> {
    const element = await fixture<StreamBroadcasterElement>(
      html`<stream-broadcaster
        style="width: 640px"
        endpoint="https://live.test"
        stream-name="keynote"
        .token=${'sesame'}
      ></stream-broadcaster>`,
    );
    await element.openCamera();
    await until(() => button(element, 'Go live') && find(element, 'select'), 'no camera');
    return element;
  }

  async function live(): Promise<StreamBroadcasterElement> {
    const element = await withCamera();
    button(element, 'Go live')!.click();
    await until(() => element.phase.name === 'live', 'not live');
    await element.updateComplete;
    return element;
  }

  function screenOf({ withSound = false } = {}): MediaStream {
    const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 180 });
    canvas.getContext('2d')!.fillRect(0, 0, 10, 10);
    const screen = canvas.captureStream(5);
    if (withSound) {
      const context = new AudioContext();
      screen.addTrack(context.createMediaStreamDestination().stream.getAudioTracks()[0]!);
      undo.push(() => void context.close());
    }
    pretend(mediaDevices, 'getDisplayMedia', () => Promise.resolve(screen));
    return screen;
  }

  it('mirror the preview of a front camera, and not that of a rear camera or a screen', async () => {
    const element = await withCamera();
    const isMirrored = () => getComputedStyle(find(element, 'video')).scale === '-1 1';
    for (const [facingMode, expected] of [
      ['environment', false],
      ['user', true],
    ] as const) {
      pretend(sent(element, 'video')!, 'getSettings', () => ({ facingMode }));
      element.requestUpdate();
      await element.updateComplete;
      expect(isMirrored()).to.equal(expected);
    }
    screenOf();
    await element.shareScreen();
    await element.updateComplete;
    expect(isMirrored()).to.equal(false);
  });

  it('say in place of the picture what is true: a camera that is off, one that is lost, or none', async () => {
    const element = await withCamera();
    const said = async () => {
      element.requestUpdate();
      await element.updateComplete;
      return find(element, '[part=cover]').textContent.trim();
    };
    element.cameraEnabled = false;
    expect(await said()).to.equal('Camera is off');
    element.cameraEnabled = true;
    unplug(sent(element, 'video')!);
    await until(() => element.cameraState === 'lost', 'not lost');
    expect(await said()).to.equal('Camera disconnected');
    const sound = new MediaStream([sent(element, 'audio')!.clone()]);
    undo.push(() => sound.getTracks()[0]!.stop());
    element.srcObject = sound;
    await until(async () => (await said()) === 'Sound only', 'a camera');
  });

  it('switch to the screen and back while live without a new connection', async () => {
    const element = await live();
    const camera = sent(element, 'video');
    const screen = screenOf().getVideoTracks()[0];
    button(element, 'Share screen')!.click();
    await until(() => sent(element, 'video') === screen, 'no screen');
    expect(camera!.readyState).to.equal('live');
    await until(() => button(element, 'Stop sharing'), 'no button');
    button(element, 'Stop sharing')!.click();
    await until(() => sent(element, 'video') === camera, 'no camera');
    expect(screen!.readyState).to.equal('ended');
    expect(notice(element)).to.equal('');
    expect([element.phase.name, service.sockets.length]).to.deep.equal(['live', 1]);
  });

  it('switch back with a notice when the person stops sharing in the bar of the browser', async () => {
    const element = await live();
    const camera = sent(element, 'video');
    const screen = screenOf().getVideoTracks()[0]!;
    await element.shareScreen();
    unplug(screen);
    await until(() => sent(element, 'video') === camera, 'no camera');
    await until(() => notice(element).includes('Screen sharing has ended'), 'no notice');
    expect(element.phase.name).to.equal('live');
    await expect(element).to.be.accessible();
  });

  it('mix the sound of a shared tab with the microphone', async () => {
    const element = await live();
    const microphone = sent(element, 'audio');
    const screen = screenOf({ withSound: true });
    await element.shareScreen();
    const both = sent(element, 'audio');
    expect(both).not.to.equal(microphone);
    expect(screen.getAudioTracks()).not.to.include(both);
    await element.updateComplete;
    button(element, 'Turn off microphone')!.click();
    expect([microphone!.enabled, both!.enabled]).to.deep.equal([false, true]);
    await element.stopScreen();
    expect(sent(element, 'audio')).to.equal(microphone);
    expect(service.sockets).to.have.length(1);
  });

  it('stay as they are when the person chooses no screen', async () => {
    const element = await live();
    const camera = sent(element, 'video');
    let now = performance.now();
    pretend(performance, 'now', () => now);
    pretend(mediaDevices, 'getDisplayMedia', () => {
      now += 2_000;
      return Promise.reject(new DOMException('no', 'NotAllowedError'));
    });
    await element.shareScreen();
    await element.updateComplete;
    expect(sent(element, 'video')).to.equal(camera);
    expect(notice(element)).to.equal('');
  });

  it('stay as they are in a frame that may not share a screen, with a notice', async () => {
    const element = await live();
    const camera = sent(element, 'video');
    const errors: string[] = [];
    element.addEventListener('stream-capture-error', ({ error }) => errors.push(error.code));
    pretend(mediaDevices, 'getDisplayMedia', () => Promise.reject(new DOMException('no', 'NotAllowedError')));
    button(element, 'Share screen')!.click();
    await until(() => notice(element).includes('Your screen cannot be shared'), 'no notice');
    expect(notice(element)).to.contain('in its own tab');
    expect(errors).to.deep.equal(['capture_no_screen']);
    expect(sent(element, 'video')).to.equal(camera);
    await expect(element).to.be.accessible();
  });

  it('end the broadcast when the screen ends and nothing else is open', async () => {
    pretend(mediaDevices, 'getUserMedia', () => Promise.reject(new DOMException('no', 'NotAllowedError')));
    const element = await fixture<StreamBroadcasterElement>(
      html`<stream-broadcaster endpoint="https://live.test" stream-name="keynote" .token=${'sesame'}>
      </stream-broadcaster>`,
    );
    await element.openCamera().catch(() => {});
    const screen = screenOf().getVideoTracks()[0]!;
    await element.shareScreen();
    element.goLive();
    await until(() => element.phase.name === 'live', 'not live');
    unplug(screen);
    await until(() => element.phase.name === 'idle', 'still live');
    expect(service.open).to.have.length(0);
  });

  for (const [kind, name] of [
    ['video', 'camera'],
    ['audio', 'microphone'],
  ] as const) {
    it(`may lose the ${name} while live: the rest stays live, a notice appears, and another ${name} replaces the lost one`, async () => {
      const element = await live();
      const lost = sent(element, kind)!;
      const { enumerateDevices } = mediaDevices;
      const id = lost.getSettings().deviceId;
      pretend(mediaDevices, 'enumerateDevices', async () =>
        (await enumerateDevices.call(mediaDevices)).filter(({ deviceId }) => deviceId !== id),
      );
      unplug(lost);
      mediaDevices.dispatchEvent(new Event('devicechange'));
      await until(() => notice(element).toLowerCase().includes(`${name} disconnected`), 'no notice');
      expect(element.phase.name).to.equal('live');
      await expect(element).to.be.accessible();
      await until(() => button(element, `Turn on ${name}`), 'no way back');
      button(element, `Turn on ${name}`)!.click();
      await until(() => sent(element, kind)?.readyState === 'live', `no ${name}`);
      await until(() => notice(element) === '', 'the notice stays');
      expect([element.phase.name, service.sockets.length]).to.deep.equal(['live', 1]);
    });
  }

  it('open again when they are plugged in again', async () => {
    const element = await live();
    unplug(sent(element, 'video')!);
    await until(() => notice(element).includes('Camera disconnected'), 'no notice');
    mediaDevices.dispatchEvent(new Event('devicechange'));
    await until(() => sent(element, 'video')?.readyState === 'live', 'no camera');
    expect(service.sockets).to.have.length(1);
  });

  it('show what to do when their permission is revoked while live', async () => {
    const element = await live();
    pretend(permissions, 'query', () =>
      Promise.resolve(Object.assign(new EventTarget(), { state: 'denied' }) as never),
    );
    unplug(sent(element, 'video')!);
    await until(() => notice(element).includes('blocked'), 'no notice');
    expect(notice(element)).to.contain('address bar');
    expect(element.phase.name).to.equal('live');
  });

  it('are those that were chosen last, if they are plugged in', async () => {
    const element = await withCamera();
    const cameras = (await mediaDevices.enumerateDevices()).filter(({ kind }) => kind === 'videoinput');
    const wanted = cameras.at(-1)!.deviceId;
    const picker = [...element.shadowRoot!.querySelectorAll('select')][1]!;
    picker.value = wanted;
    picker.dispatchEvent(new Event('change'));
    await until(() => localStorage.getItem('streamgate-devices')?.includes(wanted), 'not remembered');
    element.remove();
    const again = await withCamera();
    expect(sent(again, 'video')!.getSettings().deviceId).to.equal(wanted);
  });

  it('are others if those that were chosen last are not plugged in', async () => {
    localStorage.setItem('streamgate-devices', '{"video":"no-such-camera","audio":7}');
    const element = await withCamera();
    expect(sent(element, 'video')!.readyState).to.equal('live');
  });

  itNeeds('camera-that-resizes')('change the resolution while live without a new connection', async () => {
    const element = await live();
    element.resolution = 360;
    await until(() => sent(element, 'video')!.getSettings().height === 360, 'the same size');
    expect(service.sockets).to.have.length(1);
  });

  it('open the microphone again for other audio constraints without a new connection', async () => {
    const element = await live();
    const before = sent(element, 'audio')!;
    element.echoCancellation = false;
    await until(() => sent(element, 'audio') !== before, 'the same microphone');
    expect(sent(element, 'audio')!.getSettings().echoCancellation).to.equal(false);
    expect(service.sockets).to.have.length(1);
  });

  it('are closed except the one that was chosen last, however fast the choices follow', async () => {
    const element = await live();
    const opened: MediaStreamTrack[] = [sent(element, 'video')!, sent(element, 'audio')!];
    const { getUserMedia } = mediaDevices;
    pretend(mediaDevices, 'getUserMedia', async (constraints) => {
      const media = await getUserMedia.call(mediaDevices, constraints);
      opened.push(...media.getTracks());
      return media;
    });
    const [, picker] = element.shadowRoot!.querySelectorAll('select');
    for (let time = 0; time < 3; time++) picker!.dispatchEvent(new Event('change'));
    element.noiseSuppression = false;
    await element.updateComplete;
    // The last choice. WebKit knows this setting alone.
    element.echoCancellation = false;
    await element.updateComplete;
    const on = (kind: string) => opened.filter((track) => track.kind === kind && track.readyState === 'live');
    const isNew = (kind: string) => opened.slice(2).includes(sent(element, kind)!);
    await until(() => isNew('video') && isNew('audio'), 'the first devices');
    await until(
      () => sent(element, 'audio')!.getSettings().echoCancellation === false,
      'the constraints are the old ones',
    );
    expect([on('video'), on('audio')]).to.deep.equal([[sent(element, 'video')], [sent(element, 'audio')]]);
    expect([element.phase.name, service.sockets.length]).to.deep.equal(['live', 1]);
  });

  itNeeds('audio-output')('show the level of the microphone', async () => {
    const element = await withCamera();
    await until(() => Number(find(element, '[role=meter]').getAttribute('aria-valuenow')) > 10, 'silence');
  });

  it('are replaced by media of the page, whose tracks are never stopped', async () => {
    const given = screenOf({ withSound: true });
    const [track] = given.getVideoTracks();
    let requests = 0;
    pretend(mediaDevices, 'getUserMedia', () => Promise.reject(new Error(String(requests++))));
    const element = await fixture<StreamBroadcasterElement>(
      html`<stream-broadcaster
        endpoint="https://live.test"
        stream-name="keynote"
        .token=${'sesame'}
        .srcObject=${given}
      ></stream-broadcaster>`,
    );
    await until(() => sent(element, 'video') === track, 'not shown');
    element.goLive();
    await until(() => element.phase.name === 'live', 'not live');
    expect(text(element)).not.to.contain('Share screen');
    await expect(element).to.be.accessible();

    const other = screenOf({ withSound: true });
    element.srcObject = other;
    await until(() => sent(element, 'video') === other.getVideoTracks()[0], 'still the first stream');
    expect([element.phase.name, service.sockets.length]).to.deep.equal(['live', 1]);

    element.echoCancellation = false;
    element.resolution = 360;
    await element.updateComplete;
    expect(requests, 'a microphone').to.equal(0);
    expect(other.getVideoTracks()[0]!.getConstraints()).to.deep.equal({});

    element.srcObject = null;
    await until(() => element.phase.name === 'idle', 'still live');
    element.remove();
    expect([track!.readyState, other.getVideoTracks()[0]!.readyState]).to.deep.equal(['live', 'live']);
  });
});
