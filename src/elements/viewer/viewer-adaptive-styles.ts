import { css } from 'lit';

/** Adapts the player to touch screens, to its size, and to the preferences of the visitor. After all other styles. */
export const viewerAdaptiveStyles = css`
  @media (pointer: coarse) {
    .bottom button {
      min-width: 44px;
      min-height: 44px;
    }
    [type='range'] {
      display: none;
    }
  }
  @container (max-width: 420px) {
    [type='range'],
    .pip,
    .cast {
      display: none;
    }
  }
  @container (max-width: 300px) {
    .unmute span {
      display: none;
    }
  }
  @container (max-height: 260px) {
    .bottom {
      padding-top: 0.7em;
    }
    .cover {
      gap: 0.3em;
    }
    .covered:has(.bottom) .cover {
      padding-bottom: 3.6em;
    }
  }
  @container (max-height: 150px) {
    /* A low player shows only the notice that the connection is being restored; the bar has the play button. */
    .cover span:not(.visually-hidden),
    .covered .spinner,
    [role='status'] svg,
    .settings,
    [part='viewer-count'] {
      display: none;
    }
    .bar,
    .cover {
      padding: 4px;
      line-height: 1.2;
    }
    .cover b {
      font-size: 1em;
    }
    .text {
      min-height: 28px;
      padding: 2px 12px;
    }
    .badge b {
      font-size: 0;
    }
    .clear:has(~ .bottom) .play-overlay {
      display: none;
    }
    .play-overlay {
      width: 2.8em;
      height: 2.8em;
    }
  }
  @media (forced-colors: active) {
    .bottom {
      padding-top: 0.7em;
      background: Canvas;
    }
  }
`;
