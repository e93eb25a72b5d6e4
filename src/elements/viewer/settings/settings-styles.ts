import { css } from 'lit';

/** Added to the styles of the player when a visitor reaches for the settings. */
export const settingsStyles = css`
  .panel {
    position: absolute;
    inset-inline: 0.7em auto;
    top: 3.2em;
    display: grid;
    align-content: start;
    margin: 0;
    padding: 0.8em 1em;
    overflow: auto;
    border-radius: 0.8em;
    color: var(--ink);
    background: color-mix(in srgb, var(--ground) 92%, #0000);
  }
  dl.panel {
    grid: auto / auto auto;
    gap: 0.1em 1.2em;
    padding-block: 0.4em;
    /* Above the bar. */
    max-height: calc(100% - 8em);
  }
  dt,
  legend {
    padding: 0;
    color: var(--soft);
  }
  dd {
    margin: 0;
    /* Statistics run in the direction of their units, else from left to right. */
    unicode-bidi: plaintext;
    justify-self: end;
    white-space: nowrap;
  }
  .settings .panel {
    inset-block: auto calc(100% + 0.4em);
    inset-inline: auto 0;
    min-width: 11em;
    max-height: calc(100cqh - 4.6em - var(--edge, 0px));
    box-sizing: border-box;
  }
  fieldset {
    margin: 0 0 0.4em;
    padding: 0;
    border: 0;
  }
  label {
    display: flex;
    align-items: center;
    gap: 0.6em;
    min-height: 2.2em;
    cursor: pointer;
  }
  label input {
    margin: 0;
  }
  @media (pointer: coarse) {
    label {
      min-width: 44px;
      min-height: 44px;
    }
  }
  @container (max-height: 300px) {
    dl.panel {
      top: 0;
      row-gap: 0;
      padding-block: 0;
      max-height: calc(100% - 6em);
      font-size: 0.85em;
      line-height: 1.2;
    }
  }
  @container (max-height: 260px) {
    .settings .panel {
      position: fixed;
      inset: 0 0 4em;
      border-radius: 0;
      background: var(--ground);
    }
    fieldset {
      display: flex;
      flex-wrap: wrap;
      column-gap: 1.2em;
    }
  }
  @container (max-height: 150px) {
    dl.panel {
      display: none;
    }
  }
`;
