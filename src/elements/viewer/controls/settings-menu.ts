import { html, nothing, type TemplateResult } from 'lit';
import type { ViewerMessages } from '../../i18n/messages.js';
import { SETTINGS } from '../../icons.js';
import { iconButton } from './icon-button.js';
import type { Choice } from './menu-choices.js';

export interface MenuState {
  readonly isOpen: boolean;
  readonly hasStatistics: boolean;
  /** Choices by the name of their group. A group without choices is not shown. */
  readonly groups: readonly (readonly [name: string, choices: readonly Choice[]])[];
}

export interface MenuActions {
  toggleMenu(): void;
  toggleStatistics(): void;
  /** A choice was made. */
  chosen(): void;
  /** The focus moved away from an element of the menu. */
  left(event: FocusEvent): void;
}

/** The settings button, and the settings that it opens: quality, captions, statistics. */
export function settingsMenu(
  { isOpen, hasStatistics, groups }: MenuState,
  messages: ViewerMessages,
  { toggleMenu, toggleStatistics, chosen, left }: MenuActions,
): TemplateResult {
  const label = messages.settings;
  return html`<span class="settings" @change=${chosen} @focusout=${left}>
    ${iconButton({ name: 'settings-button', face: [SETTINGS, label], act: toggleMenu, isExpanded: isOpen })}
    ${
      isOpen
        ? html`<div part="settings" class="panel" role="group" aria-label=${label}>
            ${groups.filter(([, choices]) => choices.length > 0).map(([name, choices]) => group(name, choices))}
            ${option('checkbox', '', { label: messages.statistics, isChosen: hasStatistics, choose: toggleStatistics })}
          </div>`
        : nothing
    }
  </span>`;
}

/** Native radio buttons have the keyboard behaviour, the roles and the appearance of each system. */
const group = (name: string, choices: readonly Choice[]): TemplateResult =>
  html`<fieldset>
    <legend>${name}</legend>
    ${choices.map((choice) => option('radio', name, choice))}
  </fieldset>`;

const option = (type: string, name: string, { label, isChosen, choose }: Choice): TemplateResult =>
  html`<label><input type=${type} name=${name} .checked=${isChosen} @change=${choose} />${label}</label>`;
