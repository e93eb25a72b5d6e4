import { html, type TemplateResult } from 'lit';
import { sentCodecs } from '../../../client/broadcaster/broadcaster-recording.js';
import type { VideoCodec } from '../../../client/broadcaster/broadcaster.js';
import { formatAmount } from '../../stats/stats-rows.js';
import { CODECS } from '../attribute-converters.js';
import type { MessagesController } from '../../i18n/messages-controller.js';
import type { BroadcasterMessages } from '../../i18n/messages.js';
import type { PictureHeight } from '../../picture-height.js';
import type { BroadcasterSettings } from './settings.js';

const RESOLUTIONS: readonly PictureHeight[] = ['auto', 360, 480, 720, 1080];
const FRAME_RATES = [15, 24, 30, 60];
const BITRATES = [0, 500_000, 1_000_000, 2_500_000, 4_000_000, 6_000_000];

type BooleanSetting = 'echoCancellation' | 'noiseSuppression' | 'autoGainControl';

/**
 * @param isLive disables codec, bitrate and simulcast, which are negotiated with the server
 * @param change called with the changed setting
 */
export function settingsPanel(
  messages: MessagesController<BroadcasterMessages>,
  settings: Readonly<BroadcasterSettings>,
  isLive: boolean,
  change: (changed: Partial<BroadcasterSettings>) => void,
): TemplateResult {
  const { current } = messages;
  const formatNumber = messages.number.bind(messages);
  const most = (bitrate: number): string =>
    bitrate ? `≤ ${formatAmount(formatNumber, bitrate / 1e6, 'megabit-per-second', 1)}` : current.automatic;
  const choice = <Name extends 'resolution' | 'frameRate' | 'maxBitrate'>(
    label: string,
    name: Name,
    values: readonly BroadcasterSettings[Name][],
    format: (value: BroadcasterSettings[Name]) => string,
    isFixed = false,
  ): TemplateResult =>
    select(label, withCurrent(values, settings[name]), settings[name], format, isFixed, (value) =>
      change({ [name]: value }),
    );
  const box = (label: string, name: BooleanSetting): TemplateResult =>
    html`<label class="check"
      ><input
        type="checkbox"
        .checked=${settings[name]}
        @change=${({ target }: Event) => {
          (target as HTMLInputElement).checked = settings[name];
          change({ [name]: !settings[name] });
        }}
      />${label}</label
    >`;
  return html`<details part="settings">
    <summary>${current.settings}</summary>
    <div class="fields">
      ${choice(current.resolution, 'resolution', RESOLUTIONS, (height) =>
        height === 'auto' ? current.automatic : `${height}p`,
      )}
      ${choice(current.frameRate, 'frameRate', FRAME_RATES, (rate) => messages.number(rate))}
      ${choice(current.bitrate, 'maxBitrate', BITRATES, most, isLive)}
      ${select(
        current.codec,
        knownCodecs(settings.codec),
        settings.codec,
        (codec) => (codec === 'auto' ? current.automatic : CODECS[codec]),
        isLive,
        (codec) => change({ codec }),
      )}
      ${select(
        current.simulcast,
        ['auto', true, false] as const,
        settings.simulcast,
        (choice) => (choice === 'auto' ? current.automatic : choice ? current.always : current.never),
        isLive,
        (simulcast) => change({ simulcast }),
      )}
      ${box(current.echoCancellation, 'echoCancellation')} ${box(current.noiseSuppression, 'noiseSuppression')}
      ${box(current.gainControl, 'autoGainControl')}
    </div>
  </details>`;
}

// A field shows the value of the tag, because the page may reject the choice. So each handler resets the field, and the
// next render sets the new value.

function select<Value extends number | string | boolean>(
  label: string,
  values: readonly Value[],
  current: Value,
  format: (value: Value) => string,
  isFixed: boolean,
  choose: (value: Value) => void,
): TemplateResult {
  return html`<label class="choice"
    >${label}<select
      ?disabled=${isFixed}
      @change=${({ target }: Event) => {
        const list = target as HTMLSelectElement;
        const { selectedIndex } = list;
        list.selectedIndex = values.indexOf(current);
        choose(values[selectedIndex]!);
      }}
    >
      ${values.map((value) => html`<option .selected=${value === current}>${format(value)}</option>`)}
    </select></label
  >`;
}

/** The choices, including the value that the page has set. */
function withCurrent<Value extends PictureHeight>(values: readonly Value[], current: Value): readonly Value[] {
  // `auto` comes first.
  const order = (value: Value): number => Number(value) || 0;
  return values.includes(current) ? values : [...values, current].sort((a, b) => order(a) - order(b));
}

function knownCodecs(current: VideoCodec | 'auto'): readonly (VideoCodec | 'auto')[] {
  const known = sentCodecs();
  const all = Object.keys(CODECS) as VideoCodec[];
  return ['auto', ...all.filter((codec) => codec === current || known?.includes(`video/${codec}`))];
}
