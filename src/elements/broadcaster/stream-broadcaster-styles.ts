import { css } from 'lit';

/**
 * The styles of the broadcaster without its panel, applied after the shared styles. The cover is in the flow, so that a
 * small tag grows with its text. Text over the picture is white in every colour scheme.
 */
export const broadcasterStyles = css`
  :host {
    --ground: var(--stream-background, #0b0c0f);
    --ink: #fff;
    --soft: #c3c7cf;
    --panel: var(--stream-panel, light-dark(#f3f4f6, #191b20));
    --panel-text: var(--stream-panel-text, light-dark(#16181d, #fff));
    --line: color-mix(in srgb, currentColor 28%, transparent);
    --tint: color-mix(in srgb, currentColor 12%, transparent);
    color-scheme: dark;
    background: none;
  }
  svg {
    width: 20px;
    height: 20px;
  }
  button .spinner {
    width: 14px;
    height: 14px;
    border-width: 2px;
  }
  .bar {
    gap: 8px;
    padding: 12px;
  }
  .root {
    display: block;
    container-type: inline-size;
  }
  .stage {
    display: grid;
    position: relative;
    aspect-ratio: 16 / 9;
    background: var(--ground, var(--stream-background, #0b0c0f));
  }
  .stage video {
    position: absolute;
    inset: 0;
  }
  .stage .cover {
    position: relative;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .top > [role='status'] {
    display: flex;
    gap: 8px;
  }
  .rec::before {
    color: #ff5c63;
    content: '●';
  }
  .mirrored {
    scale: -1 1;
  }
  .off {
    visibility: hidden;
  }
  .top {
    top: 0;
    flex-wrap: wrap;
    color: #fff;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 8px;
  }
  .notice {
    flex: 1 0 100%;
    box-sizing: border-box;
    margin: 0;
    padding: 10px 14px;
    border-inline-start: 4px solid #ffb224;
    border-radius: 6px;
    background: #ffb2241f;
  }
  .notice b {
    display: block;
  }
  @container (max-width: 300px) {
    .cover,
    .panel {
      gap: 8px;
      padding: 8px;
    }
    .bar {
      gap: 4px;
      padding: 4px;
      line-height: 1.2;
    }
    .cover:has(+ .bar .badge) {
      padding-top: 64px;
    }
    .bar :has(.spinner) ~ .badge {
      display: none;
    }
    .text {
      padding: 8px;
    }
    .badge,
    .panel {
      overflow-wrap: anywhere;
      hyphens: auto;
    }
    .device,
    .panel .go,
    .panel .screen {
      flex: 1 0 100%;
    }
    .share {
      grid-template-columns: 1fr;
    }
  }
  @container (min-width: 2200px) {
    .stage,
    .panel {
      font-size: 24px;
    }
  }
  @media (forced-colors: active) {
    .level {
      border: 1px solid;
    }
    .level::after,
    .verdict::before {
      background: CanvasText;
    }
  }
`;
