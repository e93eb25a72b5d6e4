import { css } from 'lit';

/** Added to the styles of the player when the timeline is loaded. */
export const rewindStyles = css`
  .recording {
    position: absolute;
    inset: 0;
    background: var(--ground);
    /* A click is for the player. */
    pointer-events: none;
  }
  .recording[data-hidden] {
    opacity: 0;
  }
  .timeline {
    bottom: calc(4em + var(--edge, 0px));
    gap: 0.6em;
    padding-block: 0;
    text-shadow: 0 0 0.3em #000;
  }
  /* There are no buttons below it. */
  .timeline:not(:has(~ .bottom)) {
    bottom: 0.7em;
  }
  .timeline ~ dl.panel {
    max-height: calc(100% - 10.4em);
  }
  @container (max-height: 260px) {
    .timeline ~ dl.panel {
      max-height: calc(100% - 7.6em);
    }
  }
  .timeline [type='range'] {
    display: block;
    flex: 1;
    min-width: 3em;
    height: 2em;
    margin: 0;
  }
  .preview {
    position: absolute;
    bottom: 100%;
    /* As wide before there is a picture: it is placed by its middle. */
    width: min(14em, 50cqw);
    display: grid;
    justify-items: center;
    gap: 0.2em;
    pointer-events: none;
  }
  .preview video {
    width: auto;
    height: auto;
    max-width: 100%;
    max-height: min(10em, 35cqh);
    border-radius: 0.4em;
    box-shadow: 0 0 0 2px #fff;
    background: #000;
  }
  .timeline :is(.time, .note) {
    padding: 0 0.4em;
    border-radius: 0.4em;
    font-variant-numeric: tabular-nums;
  }
  .timeline :is(button, select) {
    min-height: 2.2em;
    padding: 0 0.8em;
    border: 0;
    border-radius: 0.6em;
    font: inherit;
  }
  .timeline select {
    color-scheme: dark;
  }
  .timeline :is(.time, .note, button, select) {
    /* A picture may be bright, and after a broadcast there is no shade over it. */
    color: #fff;
    background: #000a;
  }
  /* Times, and 1×, run from left to right in every script. */
  .timeline :is(.time, select) {
    direction: ltr;
  }
  .timeline .bright {
    margin-inline: auto;
    border-radius: 999px;
    color: #111;
    background: #fff;
    text-shadow: none;
  }
  /* Where it is offered, nothing plays that it could hide. */
  .user-inactive:not(:has(:focus-visible)) .timeline:has([part~='from-beginning']) {
    opacity: 1;
  }
  .covered .timeline {
    color: var(--ink);
    text-shadow: none;
  }
  /* What is visible is not live. */
  .box:has(.recording:not([data-hidden])) [part~='live-badge'] {
    display: none;
  }
  @media (pointer: coarse) {
    .timeline :is(button, select) {
      min-height: 44px;
    }
  }
  @container (max-width: 300px) {
    .timeline select {
      display: none;
    }
  }
  @container (max-height: 260px) {
    .covered:has(.timeline) .cover {
      padding-bottom: 4.4em;
    }
    .covered:has(.timeline ~ .bottom) .cover {
      padding-bottom: 7.4em;
    }
    .timeline {
      bottom: calc(3.4em + var(--edge, 0px));
    }
  }
  @container (max-height: 150px) {
    .timeline {
      display: none;
    }
  }
`;
