import { expect, fixture, html, oneEvent, waitUntil } from '@open-wc/testing';
import '../../../../src/define/stream-broadcaster.js';
import { CaptureError } from '../../../../src/client/broadcaster/capture.js';
import type { StreamBroadcasterElement } from '../../../../src/elements/broadcaster/stream-broadcaster-element.js';
import type { StreamDevicesChangeEvent } from '../../../../src/elements/events.js';
import { FakeService } from '../../../support/client/fake-service.js';
import { reachPhase } from '../../../support/client/reach-phase.js';

const PATIENCE = { timeout: 10_000, interval: 10 };

describe('<stream-broadcaster> driven by code', () => {
  const { mediaDevices, permissions } = navigator;
  let service: FakeService;
  let undo: (() => void)[] = [];

  beforeEach(() => {
    service = new FakeService();
    localStorage.clear();
    allow('prompt');
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

  const allow = (state: PermissionState): void =>
    pretend(permissions, 'query', async () => Object.assign(new EventTarget(), { state }) as never);
  const refuse = (name: string): void =>
    pretend(mediaDevices, 'getUserMedia', () => Promise.reject(new DOMException('no', name)));

  const create = (template = html`<stream-broadcaster></stream-broadcaster>`): Promise<StreamBroadcasterElement> =>
    fixture<StreamBroadcasterElement>(template);
  const ready = (): Promise<StreamBroadcasterElement> =>
    create(
      html`<stream-broadcaster endpoint="https://live.test" stream-name="keynote" .token=${'sesame'}>
      </stream-broadcaster>`,
    );
  const tracks = (element: StreamBroadcasterElement): MediaStreamTrack[] => {
    const media = element.shadowRoot!.querySelector('video')!.srcObject;
    return media instanceof MediaStream ? media.getTracks() : [];
  };
  const track = (element: StreamBroadcasterElement, kind: string): MediaStreamTrack | undefined =>
    tracks(element).find((one) => one.kind === kind);
  const states = (element: StreamBroadcasterElement): string[] => [element.microphoneState, element.cameraState];

  /** Records these fields of every event of this name. */
  function record(element: EventTarget, name: string, ...fields: readonly string[]): unknown[][] {
    const values: unknown[][] = [];
    element.addEventListener(name, (event) => values.push(fields.map((field) => Reflect.get(event, field))));
    return values;
  }

  it('asks the camera for no size while the resolution is auto', async () => {
    const element = await create(html`<stream-broadcaster resolution="auto"></stream-broadcaster>`);
    const { getUserMedia } = mediaDevices;
    const asked: unknown[] = [];
    pretend(mediaDevices, 'getUserMedia', (constraints) => {
      asked.push(constraints?.video);
      return getUserMedia.call(mediaDevices, constraints);
    });
    await element.openCamera();
    expect(asked).to.deep.equal([{ frameRate: { ideal: 30 } }]);
  });

  it('opens camera and microphone once, however often openCamera() is called', async () => {
    const element = await create();
    const { getUserMedia } = mediaDevices;
    let calls = 0;
    pretend(mediaDevices, 'getUserMedia', (constraints) => {
      calls += 1;
      return getUserMedia.call(mediaDevices, constraints);
    });
    expect(states(element)).to.deep.equal(['closed', 'closed']);
    const opened = Promise.all([element.openCamera(), element.openCamera()]);
    expect(states(element)).to.deep.equal(['opening', 'opening']);
    await opened;
    await element.openCamera();
    expect(states(element)).to.deep.equal(['open', 'open']);
    expect([calls, element.captureError]).to.deep.equal([1, undefined]);
  });

  it('rejects openCamera() with the error that it shows, sends and keeps in captureError', async () => {
    const element = await create();
    refuse('NotAllowedError');
    const sent = record(element, 'stream-capture-error', 'error');
    const error: unknown = await element.openCamera().catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(CaptureError);
    expect((error as CaptureError).code).to.equal('capture_denied');
    expect([sent, element.captureError]).to.deep.equal([[[error]], error]);
    expect(states(element)).to.deep.equal(['closed', 'closed']);
  });

  it('resolves openCamera() where the page gives media of its own', async () => {
    const element = await create();
    refuse('NotAllowedError');
    const canvas = document.createElement('canvas');
    canvas.getContext('2d');
    element.srcObject = canvas.captureStream(1);
    await element.openCamera();
    expect(states(element)).to.deep.equal(['closed', 'closed']);
  });

  it('closes camera and microphone by closeCamera(), ends the broadcast, and opens them again', async () => {
    const element = await ready();
    await element.openCamera();
    element.goLive();
    await reachPhase(element, 'live');
    const before = tracks(element);
    element.closeCamera();
    expect(before.map(({ readyState }) => readyState)).to.deep.equal(['ended', 'ended']);
    expect(states(element)).to.deep.equal(['closed', 'closed']);
    await reachPhase(element, 'idle');
    expect(tracks(element)).to.deep.equal([]);
    await element.openCamera();
    await element.updateComplete;
    expect(tracks(element)).to.have.length(2);
    expect(element.phase.name).to.equal('idle');
  });

  it('stops devices at once that open after closeCamera()', async () => {
    const element = await create();
    const { getUserMedia } = mediaDevices;
    let media: MediaStream | undefined;
    pretend(mediaDevices, 'getUserMedia', async (constraints) => {
      media = await getUserMedia.call(mediaDevices, constraints);
      return media;
    });
    const opened = element.openCamera();
    element.closeCamera();
    await opened;
    expect(media!.getTracks().every(({ readyState }) => readyState === 'ended')).to.equal(true);
    expect(states(element)).to.deep.equal(['closed', 'closed']);
  });

  it('keeps a screen live when closeCamera() is called', async () => {
    const element = await ready();
    const canvas = document.createElement('canvas');
    canvas.getContext('2d');
    const screen = canvas.captureStream(1);
    pretend(mediaDevices, 'getDisplayMedia', async () => screen);
    await element.openCamera();
    await element.shareScreen();
    element.closeCamera();
    await waitUntil(() => tracks(element).length === 1, 'more than the screen', PATIENCE);
    expect([tracks(element), element.screenSharing]).to.deep.equal([screen.getTracks(), true]);
  });

  it('opens devices muted whose microphoneEnabled or cameraEnabled is false', async () => {
    const element = await create();
    element.microphoneEnabled = false;
    await element.openCamera();
    await element.updateComplete;
    expect([track(element, 'audio')!.enabled, track(element, 'video')!.enabled]).to.deep.equal([false, true]);
    element.microphoneEnabled = true;
    element.cameraEnabled = false;
    expect([track(element, 'audio')!.enabled, track(element, 'video')!.enabled]).to.deep.equal([true, false]);
    await element.updateComplete;
    expect(element.matches(':state(camera-off):not(:state(microphone-off))')).to.equal(true);
  });

  it('has boolean attributes for what is on by default', async () => {
    const element = await create(
      html`<stream-broadcaster
        microphone-off
        camera-off
        no-echo-cancellation
        no-noise-suppression
        no-auto-gain-control
      ></stream-broadcaster>`,
    );
    const values = () => [
      element.microphoneEnabled,
      element.cameraEnabled,
      element.echoCancellation,
      element.noiseSuppression,
      element.autoGainControl,
    ];
    expect(values()).to.deep.equal([false, false, false, false, false]);
    for (const name of element.getAttributeNames()) element.removeAttribute(name);
    expect(values()).to.deep.equal([true, true, true, true, true]);
  });

  it('sends stream-microphone-change and stream-camera-change when the person presses a button', async () => {
    const element = await create();
    await element.openCamera();
    await waitUntil(() => element.shadowRoot!.querySelector('[part=device-row] button'), 'no controls', PATIENCE);
    for (const [name, kind] of [
      ['stream-microphone-change', 'audio'],
      ['stream-camera-change', 'video'],
    ] as const) {
      const sent = record(document, name, 'enabled', 'state', 'deviceId');
      const index = kind === 'audio' ? 0 : 1;
      element.shadowRoot!.querySelectorAll<HTMLElement>('[part=device-row] button')[index]!.click();
      await element.updateComplete;
      expect(sent).to.deep.equal([[false, 'open', track(element, kind)!.getSettings().deviceId]]);
    }
    expect([element.microphoneEnabled, element.cameraEnabled]).to.deep.equal([false, false]);
  });

  it('sends an event for each state of a device', async () => {
    const element = await create();
    const sent = record(element, 'stream-camera-change', 'state');
    await element.openCamera();
    await element.updateComplete;
    const camera = track(element, 'video')!;
    camera.stop();
    camera.dispatchEvent(new Event('ended'));
    await waitUntil(() => element.cameraState === 'lost', 'not lost', PATIENCE);
    await element.openCamera();
    element.closeCamera();
    await element.updateComplete;
    expect(sent.flat()).to.deep.equal(['opening', 'open', 'lost', 'opening', 'open', 'closed']);
  });

  it('lists the devices, and opens the one that the page sets', async () => {
    const element = await create();
    const listed = oneEvent<StreamDevicesChangeEvent>(element, 'stream-devices-change');
    expect([element.audioDevices, element.videoDevices]).to.deep.equal([[], []]);
    await element.openCamera();
    const { audioDevices, videoDevices } = await listed;
    expect([element.audioDevices, element.videoDevices]).to.deep.equal([audioDevices, videoDevices]);
    for (const [name, devices, kind] of [
      ['audioDeviceId', element.audioDevices, 'audio'],
      ['videoDeviceId', element.videoDevices, 'video'],
    ] as const) {
      expect(element[name]).to.equal(track(element, kind)!.getSettings().deviceId);
      const other = devices.find(({ deviceId }) => deviceId !== element[name])?.deviceId ?? element[name];
      element[name] = other;
      expect(element[name]).to.equal(other);
      await waitUntil(() => track(element, kind)?.getSettings().deviceId === other, `not opened: ${kind}`, PATIENCE);
    }
  });

  it('opens the devices of its attributes, and the default devices of the browser where those are not plugged in', async () => {
    const devices = await mediaDevices.enumerateDevices();
    const camera = devices.findLast(({ kind }) => kind === 'videoinput')!.deviceId;
    const element = await create(html`<stream-broadcaster video-device-id=${camera}></stream-broadcaster>`);
    await element.openCamera();
    expect(element.videoDeviceId).to.equal(camera);
    element.closeCamera();
    element.setAttribute('audio-device-id', 'no-such-microphone');
    await element.openCamera();
    expect(states(element)).to.deep.equal(['open', 'open']);
  });

  it('sends stream-screen-change, and has screenSharing while a screen is shared', async () => {
    const element = await create();
    const canvas = document.createElement('canvas');
    canvas.getContext('2d');
    pretend(mediaDevices, 'getDisplayMedia', async () => canvas.captureStream(1));
    const sent = record(element, 'stream-screen-change', 'sharing');
    await element.shareScreen();
    expect(element.screenSharing).to.equal(true);
    await element.updateComplete;
    await element.stopScreen();
    await element.updateComplete;
    expect([element.screenSharing, sent.flat()]).to.deep.equal([false, [true, false]]);
  });

  it('rejects shareScreen() where no screen may be shared', async () => {
    const element = await create();
    pretend(mediaDevices, 'getDisplayMedia', () => Promise.reject(new DOMException('no', 'NotAllowedError')));
    const error: unknown = await element.shareScreen().catch((thrown: unknown) => thrown);
    expect((error as CaptureError).code).to.equal('capture_no_screen');
    expect(element.captureError).to.equal(error);
  });

  it('opens by itself where permission is stored, unless no-auto-open is set', async () => {
    allow('granted');
    const manual = await create(html`<stream-broadcaster no-auto-open></stream-broadcaster>`);
    const automatic = await create();
    await waitUntil(() => automatic.cameraState === 'open', 'not opened', PATIENCE);
    expect(manual.cameraState).to.equal('closed');
    await manual.openCamera();
    expect(manual.cameraState).to.equal('open');
  });

  it('does not open by itself when the page has called closeCamera() meanwhile', async () => {
    const answer = Promise.withResolvers<PermissionStatus>();
    pretend(permissions, 'query', () => answer.promise);
    const element = await create();
    element.closeCamera();
    answer.resolve(Object.assign(new EventTarget(), { state: 'granted' }) as never);
    await answer.promise;
    await element.updateComplete;
    expect(element.cameraState).to.equal('closed');
  });

  it('publishes as the source of source-id', async () => {
    const element = await ready();
    element.setAttribute('source-id', 'camera-2');
    await element.openCamera();
    element.goLive();
    await reachPhase(element, 'live');
    expect(service.requests[0]!.body).to.deep.equal({ streamName: 'keynote', sourceId: 'camera-2' });
  });
});
