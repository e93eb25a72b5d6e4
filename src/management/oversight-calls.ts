import { auditList, type AuditAction, type AuditBody } from '../wire/management/audit.js';
import { explainAnswer, type Explanation, type ExplainRequest } from '../wire/management/explain.js';
import type { RuleRefusalCode } from '../wire/director/refusal-code.js';
import { refusalGroupList, refusalList, type RefusalBody, type RefusalGroupBody } from '../wire/management/refusal.js';
import type { ManagementConnection } from './management-connection.js';

interface PageOptions {
  /** From 1. */
  readonly page?: number | undefined;
  /** 1 to 100. Absent: 100. */
  readonly itemsOnPage?: number | undefined;
}

export interface RefusalListOptions extends PageOptions {
  readonly streamName?: string | undefined;
  readonly tokenId?: number | undefined;
  readonly reason?: RuleRefusalCode | undefined;
}

export interface AuditListOptions extends PageOptions {
  readonly action?: AuditAction | undefined;
}

interface Page {
  /** Number of items on all pages. */
  readonly total: number;
  readonly page: number;
  readonly itemsOnPage: number;
}

export interface RefusalListPage extends Page {
  readonly refusals: readonly RefusalBody[];
  /** Number of refusals, of any account, that could not be stored since the server started. */
  readonly dropped: number;
}

export interface RefusalGroupListPage extends Page {
  readonly groups: readonly RefusalGroupBody[];
}

export interface AuditListPage extends Page {
  readonly entries: readonly AuditBody[];
}

/** Explains verdicts, and lists refusals and changes. Each call throws {@link ManagementError}. */
export class OversightCalls {
  readonly #connection: ManagementConnection;

  constructor(connection: ManagementConnection) {
    this.#connection = connection;
  }

  /** The verdict of each rule for a request, and the answer that the server would give now. */
  async explain(request: ExplainRequest): Promise<Explanation> {
    const call = { method: 'POST', path: '/api/explain', body: request } as const;
    return (await this.#connection.call(explainAnswer, call)).data;
  }

  /** The refused requests with their reasons, the newest first. */
  async refusals(options: RefusalListOptions = {}): Promise<RefusalListPage> {
    const request = { method: 'GET', path: '/api/refusals', query: { ...options } } as const;
    const { data, total, page, itemsOnPage, dropped } = await this.#connection.call(refusalList, request);
    return { refusals: data, total, page, itemsOnPage, dropped };
  }

  /** The refused requests in groups of the same kind, reason, token and origin, the largest first. */
  async refusalGroups(options: RefusalListOptions = {}): Promise<RefusalGroupListPage> {
    const request = { method: 'GET', path: '/api/refusals/groups', query: { ...options } } as const;
    const { data, total, page, itemsOnPage } = await this.#connection.call(refusalGroupList, request);
    return { groups: data, total, page, itemsOnPage };
  }

  /** The refusals as CSV: all pages as one table, with a header row. */
  async refusalsCsv(options: RefusalListOptions = {}): Promise<string> {
    return await this.#connection.csv({ path: '/api/refusals', query: { ...options } });
  }

  /** The changes as CSV: all pages as one table, with a header row. */
  async auditCsv(options: AuditListOptions = {}): Promise<string> {
    return await this.#connection.csv({ path: '/api/audit', query: { ...options } });
  }

  /** The changes with their actors, the newest first. */
  async audit(options: AuditListOptions = {}): Promise<AuditListPage> {
    const request = { method: 'GET', path: '/api/audit', query: { ...options } } as const;
    const { data, total, page, itemsOnPage } = await this.#connection.call(auditList, request);
    return { entries: data, total, page, itemsOnPage };
  }
}
