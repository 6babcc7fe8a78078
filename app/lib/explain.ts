import { TRPCClientError } from '@trpc/client'
import type { AppRouter } from '@/server/trpc/router'

/** What to tell a person about a failed query: what happened, what it means, what to do. Never a code alone. */
export interface Explanation {
  readonly happened: string
  readonly advice: string
}

export function explain(error: unknown): Explanation {
  const data = error instanceof TRPCClientError ? (error as TRPCClientError<AppRouter>).data : null
  if (!data) {
    return {
      happened: 'The server did not answer.',
      advice:
        'What is shown here, if anything, is what was last known. Check that Tidemark runs and is reachable.',
    }
  }
  if (data.code === 'internal') {
    const where = data.requestId ? `for request ${data.requestId}` : 'for its cause'
    return {
      happened: 'The server failed while it answered this.',
      advice: `Other panels may still work. Look in the server log ${where}.`,
    }
  }
  return { happened: sentence((error as Error).message), advice: adviceFor(data.code) }
}

function adviceFor(code: string): string {
  switch (code) {
    case 'starting':
      return 'It is still starting and will be asked again by itself.'
    case 'database_unavailable':
      return 'What is shown, if anything, is what was last known. It is asked again by itself.'
    case 'not_found':
      return 'Add it to the views of the pipeline spec, or go back to the default views, which have it.'
    case 'unauthorized':
    case 'forbidden':
      return 'Sign in with an account that may see this.'
    default:
      return 'It will be asked again by itself.'
  }
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
