import { html, type TemplateResult } from 'lit';
import { ManagementError } from '../../management/management-error.js';
import type { DashboardMessages } from './messages/dashboard-messages.js';

/** Somebody must log in again. The dashboard listens for this event of its pages. */
export const SESSION_ENDED = 'session-ended';

/** What a page of the dashboard shows before it is ready, or instead. A failure without a message is unexpected. */
export type UnreadyView =
  | { readonly name: 'loading' }
  | { readonly name: 'failed'; readonly message: string }
  | { readonly name: 'no-permission' }
  | { readonly name: 'session-ended' };

export type PageView<Content extends object> = UnreadyView | ({ readonly name: 'ready' } & Content);

/** Reads the content of a page. Never throws: a failure is a view too. */
export async function readView<Content extends object>(read: () => Promise<Content>): Promise<PageView<Content>> {
  try {
    return { ...(await read()), name: 'ready' };
  } catch (error) {
    if (error instanceof ManagementError && error.status === 401) return { name: 'session-ended' };
    if (error instanceof ManagementError && error.code === 'permission_missing') return { name: 'no-permission' };
    return { name: 'failed', message: error instanceof Error ? error.message : '' };
  }
}

/** @param onRetry reads the page again */
export function unreadyContent(view: UnreadyView, messages: DashboardMessages, onRetry: () => void): TemplateResult {
  switch (view.name) {
    case 'loading':
      return html`<p class="soft" role="status">${messages.loading}</p>`;
    case 'no-permission':
      return html`<p class="card" role="alert">${messages.noPermission}</p>`;
    case 'session-ended':
      return html`<p class="card" role="alert">${messages.sessionEnded}</p>`;
    case 'failed':
      return html`
        <div class="card">
          <p role="alert">${view.message || messages.unexpected}</p>
          <div class="actions"><button @click=${onRetry}>${messages.tryAgain}</button></div>
        </div>
      `;
  }
}
