/** The pages of the dashboard, in the order of its navigation, each with its path. */
const PATHS = {
  home: '/dashboard',
  live: '/dashboard/live',
  schedule: '/dashboard/schedule',
  recordings: '/dashboard/recordings',
  tokens: '/dashboard/tokens',
  refusals: '/dashboard/refusals',
  statistics: '/dashboard/statistics',
  audit: '/dashboard/audit',
  webhooks: '/dashboard/webhooks',
  appearance: '/dashboard/appearance',
  security: '/dashboard/security',
} as const;

/** What a person must be permitted to see a page. */
const PERMISSIONS: Readonly<Record<PageName, string>> = {
  home: 'read',
  live: 'figures',
  schedule: 'read',
  recordings: 'read',
  tokens: 'read',
  statistics: 'figures',
  refusals: 'read',
  audit: 'read',
  webhooks: 'account',
  appearance: 'account',
  // Everybody has ways to log in. The rest of the page needs `account`.
  security: 'figures',
};

export type PageName = keyof typeof PATHS;

export const pageNames = Object.keys(PATHS) as readonly PageName[];

/** Who uses a page that somebody with these permissions cannot use. Undefined: they can. */
export function othersWithPage(name: PageName, permissions: readonly string[]): 'owners' | 'managers' | undefined {
  const needed = PERMISSIONS[name];
  if (permissions.includes(needed)) return undefined;
  return needed === 'account' ? 'owners' : 'managers';
}

/** The pages that somebody with these permissions can use, in the order of the navigation. */
export function pagesFor(permissions: readonly string[]): readonly PageName[] {
  return pageNames.filter((name) => othersWithPage(name, permissions) === undefined);
}

/** What belongs together in the navigation. */
const GROUPS = {
  streams: ['home', 'live', 'schedule', 'recordings'],
  access: ['tokens', 'refusals'],
  insight: ['statistics', 'audit'],
  settings: ['webhooks', 'appearance', 'security'],
} as const satisfies Readonly<Record<string, readonly PageName[]>>;

export type PageGroup = keyof typeof GROUPS;

/** The groups of the navigation that are not empty for somebody with these permissions. */
export function groupsFor(permissions: readonly string[]): readonly (readonly [PageGroup, readonly PageName[]])[] {
  const permitted = pagesFor(permissions);
  return (Object.keys(GROUPS) as readonly PageGroup[])
    .map((group) => [group, permitted.filter((name) => GROUPS[group].some((one) => one === name))] as const)
    .filter(([, names]) => names.length > 0);
}

export const pathOf = (name: PageName): string => PATHS[name];

/** @returns undefined if there is no page at this path */
export function pageAt(path: string): PageName | undefined {
  const plain = path.length > 1 ? path.replace(/\/$/, '') : path;
  return pageNames.find((name) => PATHS[name] === plain);
}
