import { router } from './init'
import { consoleRouter } from './routers/console'
import { dashboardRouter } from './routers/dashboard'
import { ingestRouter } from './routers/ingest'

export const appRouter = router({
  dashboard: dashboardRouter,
  console: consoleRouter,
  ingest: ingestRouter,
})

export type AppRouter = typeof appRouter
