import { html, nothing, type TemplateResult } from 'lit';
import type { DashboardMessages } from './messages/dashboard-messages.js';

/** A page of a list. Pages count from 1. */
export interface ListPage {
  /** Number of items on all pages. */
  readonly total: number;
  readonly page: number;
  readonly pages: number;
}

/** Reads a page of a list, or its last page if there are fewer now: an address may be old. */
export async function readPage<List extends { readonly total: number }>(
  wanted: number,
  itemsOnPage: number,
  read: (page: number) => Promise<List>,
): Promise<List & ListPage> {
  const list = await read(wanted);
  const pages = Math.max(1, Math.ceil(list.total / itemsOnPage));
  if (wanted <= pages) return { ...list, page: wanted, pages };
  return { ...(await read(pages)), page: pages, pages };
}

interface PageButtonTexts {
  readonly messages: DashboardMessages;
  readonly language: string;
  /** The names of the buttons in a list that is not ordered by time. Absent: newer and older. */
  readonly labels?: { readonly before: string; readonly after: string };
}

/** Buttons to the pages before and after this page of a list. Nothing if there is one page. */
export function pageButtons(
  { page, pages, total }: ListPage,
  { messages, language, labels = { before: messages.newer, after: messages.older } }: PageButtonTexts,
  turnTo: (page: number) => void,
): TemplateResult | typeof nothing {
  if (pages <= 1) return nothing;
  const [current, last, all] = [page, pages, total].map((count) => count.toLocaleString(language));
  return html`
    <nav class="pages" aria-label=${messages.pagesOfList}>
      <button ?disabled=${page === 1} @click=${() => turnTo(page - 1)}>${labels.before}</button>
      <span class="soft">${messages.pageOf(current!, last!, all!)}</span>
      <button ?disabled=${page >= pages} @click=${() => turnTo(page + 1)}>${labels.after}</button>
    </nav>
  `;
}
