import { css } from 'lit';

/** Styles that both tags share. The build takes comments and white space out of the template. */
export const sharedStyles = css`
  :host {
    --accent: var(--stream-accent, #e5484d);
    display: block;
    position: relative;
    overflow: hidden;
    color: var(--ink);
    background: var(--ground);
    border-radius: var(--stream-radius, 0);
    font: 400 15px/1.45 var(--stream-font, system-ui, sans-serif);
    letter-spacing: normal;
    word-spacing: normal;
    text-align: start;
    text-indent: 0;
    text-shadow: none;
    text-transform: none;
    white-space: normal;
  }
  /* Beside the shorthand, browsers would not tell the custom property in it. */
  :host {
    font-variant-numeric: tabular-nums;
  }
  :host([hidden]),
  [hidden] {
    display: none !important;
  }
  video {
    display: block;
    width: 100%;
    height: 100%;
    object-fit: var(--stream-object-fit, contain);
  }
  svg {
    flex: none;
    fill: none;
    stroke: currentColor;
    stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 8px;
    min-width: 40px;
    min-height: 40px;
    padding: 8px;
    border: 0;
    border-radius: 999px;
    color: inherit;
    background: #0009;
    font: inherit;
    font-weight: 600;
    cursor: pointer;
  }
  /* Over the background of every button, whichever rule sets it. */
  button:hover:enabled {
    background-image: linear-gradient(color-mix(in srgb, currentColor 12%, #0000) 0 0) !important;
  }
  :focus-visible {
    outline: 3px solid #fff;
    outline-offset: 2px;
    box-shadow: 0 0 0 7px #000a;
  }
  .text {
    padding: 8px 16px;
  }
  .bright {
    color: #111;
    background: #fff;
  }
  .cover {
    position: absolute;
    inset: 0;
    display: grid;
    place-content: center;
    justify-items: center;
    gap: 12px;
    padding: 16px;
    text-align: center;
    background: color-mix(in srgb, var(--ground) 84%, #0000);
  }
  .cover b {
    font-size: 1.2em;
  }
  .cover span {
    color: var(--soft);
    /* An explanation of the server may be in another language. */
    unicode-bidi: plaintext;
  }
  .bar {
    position: absolute;
    inset-inline: 0;
    display: flex;
    align-items: center;
    pointer-events: none;
  }
  .bar > * {
    pointer-events: auto;
  }
  .badge {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    padding: 3px 10px;
    border-radius: 6px;
    background: #000a;
    font-size: max(12px, 0.87em);
    font-weight: 600;
  }
  .badge svg {
    width: 16px;
    height: 16px;
  }
  .live {
    background: color-mix(in srgb, var(--accent), #000 22%);
    letter-spacing: 0.04em;
    text-transform: uppercase;
  }
  .spinner {
    width: 36px;
    height: 36px;
    flex: none;
    border: 3px solid color-mix(in srgb, currentColor 20%, #0000);
    border-top-color: currentColor;
    border-radius: 50%;
    /* After 0.4 s: most waits are shorter. */
    animation:
      turn 0.9s linear 0.4s infinite,
      appear 0.1s 0.4s both;
  }
  .badge .spinner {
    width: 14px;
    height: 14px;
    border-width: 2px;
  }
  @keyframes turn {
    to {
      rotate: 1turn;
    }
  }
  @keyframes appear {
    from {
      opacity: 0;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .spinner {
      animation-duration: 4s, 0.1s;
    }
  }
  @media (forced-colors: active) {
    button,
    .badge,
    .panel,
    .notice {
      border: 1px solid;
    }
  }
  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`;
