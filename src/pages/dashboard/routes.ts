/** The pages of the dashboard, in the order of its navigation, each with its path. */
const PATHS = {
  home: '/dashboard',
  live: '/dashboard/live',
  tokens: '/dashboard/tokens',
  statistics: '/dashboard/statistics',
  refusals: '/dashboard/refusals',
  audit: '/dashboard/audit',
  security: '/dashboard/security',
} as const;

export type PageName = keyof typeof PATHS;

export const pageNames = Object.keys(PATHS) as readonly PageName[];

export const pathOf = (name: PageName): string => PATHS[name];

/** @returns undefined if there is no page at this path */
export function pageAt(path: string): PageName | undefined {
  const plain = path.length > 1 ? path.replace(/\/$/, '') : path;
  return pageNames.find((name) => PATHS[name] === plain);
}
