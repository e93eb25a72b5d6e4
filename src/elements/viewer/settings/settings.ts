import { html, type TemplateResult } from 'lit';
import type { MessagesController } from '../../i18n/messages-controller.js';
import type { ViewerMessages } from '../../i18n/messages.js';
import { addStyles } from '../../styled-element.js';
import type { Player } from '../controls/player.js';
import { captionChoices, qualityChoices, type Choice } from './menu-choices.js';
import { settingsStyles } from './settings-styles.js';
import { Statistics } from './statistics.js';
import { statsPanel } from './stats-panel.js';

/** What the settings button opens: quality, captions, statistics. Loaded when a visitor reaches for the button. */
export class Settings {
  readonly #player: Player;
  readonly #video: HTMLVideoElement;
  readonly #messages: MessagesController<ViewerMessages>;
  readonly #statistics: Statistics;
  #hasStatistics = false;

  constructor(player: Player, video: HTMLVideoElement, messages: MessagesController<ViewerMessages>) {
    this.#player = player;
    this.#video = video;
    this.#messages = messages;
    this.#statistics = new Statistics(player, messages, () => this.#hasStatistics);
    addStyles(player.shadowRoot!, settingsStyles);
  }

  /** The list to choose from. */
  get menu(): TemplateResult {
    const messages = this.#messages.current;
    const groups = [
      [messages.quality, qualityChoices(messages, this.#player.videoRenditions)],
      [messages.captions, captionChoices(messages, this.#video)],
    ] as const;
    const label = messages.statistics;
    const choose = (): void => void (this.#hasStatistics = !this.#hasStatistics);
    return html`<div
      part="settings"
      class="panel"
      role="group"
      aria-label=${messages.settings}
      @change=${() => this.#player.requestUpdate()}
    >
      ${groups.filter(([, choices]) => choices.length > 0).map(([name, choices]) => group(name, choices))}
      ${option('checkbox', '', { label, isChosen: this.#hasStatistics, choose })}
    </div>`;
  }

  /** The statistics, while the visitor wants them. */
  get statistics(): TemplateResult | undefined {
    return this.#hasStatistics ? statsPanel(this.#statistics.rows) : undefined;
  }
}

/** Native radio buttons have the keyboard behaviour, the roles and the appearance of each system. */
const group = (name: string, choices: readonly Choice[]): TemplateResult =>
  html`<fieldset>
    <legend>${name}</legend>
    ${choices.map((choice) => option('radio', name, choice))}
  </fieldset>`;

const option = (type: string, name: string, { label, isChosen, choose }: Choice): TemplateResult =>
  html`<label><input type=${type} name=${name} .checked=${isChosen} @change=${choose} />${label}</label>`;
