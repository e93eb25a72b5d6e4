import { html, render } from 'lit';
import { setPageLanguage, visitorLanguage } from '../visitor-language.js';
import { dashboardMessages } from './messages/translations.js';
import './stream-dashboard.js';

const language = visitorLanguage(new URL(location.href));
const messages = await dashboardMessages(language);
setPageLanguage(language);
render(
  html`<stream-dashboard .messages=${messages} .language=${language}></stream-dashboard>`,
  document.querySelector<HTMLElement>('#page')!,
);
