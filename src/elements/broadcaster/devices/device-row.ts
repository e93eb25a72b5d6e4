import { html, nothing, type TemplateResult } from 'lit';
import type { TrackKind } from '../../../client/viewer/sources.js';
import type { BroadcasterMessages } from '../../i18n/messages.js';
import { icon } from '../../icons.js';
import type { Capture } from './capture.js';

const MICROPHONE = 'M9 6q0-3 3-3t3 3v5q0 3-3 3t-3-3zM5 11q0 7 7 7t7-7M12 18v3';
const CAMERA = 'M3 6h12v12H3zM15 10l6-3v10l-6-3';
const STRUCK = 'M3 3l18 18';
const microphoneIcon = icon(MICROPHONE);
const microphoneOffIcon = icon(MICROPHONE + STRUCK);
const cameraIcon = icon(CAMERA);
const cameraOffIcon = icon(CAMERA + STRUCK);

/** The button that mutes a device, the list of devices to choose from, and the level of the microphone. */
export function deviceRow(
  messages: BroadcasterMessages,
  capture: Capture,
  kind: TrackKind,
  isGiven: boolean,
): TemplateResult | typeof nothing {
  const isVideo = kind === 'video';
  const devices = isVideo ? capture.devices.cameras : capture.devices.microphones;
  const device = capture.device(kind);
  if (!device && (isGiven || (devices.length === 0 && !capture.loss(kind)))) return nothing;
  const isOn = device?.enabled ?? false;
  const [name, turnOff, turnOn, onIcon, offIcon] = isVideo
    ? [messages.camera, messages.turnOffCamera, messages.turnOnCamera, cameraIcon, cameraOffIcon]
    : [messages.microphone, messages.turnOffMicrophone, messages.turnOnMicrophone, microphoneIcon, microphoneOffIcon];
  const label = isOn ? turnOff : turnOn;
  return html`
    <div part="device-row" class="device">
      <button
        part="button"
        class=${isOn ? '' : 'off'}
        aria-label=${label}
        title=${label}
        @click=${() => capture.toggle(kind)}
      >
        ${isOn ? onIcon : offIcon}
      </button>
      ${isGiven ? nothing : deviceList(name, devices, device?.getSettings().deviceId, (id) => void capture.choose(kind, id))}
      ${isVideo ? nothing : html`<i part="level-meter" class="level" role="meter" aria-label=${messages.microphoneLevel} aria-valuenow="0"></i>`}
    </div>
  `;
}

function deviceList(
  name: string,
  devices: readonly MediaDeviceInfo[],
  chosen: string | undefined,
  choose: (deviceId: string) => void,
): TemplateResult {
  // Without permission, devices have no name and no id, and cannot be chosen.
  const known = devices.filter(({ deviceId }) => deviceId);
  const isListed = known.some(({ deviceId }) => deviceId === chosen);
  return html`<label
    ><span class="visually-hidden">${name}</span
    ><select
      ?disabled=${known.length === 0}
      @change=${({ target }: Event) => {
        const list = target as HTMLSelectElement;
        const { value } = list;
        // The list shows the open device until the other one has opened.
        list.value = isListed ? chosen! : '';
        choose(value);
      }}
    >
      ${
        // Browsers report no change for the selected option. With this one, every device can be selected.
        isListed ? nothing : html`<option value="" .selected=${true} disabled>${name}</option>`
      }
      ${known.map(
        ({ deviceId, label }) =>
          html`<option value=${deviceId} .selected=${deviceId === chosen}>${label || name}</option>`,
      )}
    </select></label
  >`;
}
