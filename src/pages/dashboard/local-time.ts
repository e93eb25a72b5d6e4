/** A time as a person enters it, in their time zone. @param time milliseconds since 1970 */
export function localTime(time: number): string {
  const offset = new Date(time).getTimezoneOffset();
  return new Date(time - offset * 60_000).toISOString().slice(0, 16);
}
