import { expect, fixture, html } from '@open-wc/testing';
import type { LitElement } from 'lit';
import { ManagementClient } from '../../../src/management.js';
import { en as common } from '../../../src/pages/dashboard/messages/en.js';
import type { PageContext } from '../../../src/pages/dashboard/page-context.js';
import { en as refusals } from '../../../src/pages/dashboard/refusals/messages/en.js';
import { en as schedule } from '../../../src/pages/dashboard/schedule/messages/en.js';
import '../../../src/pages/dashboard/schedule/schedule-page.js';
import { en as tokens } from '../../../src/pages/dashboard/tokens/messages/en.js';
import '../../../src/pages/dashboard/tokens/tokens-page.js';

/** Of a server that does not answer yet. */
const context: PageContext = {
  client: new ManagementClient({ endpoint: 'https://live.test', fetch: () => new Promise(() => {}) }),
  common,
  language: 'en',
  accountId: 'main',
  memberName: null,
  permissions: ['streams'],
  rtmp: null,
  countries: false,
};

/** Enters text in a new form, and has the page render again, as when the list comes that it shows behind the form. */
async function textAfterRender(page: LitElement, editorName: string, field: string): Promise<string> {
  page.querySelector<HTMLButtonElement>('button.primary')!.click();
  await page.updateComplete;
  const editor = page.querySelector<LitElement>(editorName)!;
  await editor.updateComplete;
  const input = editor.querySelector<HTMLInputElement>(`input[name=${field}]`)!;
  input.value = 'Opening';
  input.dispatchEvent(new Event('input', { bubbles: true }));
  await editor.updateComplete;
  page.requestUpdate();
  await page.updateComplete;
  await editor.updateComplete;
  return input.value;
}

describe('what a person has entered in a form of the dashboard, when the page renders again', () => {
  afterEach(() => sessionStorage.clear());

  it('stays in the form of a token', async () => {
    const page = await fixture<LitElement>(html`
      <tokens-page .context=${context} .messages=${tokens} .refusals=${refusals}></tokens-page>
    `);
    expect(await textAfterRender(page, 'token-editor', 'label')).to.equal('Opening');
  });

  it('stays in the form of a scheduled stream', async () => {
    const page = await fixture<LitElement>(html`
      <schedule-page .context=${context} .messages=${schedule}></schedule-page>
    `);
    expect(await textAfterRender(page, 'schedule-editor', 'title')).to.equal('Opening');
  });
});
