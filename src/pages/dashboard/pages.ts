import { html, type TemplateResult } from 'lit';
import type { PageContext } from './page-context.js';
import type { PageName } from './routes.js';

type Page = (context: PageContext) => TemplateResult;

/** Loads the code and the texts of a page, which the first paint of the others must not wait for. */
export const loadPage: Readonly<Record<PageName, (language: string) => Promise<Page>>> = {
  async home() {
    await import('./home/home-page.js');
    return (context) => html`<home-page .context=${context} .messages=${context.common}></home-page>`;
  },
  async live(spoken) {
    const [{ liveMessages }] = await Promise.all([
      import('./live/messages/translations.js'),
      import('./live/live-page.js'),
    ]);
    const texts = await liveMessages(spoken);
    return (context) => html`<live-page .context=${context} .messages=${texts}></live-page>`;
  },
  async statistics(spoken) {
    const [{ statisticsMessages }] = await Promise.all([
      import('./statistics/messages/translations.js'),
      import('./statistics/statistics-page.js'),
    ]);
    const texts = await statisticsMessages(spoken);
    return (context) => html`<statistics-page .context=${context} .messages=${texts}></statistics-page>`;
  },
  async schedule(spoken) {
    const [{ scheduleMessages }] = await Promise.all([
      import('./schedule/messages/translations.js'),
      import('./schedule/schedule-page.js'),
    ]);
    const texts = await scheduleMessages(spoken);
    return (context) => html`<schedule-page .context=${context} .messages=${texts}></schedule-page>`;
  },
  async recordings(spoken) {
    const [{ recordingsMessages }] = await Promise.all([
      import('./recordings/messages/translations.js'),
      import('./recordings/recordings-page.js'),
    ]);
    const texts = await recordingsMessages(spoken);
    return (context) => html`<recordings-page .context=${context} .messages=${texts}></recordings-page>`;
  },
  async tokens(spoken) {
    const [{ tokensMessages }, { refusalsMessages }] = await Promise.all([
      import('./tokens/messages/translations.js'),
      import('./refusals/messages/translations.js'),
      import('./tokens/tokens-page.js'),
    ]);
    const [texts, refusals] = await Promise.all([tokensMessages(spoken), refusalsMessages(spoken)]);
    return (context) => html`
      <tokens-page .context=${context} .messages=${texts} .refusals=${refusals}></tokens-page>
    `;
  },
  async refusals(spoken) {
    const [{ refusalsMessages }] = await Promise.all([
      import('./refusals/messages/translations.js'),
      import('./refusals/refusals-page.js'),
    ]);
    const texts = await refusalsMessages(spoken);
    return (context) => html`<refusals-page .context=${context} .messages=${texts}></refusals-page>`;
  },
  async audit(spoken) {
    const [{ auditMessages }] = await Promise.all([
      import('./audit/messages/translations.js'),
      import('./audit/audit-page.js'),
    ]);
    const texts = await auditMessages(spoken);
    return (context) => html`<audit-page .context=${context} .messages=${texts}></audit-page>`;
  },
  async webhooks(spoken) {
    const [{ webhooksMessages }] = await Promise.all([
      import('./webhooks/messages/translations.js'),
      import('./webhooks/webhooks-page.js'),
    ]);
    const texts = await webhooksMessages(spoken);
    return (context) => html`<webhooks-page .context=${context} .messages=${texts}></webhooks-page>`;
  },
  async appearance(spoken) {
    const [{ appearanceMessages }] = await Promise.all([
      import('./appearance/messages/translations.js'),
      import('./appearance/appearance-page.js'),
    ]);
    const texts = await appearanceMessages(spoken);
    return (context) => html`<appearance-page .context=${context} .messages=${texts}></appearance-page>`;
  },
  async security(spoken) {
    const [{ securityMessages }] = await Promise.all([
      import('./security/messages/translations.js'),
      import('./security/security-page.js'),
    ]);
    const texts = await securityMessages(spoken);
    return (context) => html`<security-page .context=${context} .messages=${texts}></security-page>`;
  },
};
