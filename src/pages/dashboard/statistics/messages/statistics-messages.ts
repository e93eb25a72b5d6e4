// Generated from en.json by `npm run generate`. Do not edit.
import type { SessionEventName } from '../../../../wire/management/session.js';
import type { RangeName } from '../statistics-state.js';
import type { EndReasons } from '../../reasons/ends/messages/end-reasons.js';
import type { QualityMessages } from '../../quality/messages/quality-messages.js';

/** The texts of the statistics page. Dates and numbers arrive formatted for the language. */
export interface StatisticsMessages {
  readonly statistics: string;
  readonly purpose: string;
  readonly time: string;
  readonly ranges: Readonly<Record<RangeName, string>>;
  readonly streams: string;
  readonly none: string;
  readonly stream: string;
  readonly peak: string;
  readonly sessions: string;
  readonly watched: string;
  readonly onAir: string;
  readonly details: string;
  readonly detailsOf: (stream: string) => string;
  readonly chart: (most: string) => string;
  readonly sessionsOf: (stream: string) => string;
  readonly noSessions: string;
  readonly moreSessions: string;
  readonly viewer: string;
  readonly publisher: string;
  readonly open: string;
  readonly ended: (reason: string) => string;
  readonly token: string;
  readonly tokenNumber: (id: string) => string;
  readonly noToken: string;
  readonly timeline: string;
  readonly timelineOf: (time: string) => string;
  readonly leftOut: (count: number, shownCount: string) => string;
  readonly events: Readonly<Record<SessionEventName, string>>;
  readonly tokens: string;
  readonly noTokens: string;
  readonly kinds: Readonly<Record<string, string>>;
  readonly lastUsed: string;
  readonly addresses: string;
  readonly addressesOf: (id: string) => string;
  readonly addressCount: (count: string) => string;
  readonly allSessions: string;
  readonly sessionCount: (count: string) => string;
  readonly unknownAddress: string;
  readonly endReasons: EndReasons;
  readonly quality: QualityMessages;
}
