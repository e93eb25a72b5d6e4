// Bundlers keep this order of the modules. Similar texts side by side compress better: `npm run bench -- bundle`.
import { notices } from './notices.js';
import { html, nothing, type TemplateResult } from 'lit';
import { goLiveButton } from './live/go-live-button.js';
import { recordButton } from './live/record-button.js';
import { isOver } from '../../client/broadcaster/broadcaster-phase.js';
import type { BroadcasterRecording } from '../../client/broadcaster/broadcaster-recording.js';
import { deviceRow } from './devices/device-row.js';
import { healthPanel, healthSentence } from './health/health-panel.js';
import { settingsPanel } from './devices/settings-panel.js';
import { sharePanel } from './share/share-panel.js';
import { CopyController } from '../copy-controller.js';
import { LazyClass } from '../lazy-runner.js';
import type { MessagesController } from '../i18n/messages-controller.js';
import type { BroadcasterMessages } from '../i18n/messages.js';
import type { Capture } from './devices/capture.js';
import type { BroadcasterSettings } from './devices/settings.js';
import type { Meters, MetersConfig, MetersHost } from './meters.js';

/** The members of the tag that the panel uses. */
export interface ControlPanelHost extends MetersHost, BroadcasterSettings {
  readonly srcObject: MediaStream | null;
  readonly viewerUrl: string;
  readonly recording: BroadcasterRecording;
  record(): Promise<void>;
  unrecord(): Promise<void>;
  goLive(): void;
  stop(): void;
}

export interface ControlPanelConfig extends MetersConfig {
  readonly messages: MessagesController<BroadcasterMessages>;
  readonly capture: Capture;
  /** Whether server, stream name and token are known. */
  readonly isReady: () => boolean;
  /** Whether the page was left a moment ago while it was live. */
  readonly canGoOn: () => boolean;
}

const code = new LazyClass<Meters, ConstructorParameters<typeof Meters>>(
  async () => (await import('../runners.js')).Meters,
);

/** The controls below the preview. */
export class ControlPanel {
  readonly #host: ControlPanelHost;
  readonly #config: ControlPanelConfig;
  readonly #copying: CopyController;
  #meters: Meters | undefined;

  constructor(host: ControlPanelHost, config: ControlPanelConfig) {
    this.#host = host;
    this.#config = config;
    this.#copying = new CopyController(host);
  }

  /** Loads the code of the meters. If that fails, the next `render` loads it again. */
  load(): void {
    if (this.#meters) return;
    code.load().then(
      (Code) => this.#start(Code),
      () => {},
    );
  }

  #start(Code: typeof Meters): void {
    this.#meters ??= new Code(this.#host, this.#config.capture, this.#config);
    this.#host.requestUpdate();
  }

  /** @param screenButton the button that shares a screen */
  render(screenButton: TemplateResult | typeof nothing): TemplateResult {
    this.load();
    const host = this.#host;
    const { phase, recording } = host;
    const { messages, capture, isReady, canGoOn } = this.#config;
    const { current } = messages;
    const { level, health } = this.#meters ?? {};
    const isGiven = host.srcObject !== null;
    const goLive = isReady() && capture.media ? () => host.goLive() : undefined;
    return html`
      <div part="panel" class="panel">
        ${notices(current, phase, recording, capture, level?.isSilent ?? false, isReady())}
        ${deviceRow(current, capture, 'audio', isGiven)} ${deviceRow(current, capture, 'video', isGiven)}
        ${screenButton}
        ${goLiveButton(current, phase, goLive, canGoOn() ? current.goOn : current.goLive, () => host.stop())}
        ${recordButton(
          current,
          recording,
          () => void host.record().catch(() => {}),
          () => void host.unrecord().catch(() => {}),
        )}
        <div class="more">
          ${settingsPanel(messages, host, !isOver(phase), (changed) => Object.assign(host, changed))}
          ${phase.name === 'live' ? healthPanel(messages, health?.told, health?.current) : nothing}
          ${sharePanel(current, host.viewerUrl, this.#copying)}
        </div>
        <span class="visually-hidden" role="status"
          >${health && health.told.verdict !== 'good' ? healthSentence(current, health.told) : nothing}</span
        >
      </div>
    `;
  }
}
