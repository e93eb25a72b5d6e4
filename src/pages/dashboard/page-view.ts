import { html, type TemplateResult } from 'lit';
import { ManagementError } from '../../management/management-error.js';
import type { DashboardMessages } from './messages/dashboard-messages.js';

/** Somebody must log in again. The dashboard listens for this event of its pages. */
export const SESSION_ENDED = 'session-ended';

/** Who is logged in has changed, for example their name or their role. The dashboard listens for this event of its pages. */
export const SESSION_CHANGED = 'session-changed';

/** What a page of the dashboard shows before it is ready, or instead. A failure without a message is unexpected. */
export type UnreadyView =
  | { readonly name: 'loading' }
  | { readonly name: 'failed'; readonly message: string }
  | { readonly name: 'unreachable' }
  | { readonly name: 'no-permission' }
  | { readonly name: 'session-ended' };

export type PageView<Content extends object> = UnreadyView | ({ readonly name: 'ready' } & Content);

/** Reads the content of a page. Never throws: a failure is a view too. */
export async function readView<Content extends object>(read: () => Promise<Content>): Promise<PageView<Content>> {
  try {
    return { ...(await read()), name: 'ready' };
  } catch (error) {
    if (error instanceof ManagementError && error.status === 401) return { name: 'session-ended' };
    if (isNotPermitted(error)) return { name: 'no-permission' };
    if (isUnreachable(error)) return { name: 'unreachable' };
    return { name: 'failed', message: error instanceof Error ? error.message : '' };
  }
}

/** Whether the server could not be asked: the network is down, or the server is. */
const isUnreachable = (error: unknown): boolean => error instanceof ManagementError && error.code === 'unreachable';

/** Whether the role of the person does not permit a call: somebody has changed it while the page is open. */
export const isNotPermitted = (error: unknown): boolean =>
  error instanceof ManagementError && error.code === 'permission_missing';

/** What a person is told about a call that failed. The sentences of the server are English. */
export function faultText(error: unknown, messages: DashboardMessages): string {
  if (isUnreachable(error)) return messages.unreachable;
  if (isNotPermitted(error)) return messages.notPermitted;
  return error instanceof Error ? error.message : messages.unexpected;
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
    case 'unreachable':
      return failure(html`${messages.unreachable}`, messages, onRetry);
    case 'failed':
      return failure(
        view.message ? html`<span lang="en" dir="ltr">${view.message}</span>` : html`${messages.unexpected}`,
        messages,
        onRetry,
      );
  }
}

function failure(sentence: TemplateResult, messages: DashboardMessages, onRetry: () => void): TemplateResult {
  return html`
    <div class="card">
      <p role="alert">${sentence}</p>
      <div class="actions"><button @click=${onRetry}>${messages.tryAgain}</button></div>
    </div>
  `;
}
