import { html, render } from 'lit';
import './stream-dashboard.js';

render(html`<stream-dashboard></stream-dashboard>`, document.querySelector<HTMLElement>('#page')!);
