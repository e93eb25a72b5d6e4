import type { NextConfig } from 'next';

const config: NextConfig = {
  // The lock file of the repository is another project's.
  turbopack: { root: import.meta.dirname },
};

export default config;
