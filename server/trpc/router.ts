import { router } from './init'
import { commandsRouter } from './routers/commands'
import { consoleRouter } from './routers/console'
import { dashboardRouter } from './routers/dashboard'
import { ingestRouter } from './routers/ingest'
import { lateRouter } from './routers/late'
import { noticesRouter } from './routers/notices'
import { windowsRouter } from './routers/windows'

export const appRouter = router({
  dashboard: dashboardRouter,
  console: consoleRouter,
  ingest: ingestRouter,
  windows: windowsRouter,
  notices: noticesRouter,
  commands: commandsRouter,
  late: lateRouter,
})

export type AppRouter = typeof appRouter
