/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  serverExternalPackages: ['@prisma/client', '@prisma/adapter-pg', 'pg'],
  // One umbrella package of many parts: only those that a file names are bundled.
  experimental: { optimizePackageImports: ['radix-ui'] },
  // `npm run types` checks the whole tree, tests too; a user's first start need not.
  typescript: { ignoreBuildErrors: true },
  distDir: process.env.NEXT_DIST_DIR ?? '.next',
}
