import ical from 'ical-generator';
import type { ScheduledStream } from './scheduled-stream.js';

/**
 * An iCalendar file (RFC 5545) with one event. The UID stays and the SEQUENCE grows, so that a calendar that reads the
 * file again changes its event.
 *
 * @param url of the page, without a token
 */
export function calendarFile(stream: ScheduledStream, url: string): string {
  const { id, title, description, startsOn, endsOn, createdOn, updatedOn, revision } = stream;
  const calendar = ical({ prodId: { company: 'Streamgate', product: 'Streamgate' } });
  calendar.createEvent({
    id: `${id}@streamgate`,
    sequence: revision,
    stamp: new Date(updatedOn),
    created: new Date(createdOn),
    lastModified: new Date(updatedOn),
    start: new Date(startsOn),
    end: endsOn === null ? null : new Date(endsOn),
    summary: title,
    // Some calendars do not show the URL of an event.
    description: description === null ? url : `${description}\n\n${url}`,
    url,
  });
  // The library ends the last line without the break that the format demands.
  return `${calendar.toString().trimEnd()}\r\n`;
}
