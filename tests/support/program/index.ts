export * from './bounded'
export * from './items'
export * from './pipelines'
