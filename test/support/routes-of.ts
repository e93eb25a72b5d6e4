import type { Router } from 'express';

/** The result of `listRoutes` of Express 5.3, which its published types do not have yet. */
interface ListedRoute {
  readonly path: string;
  /** `*` is `all`, with which a route refuses other methods. */
  readonly methods: readonly string[] | undefined;
  readonly router: ListingRouter | undefined;
}

interface ListingRouter {
  listRoutes(): readonly ListedRoute[];
}

/** Every route of a router and of routers mounted in it, such as `GET /api/audit`. */
export function routesOf(router: Router): string[] {
  if (!isListing(router)) throw new Error('this version of Express does not list its routes');
  return listed(router, '');
}

function listed(router: ListingRouter, prefix: string): string[] {
  return router.listRoutes().flatMap(({ path, methods = [], router: mounted }) => {
    const fullPath = prefix + (path === '/' ? '' : path);
    if (mounted) return listed(mounted, fullPath);
    return methods
      .filter((method) => !['*', 'HEAD', 'OPTIONS'].includes(method))
      .map((method) => `${method} ${fullPath}`);
  });
}

function isListing(router: Router): router is Router & ListingRouter {
  return 'listRoutes' in router;
}
