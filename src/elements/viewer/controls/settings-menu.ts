import { html, nothing, type TemplateResult } from 'lit';
import type { ViewerMessages } from '../../i18n/messages.js';
import type { Choice } from './menu-choices.js';
import { iconButton } from './icon-button.js';
import { SETTINGS } from './control-icons.js';

export interface MenuState {
  readonly isOpen: boolean;
  readonly hasStatistics: boolean;
  /** Under their names. Those without choices are not shown. */
  readonly groups: readonly (readonly [name: string, choices: readonly Choice[]])[];
}

export interface MenuActions {
  toggleMenu(): void;
  toggleStatistics(): void;
  /** Something was chosen. */
  chosen(): void;
  /** The focus went on. */
  left(event: FocusEvent): void;
}

/** A button, and what opens at it: qualities, captions, and whether to show statistics. */
export function settingsMenu(
  { isOpen, hasStatistics, groups }: MenuState,
  messages: ViewerMessages,
  { toggleMenu, toggleStatistics, chosen, left }: MenuActions,
): TemplateResult {
  const label = messages.settings;
  return html`<span class="settings" @change=${chosen} @focusout=${left}>
    ${iconButton({ name: 'settings', path: SETTINGS, label, act: toggleMenu, isExpanded: isOpen })}
    ${
      isOpen
        ? html`<div part="menu" class="panel" role="group" aria-label=${label}>
            ${groups.filter(([, choices]) => choices.length > 0).map(([name, choices]) => group(name, choices))}
            ${option('checkbox', '', { label: messages.statistics, isChosen: hasStatistics, choose: toggleStatistics })}
          </div>`
        : nothing
    }
  </span>`;
}

/** Radio buttons: they bring the keys, the roles and the look on every system with them. */
const group = (name: string, choices: readonly Choice[]): TemplateResult =>
  html`<fieldset>
    <legend>${name}</legend>
    ${choices.map((choice) => option('radio', name, choice))}
  </fieldset>`;

const option = (type: string, name: string, { label, isChosen, choose }: Choice): TemplateResult =>
  html`<label><input type=${type} name=${name} .checked=${isChosen} @change=${choose} />${label}</label>`;
