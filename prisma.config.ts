import { fileURLToPath } from 'node:url'
import { defineConfig } from 'prisma/config'

// Offline the CLI cannot download its native engine; a machine that has one keeps it (stack.md).
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= fileURLToPath(
  new URL('./server/platform/schemaEngine.mjs', import.meta.url),
)

const url = process.env.DATABASE_URL

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  // Not Prisma's env(): that throws where it is unset, and `prisma generate` needs no database.
  ...(url ? { datasource: { url } } : {}),
})
