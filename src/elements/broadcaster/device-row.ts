import type { TrackKind } from '../../client/sources.js';
import type { BroadcasterWords } from '../words/words.js';
import type { CaptureController } from './capture-controller.js';
import { cameraIcon, cameraOffIcon, microphoneIcon, microphoneOffIcon } from './device-icons.js';
import { h, type View } from './view.js';

/** The button that switches a device, and the list of those to take in its place. Undefined: there is none. */
export function deviceRow(
  words: BroadcasterWords,
  capture: CaptureController,
  kind: TrackKind,
  isGiven: boolean,
): View | undefined {
  const isVideo = kind === 'video';
  const devices = isVideo ? capture.devices.cameras : capture.devices.microphones;
  const device = capture.device(kind);
  if (!device && (isGiven || (devices.length === 0 && !capture.loss(kind)))) return undefined;
  const name = isVideo ? words.camera : words.microphone;
  const isOn = device?.enabled ?? false;
  const [turnOff, turnOn] = isVideo
    ? [words.turnOffCamera, words.turnOnCamera]
    : [words.turnOffMicrophone, words.turnOnMicrophone];
  const [on, off] = isVideo ? [cameraIcon, cameraOffIcon] : [microphoneIcon, microphoneOffIcon];
  const label = isOn ? turnOff : turnOn;
  return h(
    'div',
    { class: 'device' },
    h(
      'button',
      {
        part: 'button',
        class: isOn ? '' : 'off',
        'aria-label': label,
        title: label,
        onclick: () => capture.toggle(kind),
      },
      isOn ? on : off,
    ),
    !isGiven && picker(name, devices, device?.getSettings().deviceId, (id) => void capture.choose(kind, id)),
    !isVideo &&
      h('i', {
        class: 'level',
        role: 'meter',
        'aria-label': words.microphoneLevel,
        'aria-valuemin': '0',
        'aria-valuemax': '100',
        'aria-valuenow': '0',
      }),
  );
}

function picker(
  name: string,
  devices: readonly MediaDeviceInfo[],
  chosen: string | undefined,
  choose: (deviceId: string) => void,
): View {
  // Without permission they have neither name nor id: there is nothing to choose between.
  const known = devices.filter(({ deviceId }) => deviceId);
  const isThere = known.some(({ deviceId }) => deviceId === chosen);
  return h(
    'label',
    {},
    h('span', { class: 'told' }, name),
    h(
      'select',
      {
        disabled: known.length === 0,
        onchange: ({ target }: Event) => choose((target as HTMLSelectElement).value),
      },
      // What is chosen already cannot be chosen: where none of them is, each can.
      ...(isThere ? [] : [h('option', { value: '', selected: true, disabled: true }, name)]),
      ...known.map(({ deviceId, label }) =>
        h('option', { value: deviceId, selected: deviceId === chosen, disabled: false }, label || name),
      ),
    ),
  );
}
