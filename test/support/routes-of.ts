import type { Router } from 'express';

/** What `listRoutes` of Express 5.3 tells; its published types do not know of it yet. */
interface ListedRoute {
  readonly path: string;
  /** `*` stands for `all`, which is where a route refuses every other method. */
  readonly methods: readonly string[] | undefined;
  readonly router: ListingRouter | undefined;
}

interface ListingRouter {
  listRoutes(): readonly ListedRoute[];
}

/** `GET /api/audit` and so on: every route of a router and of those mounted in it. */
export function routesOf(router: Router): string[] {
  if (!isListing(router)) throw new Error('this version of Express does not list its routes');
  return listed(router, '');
}

function listed(router: ListingRouter, prefix: string): string[] {
  return router.listRoutes().flatMap(({ path, methods = [], router: mounted }) => {
    const place = prefix + (path === '/' ? '' : path);
    if (mounted) return listed(mounted, place);
    return methods.filter((method) => !['*', 'HEAD', 'OPTIONS'].includes(method)).map((method) => `${method} ${place}`);
  });
}

function isListing(router: Router): router is Router & ListingRouter {
  return 'listRoutes' in router;
}
