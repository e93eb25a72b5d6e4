import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { VideoCodec } from '../../../client/broadcaster/broadcaster.js';
import { formatAmount } from '../../stats/stats-rows.js';
import type { MessagesController } from '../../i18n/messages-controller.js';
import type { BroadcasterMessages } from '../../i18n/messages.js';

/** What the person in front of the camera may choose. */
export interface Settings {
  resolution: number;
  frameRate: number;
  maxBitrate: number;
  codec: VideoCodec;
  simulcast: boolean;
  echoCancellation: boolean;
  noiseSuppression: boolean;
  autoGainControl: boolean;
}

const RESOLUTIONS = [360, 480, 720, 1080];
const FRAME_RATES = [15, 24, 30, 60];
const BITRATES = [0, 500_000, 1_000_000, 2_500_000, 4_000_000, 6_000_000];
export const CODECS: Readonly<Record<VideoCodec, string>> = { vp8: 'VP8', h264: 'H.264', vp9: 'VP9', av1: 'AV1' };

/**
 * @param isOnAir the connection is made: what is agreed on with the service stays as it is
 * @param change the new value is the setting's own
 */
export function settingsPanel(
  words: MessagesController<BroadcasterMessages>,
  settings: Readonly<Settings>,
  isOnAir: boolean,
  change: (changed: Partial<Settings>) => void,
): TemplateResult {
  const said = words.current;
  const write = words.number.bind(words);
  const most = (bitrate: number): string =>
    bitrate ? `≤ ${formatAmount(write, bitrate / 1e6, 'megabit-per-second', 1)}` : said.automatic;
  const choice = (
    label: string,
    name: 'resolution' | 'frameRate' | 'maxBitrate',
    values: readonly number[],
    write: (value: number) => string,
    isFixed = false,
  ): TemplateResult =>
    select(label, withCurrent(values, settings[name]), settings[name], write, isFixed, (value) =>
      change({ [name]: value }),
    );
  const box = (label: string, name: keyof Settings, isFixed = false): TemplateResult =>
    html`<label class="check"
      ><input
        type="checkbox"
        .checked=${live(Boolean(settings[name]))}
        ?disabled=${isFixed}
        @change=${({ target }: Event) => change({ [name]: (target as HTMLInputElement).checked })}
      />${label}</label
    >`;
  return html`<details part="settings">
    <summary>${said.settings}</summary>
    <div class="fields">
      ${choice(said.resolution, 'resolution', RESOLUTIONS, (height) => `${height}p`)}
      ${choice(said.frameRate, 'frameRate', FRAME_RATES, (rate) => words.number(rate))}
      ${choice(said.bitrate, 'maxBitrate', BITRATES, most, isOnAir)}
      ${select(
        said.codec,
        knownCodecs(settings.codec),
        settings.codec,
        (codec) => CODECS[codec],
        isOnAir,
        (codec) => change({ codec }),
      )}
      ${box(said.simulcast, 'simulcast', isOnAir)} ${box(said.echoCancellation, 'echoCancellation')}
      ${box(said.noiseSuppression, 'noiseSuppression')} ${box(said.gainControl, 'autoGainControl')}
    </div>
  </details>`;
}

function select<Value extends number | string>(
  label: string,
  values: readonly Value[],
  current: Value,
  write: (value: Value) => string,
  isFixed: boolean,
  choose: (value: Value) => void,
): TemplateResult {
  return html`<label class="choice"
    >${label}<select
      ?disabled=${isFixed}
      @change=${({ target }: Event) => choose(values[(target as HTMLSelectElement).selectedIndex]!)}
    >
      ${values.map((value) => html`<option .selected=${live(value === current)}>${write(value)}</option>`)}
    </select></label
  >`;
}

/** Whatever the page asked for is among the choices. */
function withCurrent(values: readonly number[], current: number): readonly number[] {
  return values.includes(current) ? values : [...values, current].sort((a, b) => a - b);
}

function knownCodecs(current: VideoCodec): readonly VideoCodec[] {
  const known = globalThis.RTCRtpSender?.getCapabilities('video')?.codecs.map(({ mimeType }) => mimeType.toLowerCase());
  const all = Object.keys(CODECS) as VideoCodec[];
  return all.filter((codec) => codec === current || known?.includes(`video/${codec}`));
}
