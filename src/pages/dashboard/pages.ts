import { html, type TemplateResult } from 'lit';
import type { RtmpAddress } from '../../wire/management/dashboard-session.js';
import type { ManagementClient } from '../../management/management-client.js';
import type { DashboardMessages } from './messages/dashboard-messages.js';
import type { PageName } from './routes.js';

export interface PageContext {
  readonly client: ManagementClient;
  readonly messages: DashboardMessages;
  readonly language: string;
  readonly accountId: string;
  /** Null: somebody with a link of the operator. */
  readonly memberName: string | null;
  readonly permissions: readonly string[];
  /** Null: the server takes no RTMP. */
  readonly rtmp: RtmpAddress | null;
}

type Page = (context: PageContext) => TemplateResult;

/** Loads the code and the texts of a page, which the first paint of the others must not wait for. */
export const loadPage: Readonly<Record<PageName, (language: string) => Promise<Page>>> = {
  async home() {
    await import('./home/home-page.js');
    return ({ client, messages, language, accountId }) => html`
      <home-page
        .client=${client}
        .messages=${messages}
        .common=${messages}
        .language=${language}
        .accountId=${accountId}
      ></home-page>
    `;
  },
  async live(spoken) {
    const [{ liveMessages }] = await Promise.all([
      import('./live/messages/translations.js'),
      import('./live/live-page.js'),
    ]);
    const texts = await liveMessages(spoken);
    return ({ client, messages, language, accountId, permissions }) => html`
      <live-page
        .client=${client}
        .messages=${texts}
        .common=${messages}
        .language=${language}
        .accountId=${accountId}
        .permissions=${permissions}
      ></live-page>
    `;
  },
  async statistics(spoken) {
    const [{ statisticsMessages }] = await Promise.all([
      import('./statistics/messages/translations.js'),
      import('./statistics/statistics-page.js'),
    ]);
    const texts = await statisticsMessages(spoken);
    return ({ client, messages, language }) => html`
      <statistics-page .client=${client} .messages=${texts} .common=${messages} .language=${language}></statistics-page>
    `;
  },
  async schedule(spoken) {
    const [{ scheduleMessages }] = await Promise.all([
      import('./schedule/messages/translations.js'),
      import('./schedule/schedule-page.js'),
    ]);
    const texts = await scheduleMessages(spoken);
    return ({ client, messages, language, accountId, permissions }) => html`
      <schedule-page
        .client=${client}
        .messages=${texts}
        .common=${messages}
        .language=${language}
        .accountId=${accountId}
        .permissions=${permissions}
      ></schedule-page>
    `;
  },
  async recordings(spoken) {
    const [{ recordingsMessages }] = await Promise.all([
      import('./recordings/messages/translations.js'),
      import('./recordings/recordings-page.js'),
    ]);
    const texts = await recordingsMessages(spoken);
    return ({ client, messages, language, permissions }) => html`
      <recordings-page
        .client=${client}
        .messages=${texts}
        .common=${messages}
        .language=${language}
        .permissions=${permissions}
      ></recordings-page>
    `;
  },
  async tokens(spoken) {
    const [{ tokensMessages }, { refusalsMessages }] = await Promise.all([
      import('./tokens/messages/translations.js'),
      import('./refusals/messages/translations.js'),
      import('./tokens/tokens-page.js'),
    ]);
    const [texts, refusals] = await Promise.all([tokensMessages(spoken), refusalsMessages(spoken)]);
    return ({ client, messages, language, accountId, rtmp }) => html`
      <tokens-page
        .rtmp=${rtmp}
        .client=${client}
        .messages=${texts}
        .refusals=${refusals}
        .common=${messages}
        .language=${language}
        .accountId=${accountId}
      ></tokens-page>
    `;
  },
  async refusals(spoken) {
    const [{ refusalsMessages }] = await Promise.all([
      import('./refusals/messages/translations.js'),
      import('./refusals/refusals-page.js'),
    ]);
    const texts = await refusalsMessages(spoken);
    return ({ client, messages, language }) => html`
      <refusals-page .client=${client} .messages=${texts} .common=${messages} .language=${language}></refusals-page>
    `;
  },
  async audit(spoken) {
    const [{ auditMessages }] = await Promise.all([
      import('./audit/messages/translations.js'),
      import('./audit/audit-page.js'),
    ]);
    const texts = await auditMessages(spoken);
    return ({ client, messages, language }) => html`
      <audit-page .client=${client} .messages=${texts} .common=${messages} .language=${language}></audit-page>
    `;
  },
  async appearance(spoken) {
    const [{ appearanceMessages }] = await Promise.all([
      import('./appearance/messages/translations.js'),
      import('./appearance/appearance-page.js'),
    ]);
    const texts = await appearanceMessages(spoken);
    return ({ client, messages, language }) => html`
      <appearance-page .client=${client} .messages=${texts} .common=${messages} .language=${language}></appearance-page>
    `;
  },
  async security(spoken) {
    const [{ securityMessages }] = await Promise.all([
      import('./security/messages/translations.js'),
      import('./security/security-page.js'),
    ]);
    const texts = await securityMessages(spoken);
    return ({ client, messages, language, memberName, permissions }) => html`
      <security-page
        .client=${client}
        .messages=${texts}
        .common=${messages}
        .language=${language}
        .memberName=${memberName}
        .permissions=${permissions}
      ></security-page>
    `;
  },
};
