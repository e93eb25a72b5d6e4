/** The parameter of the first page of the dashboard that opens the link for viewers of a stream. */
const PARAMETER = 'viewerLink';

/** The address of that dialog, for pages outside of the dashboard. */
export const viewerLinkPath = (streamName: string): string =>
  `/dashboard?${new URLSearchParams({ [PARAMETER]: streamName }).toString()}`;

/** The stream that the address names. Empty: none. @param search of the address */
export const streamToLink = (search: string): string => new URLSearchParams(search).get(PARAMETER) ?? '';
