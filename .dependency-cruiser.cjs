/** Import rules of the house: the path of an order, one way. Each room lists what it may import of ours. */
const rooms = {
  contracts: [],
  platform: [],
  engine: ['contracts'],
  journal: ['contracts', 'store/client', 'platform'],
  store: ['contracts', 'platform'],
  ingest: ['contracts', 'journal/port', 'services/keys', 'platform'],
  runner: ['contracts', 'engine', 'journal', 'store', 'platform'],
  services: ['contracts', 'store', 'runner/port', 'platform'],
  trpc: ['contracts', 'services', 'ingest', 'platform'],
  live: ['contracts', 'services', 'platform'],
}

const roomRules = Object.entries(rooms).map(([room, allowed]) => ({
  name: `${room}-imports-one-way`,
  comment: `server/${room} may import of ours only: ${[room, ...allowed].join(', ')}`,
  severity: 'error',
  from: { path: `^server/${room}/` },
  to: {
    path: '^(server|app|tests|prisma)/',
    pathNot: [room, ...allowed].map((r) => `^server/${r}(/|\\.ts$)`),
  },
}))

module.exports = {
  forbidden: [
    ...roomRules,
    {
      name: 'engine-is-pure',
      comment: 'the engine reads no clock, disk, network or environment: contracts and the zone library only',
      severity: 'error',
      from: { path: '^server/engine/' },
      to: { dependencyTypes: ['core', 'npm'], pathNot: 'temporal-polyfill|temporal-spec' },
    },
    {
      name: 'contracts-stay-light',
      comment: 'app/ bundles contracts: zod and ms only',
      severity: 'error',
      from: { path: '^server/contracts/' },
      to: { dependencyTypes: ['core', 'npm'], pathNot: 'node_modules/(zod|ms|@types/ms)/' },
    },
    {
      name: 'prisma-only-in-store',
      comment: 'only server/store knows Prisma; only store and platform open connections',
      severity: 'error',
      from: { path: '^(server|app)/', pathNot: '^server/(store|platform)/' },
      to: { path: 'node_modules/(@prisma|pg|pg-copy-streams|prisma)/' },
    },
    {
      name: 'app-reaches-server-by-wire',
      comment: 'app/ imports contracts at run time and types of the router; nothing else of server/',
      severity: 'error',
      from: { path: '^app/' },
      to: { path: '^server/', pathNot: '^server/contracts/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'cli-is-a-leaf',
      severity: 'error',
      from: { path: '^(server|app)/', pathNot: '^server/cli/' },
      to: { path: '^server/cli/' },
    },
    {
      name: 'nothing-imports-tests',
      severity: 'error',
      from: { path: '^(server|app)/' },
      to: { path: '^tests/' },
    },
    { name: 'no-circles', severity: 'error', from: { path: '^(server|app)/' }, to: { circular: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^server/store/generated/|^\\.next/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: 'specify',
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
}
