import { css } from 'lit';

export const styles = css`
  .words {
    display: contents;
  }
  .stage {
    position: relative;
    aspect-ratio: 16 / 9;
  }
  .mirrored {
    scale: -1 1;
  }
  .off {
    visibility: hidden;
  }
  .top {
    top: 0;
  }
  .panel {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 12px;
    padding: 12px;
    background: var(--stream-panel, #191b20);
  }
  .panel button {
    background: #ffffff1f;
  }
  .panel button:hover:enabled {
    background: #fff3;
  }
  .device {
    display: flex;
    flex: 1 1 200px;
    gap: 8px;
    min-width: 0;
  }
  .device [aria-pressed='true'] {
    color: #111;
    background: #fff;
  }
  .device label {
    flex: 1;
    min-width: 0;
  }
  select {
    width: 100%;
    min-height: 40px;
    padding: 0 12px;
    border: 1px solid #fff4;
    border-radius: 10px;
    color: inherit;
    background: #25282f;
    font: inherit;
    text-overflow: ellipsis;
  }
  .panel .go {
    flex: 1 1 140px;
    min-height: 44px;
    background: color-mix(in srgb, var(--accent), #000 22%);
  }
  .panel .go:hover:enabled {
    background: color-mix(in srgb, var(--accent), #000 36%);
  }
  .panel .stop,
  .panel .stop:hover:enabled {
    color: #111;
    background: #fff;
  }
  button:disabled {
    opacity: 0.55;
    cursor: not-allowed;
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
`;
