import { css } from 'lit';

/**
 * The styles of the panel. The level meter lies in the gap below its device, so that both devices are on one line.
 * Statistics and links run from left to right in every language.
 */
export const controlPanelStyles = css`
  .actions .screen,
  .panel button {
    background: var(--tint);
  }
  .panel {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 12px;
    padding: 12px;
    color: var(--panel-text);
    background: var(--panel);
  }
  .panel :focus-visible {
    outline-color: currentColor;
    box-shadow: none;
  }
  .device {
    display: grid;
    flex: 1 1 200px;
    grid-template: auto auto / auto 1fr;
    gap: 4px 8px;
    min-width: 0;
  }
  .panel .off,
  .panel [aria-pressed='true'] {
    visibility: visible;
    color: var(--panel);
    background: var(--panel-text);
  }
  .device label {
    min-width: 0;
  }
  .level {
    grid-column: 1 / -1;
    height: 4px;
    margin-block-end: -8px;
    overflow: hidden;
    border-radius: 2px;
    background: var(--tint);
  }
  .level::after {
    display: block;
    width: calc(var(--level, 0) * 100%);
    height: 100%;
    border-radius: inherit;
    background: #2f9e5b;
    content: '';
  }
  select,
  .choice input {
    box-sizing: border-box;
    width: 100%;
    min-height: 40px;
    padding: 0 12px;
    border: 1px solid var(--line);
    border-radius: 10px;
    color: inherit;
    background: color-mix(in srgb, var(--panel), var(--panel-text) 6%);
    font: inherit;
    text-overflow: ellipsis;
    /* In WebKit, a long name that is cut off would make the panel wider. */
    contain: paint;
  }
  .panel .go {
    flex: 1 1 140px;
    min-height: 44px;
    color: #fff;
    background: color-mix(in srgb, var(--accent), #000 22%);
  }
  .panel .stop {
    color: var(--panel);
    background: var(--panel-text);
  }
  :disabled,
  [aria-disabled='true'] {
    opacity: 0.55;
    cursor: not-allowed;
  }
  .more {
    display: flex;
    flex: 1 0 100%;
    flex-wrap: wrap;
    gap: 0 20px;
    min-width: 0;
    font-size: 0.93em;
  }
  details {
    min-width: 0;
  }
  details[open] {
    flex: 1 0 100%;
  }
  summary {
    width: fit-content;
    max-width: 100%;
    padding: 6px 4px;
    border-radius: 6px;
    cursor: pointer;
    font-weight: 600;
  }
  .verdict::before {
    display: inline-block;
    width: 0.6em;
    height: 0.6em;
    margin-inline-end: 0.4em;
    border-radius: 50%;
    background: #e59b0c;
    content: '';
  }
  .good::before {
    background: #2f9e5b;
  }
  .fields,
  dl {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 150px), 1fr));
    gap: 10px 16px;
    margin: 0;
    padding: 8px 4px;
  }
  .share {
    grid-template-columns: 1fr auto;
    align-items: end;
  }
  .share input {
    direction: ltr;
  }
  .share ::slotted(*) {
    grid-column: 1 / -1;
  }
  .choice {
    display: grid;
    gap: 4px;
    min-width: 0;
  }
  .check {
    display: flex;
    align-items: center;
    align-self: end;
    gap: 8px;
    min-height: 40px;
  }
  .check input {
    width: 20px;
    height: 20px;
    margin: 0;
    flex: none;
    accent-color: currentColor;
  }
  dl > * {
    display: grid;
    justify-items: start;
  }
  dt {
    opacity: 0.75;
  }
  dd {
    margin: 0;
    font-variant-numeric: tabular-nums;
    unicode-bidi: plaintext;
  }
`;
