// Generated from en.json by `npm run generate`. Do not edit.
import type { CopyMessages } from '../../messages/copy-messages.js';

/** The texts of the broadcaster page outside its tag. */
export interface BroadcasterPageMessages {
  readonly incompleteLink: string;
  readonly neededParts: string;
  readonly createdBy: readonly [string, string, string];
  /** Of a page without a secure context. */
  readonly insecure: {
    readonly title: string;
    readonly cause: string;
    readonly next: readonly [string, string, string];
  };
  readonly dashboard: string;
  readonly linkAfterStart: string;
  /** Below the reason. */
  readonly refusedLink: string;
  readonly share: string;
  readonly viewerLink: string;
  readonly iframe: string;
  readonly tag: string;
  /** In place of the links, if viewers need a token. */
  readonly privateStream: string;
  readonly createViewerLink: string;
  readonly askForLinks: string;
  readonly language: string;
  /** Before the broadcast begins. */
  readonly willBeRecorded: string;
  readonly copy: CopyMessages;
}
