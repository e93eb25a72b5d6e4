import type { ManagementClient } from '../../../management/management-client.js';
import type { AuditAction, AuditBody } from '../../../wire/management/audit.js';
import { readPage, type ListPage } from '../page-buttons.js';
import { readView, type PageView } from '../page-view.js';

const ITEMS_ON_PAGE = 50;

export interface AuditPageContent extends ListPage {
  /** The newest first. */
  readonly entries: readonly AuditBody[];
}

export type AuditView = PageView<AuditPageContent>;

/** A field that a change names, with its values as text. Undefined: there was none. */
export interface ChangedField {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Reads the changes of the account, page by page. */
export class AuditState {
  readonly #client: ManagementClient;
  readonly #onChange: (view: AuditView) => void;
  #action: AuditAction | undefined;
  /** Counts the reads, so that a slow answer does not replace a newer one. */
  #reads = 0;

  constructor(client: ManagementClient, onChange: (view: AuditView) => void) {
    this.#client = client;
    this.#onChange = onChange;
  }

  /** Shows a page of these changes. @param action undefined: all */
  async select(action: AuditAction | undefined, page = 1): Promise<void> {
    this.#action = action;
    await this.load(page);
  }

  /** The selected changes, on all pages. @throws {ManagementError} */
  async csv(): Promise<string> {
    return await this.#client.oversight.auditCsv({ action: this.#action });
  }

  async load(page = 1): Promise<void> {
    this.#reads += 1;
    const read = this.#reads;
    const action = this.#action;
    const view = await readView<AuditPageContent>(() =>
      readPage(page, ITEMS_ON_PAGE, (turned) =>
        this.#client.oversight.audit({ page: turned, itemsOnPage: ITEMS_ON_PAGE, action }),
      ),
    );
    if (read === this.#reads) this.#onChange(view);
  }
}

/** The fields of a change, in the order in which the server names them. */
export function changedFields({ before, after }: Pick<AuditBody, 'before' | 'after'>): readonly ChangedField[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].map((name) => ({ name, before: textOf(before, name), after: textOf(after, name) }));
}

function textOf(fields: AuditBody['before'], name: string): string | undefined {
  if (!fields || !Object.hasOwn(fields, name)) return undefined;
  const value = fields[name];
  return typeof value === 'string' ? value : JSON.stringify(value);
}
