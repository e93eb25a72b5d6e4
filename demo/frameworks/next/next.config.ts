import type { NextConfig } from 'next';

const config: NextConfig = {
  // Otherwise Next.js takes the lock file of the repository for its root.
  turbopack: { root: import.meta.dirname },
};

export default config;
