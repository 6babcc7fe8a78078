import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PLACES = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** Where a Chromium stands; null where there is none, and then browser tests are skipped with what to install. */
export const chromiumPath =
  PLACES.find((path): path is string => path !== undefined && existsSync(path)) ?? null

export const NO_BROWSER =
  'no Chromium found: browser tests were skipped. Install it (apt-get install chromium) or set CHROMIUM_PATH.'

/** True where browser tests are to be skipped. In CI a missing browser is a failure instead. */
export function skipBrowserTests(): boolean {
  if (chromiumPath !== null) return false
  if (process.env.CI) throw new Error(NO_BROWSER)
  console.log(NO_BROWSER)
  return true
}

/** A headless Chromium that talks to nobody but the pages under test. */
export function launchBrowser(): Promise<Browser> {
  if (chromiumPath === null) throw new Error(NO_BROWSER)
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
