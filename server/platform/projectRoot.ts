import { fileURLToPath } from 'node:url'

/** The project's folder: where prisma/, app/ and the build stand, wherever the process was started. */
export const PROJECT_ROOT = fileURLToPath(new URL('../../', import.meta.url))
