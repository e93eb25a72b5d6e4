import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { TrackKind } from '../../../client/viewer/sources.js';
import type { BroadcasterMessages } from '../../i18n/messages.js';
import type { CaptureController } from './capture-controller.js';
import { cameraIcon, cameraOffIcon, microphoneIcon, microphoneOffIcon } from './device-icons.js';

/** The button that switches a device, and the list of those to take in its place. */
export function deviceRow(
  words: BroadcasterMessages,
  capture: CaptureController,
  kind: TrackKind,
  isGiven: boolean,
): TemplateResult | typeof nothing {
  const isVideo = kind === 'video';
  const [devices, name, turnOff, turnOn, on, off] = isVideo
    ? ([
        capture.devices.cameras,
        words.camera,
        words.turnOffCamera,
        words.turnOnCamera,
        cameraIcon,
        cameraOffIcon,
      ] as const)
    : ([
        capture.devices.microphones,
        words.microphone,
        words.turnOffMicrophone,
        words.turnOnMicrophone,
        microphoneIcon,
        microphoneOffIcon,
      ] as const);
  const device = capture.device(kind);
  if (!device && (isGiven || (devices.length === 0 && !capture.loss(kind)))) return nothing;
  const isOn = device?.enabled ?? false;
  const label = isOn ? turnOff : turnOn;
  return html`
    <div class="device">
      <button
        part="button"
        class=${isOn ? '' : 'off'}
        aria-label=${label}
        title=${label}
        @click=${() => capture.toggle(kind)}
      >
        ${isOn ? on : off}
      </button>
      ${isGiven ? nothing : picker(name, devices, device?.getSettings().deviceId, (id) => void capture.choose(kind, id))}
      ${isVideo ? nothing : html`<i class="level" role="meter" aria-label=${words.microphoneLevel} aria-valuemin="0" aria-valuemax="100" aria-valuenow="0"></i>`}
    </div>
  `;
}

function picker(
  name: string,
  devices: readonly MediaDeviceInfo[],
  chosen: string | undefined,
  choose: (deviceId: string) => void,
): TemplateResult {
  // Without permission they have neither name nor id: there is nothing to choose between.
  const known = devices.filter(({ deviceId }) => deviceId);
  const isThere = known.some(({ deviceId }) => deviceId === chosen);
  return html`<label
    ><span class="told">${name}</span
    ><select
      ?disabled=${known.length === 0}
      @change=${({ target }: Event) => choose((target as HTMLSelectElement).value)}
    >
      ${
        // What is chosen already cannot be chosen: where none of them is, each can.
        isThere ? nothing : html`<option value="" .selected=${live(true)} disabled>${name}</option>`
      }
      ${known.map(
        ({ deviceId, label }) =>
          html`<option value=${deviceId} .selected=${live(deviceId === chosen)}>${label || name}</option>`,
      )}
    </select></label
  >`;
}
