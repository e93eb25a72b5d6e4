import { css } from 'lit';

/** Styles of the player, after those of both tags. The build removes comments and white space from the template. */
export const viewerStyles = css`
  :host {
    --ground: var(--stream-background, light-dark(#eef0f3, #0b0c0f));
    --ink: light-dark(#15171c, #fff);
    --soft: light-dark(#4d5462, #c3c7cf);
    /* Dark by default around a picture. The page may set another scheme. */
    color-scheme: dark;
    aspect-ratio: 16 / 9;
  }
  .box {
    position: absolute;
    inset: 0;
    container-type: size;
    /* The settings of a low player are fixed to this box. */
    contain: layout;
    outline: 0;
    box-shadow: none;
  }
  .box > * {
    font-size: clamp(12px, 11.5px + 0.3cqi, 22px);
    /* From the box to the picture, which is --tall times as high as it is wide. */
    --edge: max(0px, (100cqh - 100cqw * var(--tall)) / 2);
    --side: max(0px, (100cqw - max(100cqh / var(--tall), 30em)) / 2);
  }
  .covered > * {
    --edge: initial;
    --side: initial;
  }
  video {
    background: center no-repeat;
    background-size: var(--stream-object-fit, contain);
  }
  .user-inactive {
    cursor: none;
  }
  .bar {
    inset-inline: var(--side, 0px);
    gap: 0.3em;
    padding: 0.7em;
    color: #fff;
    transition: opacity 0.2s;
  }
  .user-inactive:not(:has(:focus-visible)) .bar:not(.notice) {
    opacity: 0;
  }
  .user-inactive [type='range'] {
    pointer-events: none;
  }
  .top {
    top: var(--edge, 0px);
  }
  .bottom {
    bottom: var(--edge, 0px);
    padding-top: 2.5em;
    background: linear-gradient(#0000, #000b);
  }
  /* There is no picture behind the bar, so it has the colour of text. */
  .covered .bottom {
    color: var(--ink);
    background: none;
  }
  .covered [type='range'] {
    color-scheme: inherit;
  }
  .audio .pip,
  .audio .fullscreen {
    display: none;
  }
  .grow {
    flex: 1;
  }
  svg {
    width: 1.5em;
    height: 1.5em;
  }
  .bottom button {
    min-width: 2.8em;
    min-height: 2.8em;
    padding: 0;
    border-radius: 0.6em;
    background: none;
  }
  .bottom [aria-expanded='true'] {
    background: color-mix(in srgb, currentColor 20%, #0000);
  }
  [type='range'] {
    width: 6em;
    color-scheme: dark;
  }
  .settings {
    position: relative;
  }
  input {
    accent-color: var(--accent);
    cursor: pointer;
  }
  .clear {
    background: none;
    pointer-events: none;
  }
  .clear > * {
    pointer-events: auto;
  }
  .cover .bright {
    color: light-dark(#fff, #111);
    background: var(--ink);
  }
  .play-overlay {
    width: 4.8em;
    height: 4.8em;
    color: #fff;
  }
  .cover svg {
    width: 2.8em;
    height: 2.8em;
  }
  .unmute {
    position: absolute;
    top: calc(0.7em + var(--edge, 0px));
    inset-inline-end: calc(0.7em + var(--side, 0px));
  }
  :host([slot='media']) .unmute {
    display: none;
  }
`;
