/** When the stream is, in the time zone of the visitor: weekday, date and time, with the end if it is known. */
export function startText({ startsOn, endsOn }: { startsOn: string; endsOn: string | null }, language: string): string {
  const format = new Intl.DateTimeFormat(language, {
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  });
  const start = new Date(startsOn);
  return endsOn === null ? format.format(start) : format.formatRange(start, new Date(endsOn));
}

/** The name of the visitor's time zone at that time, such as `Central European Standard Time`. */
export function timeZoneText(startsOn: string, language: string): string {
  const parts = new Intl.DateTimeFormat(language, { timeZoneName: 'long' }).formatToParts(new Date(startsOn));
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
