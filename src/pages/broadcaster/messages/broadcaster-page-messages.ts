import type { CopyWords } from '../../copy-field.js';

/** A sentence with one link in it. */
export type LinkedSentence = readonly [before: string, link: string, after: string];

/** What the page for broadcasters says around its tag, which has words of its own. */
export interface BroadcasterPageMessages {
  readonly incompleteLink: string;
  readonly streamAndToken: string;
  readonly makesOne: LinkedSentence;
  readonly dashboard: string;
  readonly linkComes: string;
  readonly share: string;
  readonly viewerLink: string;
  readonly frame: string;
  readonly tag: string;
  readonly privateStream: LinkedSentence;
  readonly copy: CopyWords;
}
