import { themePalette } from '../../../src/wire/theme-palette.js';
import { logoPath, type Theme } from '../../accounts/theme/theme.js';
import { escapedHtml } from './escaped-html.js';

export interface PageSubject {
  readonly accountId: string;
  readonly theme: Theme;
  /** What a link to the page is shown with by other sites (Open Graph). Absent: the page is not for sharing. */
  readonly shared?: {
    readonly title: string;
    /** Absent: the title says all. */
    readonly description?: string;
    /** Without a token, because every site reads it. */
    readonly url: string;
    /** Of this server, for the address of the logo. */
    readonly origin: string;
  };
}

/** What a page has in its head for its account and stream. */
export interface PageHead {
  /** Empty: nothing. */
  readonly tags: string;
  /** In place of the icon of the build. */
  readonly icon: string | undefined;
}

/** Colours, name and logo of the account, and what other sites show of a link. */
export function pageHead({ accountId, theme, shared }: PageSubject): PageHead {
  const { name, logo } = theme;
  const logoUrl = logo && logoPath(accountId, logo);
  const head = [
    styleOf(theme),
    name && `<meta name="application-name" content="${escapedHtml(name)}" />`,
    ...(shared ? sharedTags(shared, name, logoUrl) : []),
  ].filter((tag) => !!tag);
  return {
    tags: head.join(''),
    icon: logoUrl ? `<link rel="icon" href="${escapedHtml(logoUrl)}" data-logo />` : undefined,
  };
}

/** Empty: the colours are those of the product. */
function styleOf(theme: Theme): string {
  const properties = Object.entries(themePalette(theme));
  if (properties.length === 0) return '';
  const ofPage = properties.filter(isOfPage);
  const ofBoth = properties.filter((property) => !isOfPage(property));
  const ground =
    theme.background === null ? '' : ':root,body{color:var(--ink);background:var(--ground)}.soft{color:var(--soft)}';
  return `<style>${rule(':root,stream-viewer', ofBoth)}${rule(':root', ofPage)}${ground}</style>`;
}

type Property = readonly [name: string, value: string];

/** The player makes a property of this name of `--stream-accent`. With that of the page, it would darken the accent twice. */
const isOfPage = ([name]: Property): boolean => name.startsWith('--accent');

function rule(selector: string, properties: readonly Property[]): string {
  if (properties.length === 0) return '';
  return `${selector}{${properties.map(([name, value]) => `${name}:${value}`).join(';')}}`;
}

function sharedTags(
  { title, description, url, origin }: NonNullable<PageSubject['shared']>,
  name: string | null,
  logo: string | null,
): readonly string[] {
  const tag = (property: string, content: string): string =>
    `<meta property="og:${property}" content="${escapedHtml(content)}" />`;
  return [
    tag('type', 'video.other'),
    tag('title', title),
    ...(description === undefined ? [] : [tag('description', description)]),
    tag('url', url),
    ...(name ? [tag('site_name', name)] : []),
    ...(logo ? [tag('image', origin + logo)] : []),
    '<meta name="twitter:card" content="summary" />',
  ];
}
