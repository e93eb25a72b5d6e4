import { html, nothing, type TemplateResult } from 'lit';
import type { DashboardMessages } from './messages/dashboard-messages.js';

/** A page of a list. Pages count from 1. */
export interface ListPage {
  /** Number of items on all pages. */
  readonly total: number;
  readonly page: number;
  readonly pages: number;
}

/** Buttons to the newer and older page of a list. Nothing if there is one page. */
export function pageButtons(
  { page, pages, total }: ListPage,
  { messages, language }: { messages: DashboardMessages; language: string },
  turnTo: (page: number) => void,
): TemplateResult | typeof nothing {
  if (pages <= 1) return nothing;
  const [current, last, all] = [page, pages, total].map((count) => count.toLocaleString(language));
  return html`
    <nav class="pages" aria-label=${messages.pagesOfList}>
      <button ?disabled=${page === 1} @click=${() => turnTo(page - 1)}>${messages.newer}</button>
      <span class="soft">${messages.pageOf(current!, last!, all!)}</span>
      <button ?disabled=${page >= pages} @click=${() => turnTo(page + 1)}>${messages.older}</button>
    </nav>
  `;
}
