/** The mark by which spreadsheets recognise UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';
/** The browser has begun to read the file by then. */
const READ_WITHIN_MS = 60_000;

/** Saves a table as a file, as the browser saves downloads. */
export function saveCsv(text: string, fileName: string): void {
  const url = URL.createObjectURL(new Blob([BYTE_ORDER_MARK, text], { type: 'text/csv' }));
  Object.assign(document.createElement('a'), { href: url, download: fileName }).click();
  setTimeout(() => URL.revokeObjectURL(url), READ_WITHIN_MS);
}
