import { css } from 'lit';

export const styles = css`
  :host {
    aspect-ratio: 16 / 9;
  }
  .words {
    display: contents;
  }
  .top {
    top: 0;
  }
  .bottom {
    bottom: 0;
  }
  .grow {
    flex: 1;
  }
  .clear {
    background: none;
    pointer-events: none;
  }
  .clear > * {
    pointer-events: auto;
  }
`;
