import { html, type TemplateResult } from 'lit';
import type { DashboardMessages } from '../messages/dashboard-messages.js';
import { commonSearch } from '../page-query.js';
import type { PageView } from '../page-view.js';
import { hasPasskeys } from '../passkey.js';
import { pathOf } from '../routes.js';
import type { SignInContent } from '../security/sign-in-state.js';

/**
 * Whether the person cannot log in again by themselves.
 *
 * @param host of the dashboard: a passkey belongs to one
 */
export const needsWayBack = (view: PageView<SignInContent>, host: string): boolean =>
  view.name === 'ready' && view.password.loginName === null && !view.passkeys.some((passkey) => passkey.host === host);

/** Leads to the page on which ways to log in are added. */
export function wayBackCard({ wayBack }: DashboardMessages): TemplateResult {
  return html`
    <section class="card" aria-labelledby="way-back">
      <div class="heading">
        <div>
          <h2 id="way-back">${wayBack.title}</h2>
          <p class="soft">${wayBack.text}</p>
        </div>
        <a class="button" href=${pathOf('security') + commonSearch(location.search)}
          >${hasPasskeys() ? wayBack.addPasskey : wayBack.setPassword}</a
        >
      </div>
    </section>
  `;
}
