import type { ManagementClient } from '../../management/management-client.js';
import type { RtmpAddress } from '../../wire/management/dashboard-session.js';
import type { DashboardMessages } from './messages/dashboard-messages.js';

/** What every page of the dashboard works with: the server, the texts that all pages share, and who is logged in. */
export interface PageContext {
  readonly client: ManagementClient;
  readonly common: DashboardMessages;
  /** BCP 47 tag for dates and numbers. */
  readonly language: string;
  readonly accountId: string;
  /** Null: somebody with a link of the operator. */
  readonly memberName: string | null;
  readonly permissions: readonly string[];
  /** Null: the server takes no RTMP. */
  readonly rtmp: RtmpAddress | null;
  /** Whether tokens can have lists of countries. */
  readonly countries: boolean;
}

/** What a part of a page speaks with. */
export interface PageTexts<Messages> {
  /** The texts of the page. */
  readonly messages: Messages;
  /** The texts that all pages share. */
  readonly common: DashboardMessages;
  /** BCP 47 tag for dates and numbers. */
  readonly language: string;
}
